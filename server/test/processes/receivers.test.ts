import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSecret, signedHeaders } from '../../src/domain/webhooks.ts'
import { readAllowList } from '../../src/outbound/webhooks/allow-list.ts'
import { createWebhookClient } from '../../src/outbound/webhooks/webhook-client.ts'

const secret = makeSecret(randomBytes)
const otherSecret = makeSecret(randomBytes)
const id = 'evt_019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e'
const body = JSON.stringify({ id, event: 'invoice.paid', data: { note: 'Grüße 🚰', amount: '0.01' } })
const now = () => Math.floor(Date.now() / 1000)

const client = createWebhookClient({ allow: readAllowList(['127.0.0.1']).allow })
afterAll(() => client.close())

const file = (name: string) => fileURLToPath(new URL(`../../../docs/receiving/${name}`, import.meta.url))

/** The receivers of the documentation, as a reader would start them; 0 takes a free port. */
const receivers = [
  { name: 'TypeScript', command: process.execPath, args: [file('receiver.ts')], says: /listening on (\d+)/ },
  { name: 'Python', command: '/usr/bin/python3', args: [file('receiver.py')], says: /listening on (\d+)/ },
  {
    name: 'PHP',
    command: '/usr/bin/php',
    args: ['-S', '127.0.0.1:0', file('receiver.php')],
    says: /Development Server \(http:\/\/127\.0\.0\.1:(\d+)\) started/,
  },
]

describe.each(receivers)('the receiver in $name', ({ command, args, says }) => {
  let child: ChildProcess
  let output = ''
  let url = ''

  beforeAll(async () => {
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, SLUICE_WEBHOOK_SECRET: secret, PORT: '0' }
    child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    url = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk
        const port = says.exec(output)?.[1]
        if (port !== undefined) resolve(`http://127.0.0.1:${port}/hooks`)
      }
      child.stdout?.on('data', read)
      child.stderr?.on('data', read)
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${output}`)))
    })
  })
  afterAll(async () => {
    const ended = once(child, 'exit')
    if (child.kill()) await ended
  })

  async function send(headers: Record<string, string>, sent = body): Promise<number> {
    const outcome = await client.post({ url, headers, body: sent })
    if (outcome.kind === 'failed') throw new Error(`${outcome.reason}: ${output}`)
    return outcome.status
  }
  const signed = (secrets: readonly string[], timestampSeconds = now(), text = body) =>
    signedHeaders(secrets, { id, timestampSeconds, body: text })

  it('accepts our signed webhooks, however often they arrive', async () => {
    expect(await send(signed([secret]))).toBe(204)
    expect(await send(signed([secret]))).toBe(204)
    expect(output).toContain(`invoice.paid ${id}`)
  })

  it('accepts two signatures during a rotation, whichever of them matches its secret', async () => {
    expect(await send(signed([secret, otherSecret]))).toBe(204)
    expect(await send(signed([otherSecret, secret]))).toBe(204)
  })

  it('refuses a body in which one letter was changed', async () => {
    expect(await send(signed([secret]), body.replace('0.01', '9.01'))).toBe(400)
    expect(await send(signed([secret]), `${body} `)).toBe(400)
  })

  it('refuses a webhook signed with another secret', async () => {
    expect(await send(signed([otherSecret]))).toBe(400)
  })

  it('refuses a webhook signed more than five minutes ago, or for more than five minutes from now', async () => {
    expect(await send(signed([secret], now() - 290))).toBe(204)
    expect(await send(signed([secret], now() - 310))).toBe(400)
    expect(await send(signed([secret], now() + 330))).toBe(400)
  })

  it('refuses an old webhook with a new timestamp or another id', async () => {
    const old = signed([secret], now() - 3600)
    expect(await send({ ...old, 'webhook-timestamp': String(now()) })).toBe(400)
    expect(await send({ ...signed([secret]), 'webhook-id': `${id.slice(0, -1)}f` })).toBe(400)
  })

  it.each([
    ['no signature', { 'webhook-signature': '' }],
    ['a signature of nothing', { 'webhook-signature': 'v1,' }],
    ['another version', { 'webhook-signature': `v2,${'A'.repeat(43)}=` }],
    ['letters for a time', { 'webhook-timestamp': 'now' }],
    ['a negative time', { 'webhook-timestamp': '-1' }],
    ['a time with an exponent', { 'webhook-timestamp': '1e9' }],
    ['no id', { 'webhook-id': '' }],
  ])('refuses %s, and keeps running', async (_, changed) => {
    expect(await send({ ...signed([secret]), ...changed })).toBe(400)
    expect(await send(signed([secret]))).toBe(204)
  })

  it('refuses a request without any of the headers', async () => {
    expect(await send({})).toBe(400)
  })
})
