import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { languages, startLanguage } from './language.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-tls-'))
const certificate = join(folder, 'certificate.pem')
let server: Server
let port = 0
let served = 0

beforeAll(async () => {
  const key = join(folder, 'key.pem')
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
    ...[
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
  ])
  server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_, response) => {
    served += 1
    // More than a TLS record holds, so that reading goes on after the first.
    const note = 'x'.repeat(100_000)
    response.end(JSON.stringify({ data: { id: 'a', note }, meta: { request_id: 'req_1' } }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  rmSync(folder, { recursive: true, force: true })
})

describe.each(languages)('the client in $name, by https', (settings) => {
  async function ask(host: string, env: Record<string, string>) {
    const language = startLanguage({ ...settings, env: { ...settings.env, ...env } })
    const client = { base_url: `https://${host}:${port}/api`, api_key: 'sk_test_1', max_retries: 0 }
    const outcome = await language.ask({ do: 'call', method: 'invoices.get', subject: 'a', client })
    await language.end()
    return outcome
  }

  it('reads an answer of a server whose certificate is trusted', async () => {
    const { data } = await ask('localhost', { SSL_CERT_FILE: certificate })
    expect(data.note).toHaveLength(100_000)
  })

  it('sends nothing to a server whose certificate is not trusted, or is for another name', async () => {
    const before = served
    expect((await ask('localhost', {})).error).toMatchObject({
      class: 'ConnectionFailedError',
      timed_out: false,
    })
    const other = await ask('127.0.0.1', { SSL_CERT_FILE: certificate })
    expect(other.error).toMatchObject({ class: 'ConnectionFailedError', timed_out: false })
    expect(other.error?.message).toMatch(/certificate|CN|peer/i)
    expect(served).toBe(before)
  })
})
