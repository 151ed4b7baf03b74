import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { image } from '../../../scripts/release/images.ts'
import { canMakeMachines } from '../support/cluster/machines.ts'
import { outside, type Stack, startStack } from '../support/compose/stack.ts'
import { type TlsClient, tlsClient } from '../support/compose/tls-client.ts'
import { read } from '../support/deploy-files.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { eventually } from '../support/servers/hook-receiver.ts'

// Caddy gets certificates for such a name from a root of its own, and asks no one.
const domain = 'pay.sluice.local'
const sluice = [image.node, `${image.home}/server/bin/sluice.mjs`]
const [one, many] = ['deploy/compose/compose.yaml', 'deploy/compose/compose.many.yaml'] as const
// Left to `npm run soak`: the first file without the second.
const stacks = [
  { name: 'both compose files', files: [one, many] },
  ...(process.env.SLUICE_WHOLE_IMAGES === undefined
    ? []
    : [{ name: 'the first compose file', files: [one] }]),
]

/** The README's own lines, from the first key to the payout, for another origin and with a key that is known. */
function walkOf(key: string): string {
  const [, walk = ''] =
    /## A first invoice, paid\n(.*?)\nA merchant of your own/s.exec(read('README.md')) ?? []
  const lines = walk.split('\n').flatMap((line) => (line.startsWith('    ') ? line.slice(4) : []))
  const script = lines.join('\n')
  expect(script).toMatch(/^KEY=.*npx sluice demo/m)
  expect(script).toContain('http://127.0.0.1:8080/')
  return script
    .replace(/^KEY=.*$/m, `KEY=${key}`)
    .replaceAll('http://127.0.0.1:8080/', `https://${domain}/`)
    .replaceAll('sleep 1', 'sleep 0.2')
}

describe.runIf(canMakeMachines).each(stacks)('$name, with Debian’s packages', ({ files }) => {
  let folder: TemporaryFolder
  let stack: Stack
  let client: TlsClient
  let key: string

  beforeAll(async () => {
    folder = await makeTemporaryFolder()
    const variables = { SLUICE_DOMAIN: domain, SLUICE_VERSION: '0' }
    const config = { rates: { sources: [] }, addresses: { ready: 20 } }
    stack = await startStack(files, folder.path, variables, config)
    const root = join(stack.folder, 'caddy/data/caddy/pki/authorities/local/root.crt')
    client = tlsClient(domain, stack.publicAddress, root)
    await eventually(async () => {
      expect(existsSync(root)).toBe(true)
      expect((await client.get('/readyz')).status).toBe(200)
    })
    const { merchant_id = '' } = await inWorker('merchant', 'create', '--name', 'Shop')
    const rights = ['--environment', 'test', '--permissions', 'all']
    ;({ key = '' } = await inWorker('key', 'create', '--merchant', merchant_id, ...rights))
  })
  afterAll(async () => {
    await stack?.remove()
    await folder?.remove()
  })

  async function inWorker(...command: string[]): Promise<Record<string, string>> {
    const { code, stdout, stderr } = await stack.run('sluice-worker-1', [...sluice, ...command, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }

  /** Whether a program of a container can open a connection; the images have nothing but Node to try it with. */
  async function reaches(name: string, address: string, port: number): Promise<boolean> {
    const probe = `require('node:net').connect(${port}, '${address}').setTimeout(3000, () => process.exit(1))
      .on('error', (error) => process.exit(error.code === 'ECONNREFUSED' ? 0 : 1)).on('connect', () => process.exit(0))`
    return (await stack.run(name, [image.node, '-e', probe])).code === 0
  }

  const apis = () => stack.names.filter((name) => name.startsWith('sluice-api-'))
  /** The lines that an API process wrote about requests, by the address that it saw. */
  const seenBy = async (name: string) =>
    [...(await stack.logOf(name)).matchAll(/"ip":"([^"]+)"/g)].map(([, address]) => address)

  it('the README’s walk ends in a paid invoice and a completed payout, by TLS and through Caddy', async () => {
    const said = await client.shell(walkOf(key), folder.path)
    expect(said).toMatch(/"status":"paid"/)
    expect(said).toMatch(/"status":"completed"/)
    const page = new RegExp(`https://${domain}(/pay/\\S+)`).exec(said)?.[1] ?? ''
    const { status, headers } = await client.get(page)
    expect([status, headers['strict-transport-security']]).toEqual([200, 'max-age=63072000'])
    const caddy = await stack.logOf('sluice-caddy-1')
    expect(caddy).toContain('"uri":"/pay/…"')
    expect(caddy).not.toContain(page)
    expect(caddy).not.toContain(key)
  })

  it('every API process serves, and sees the caller’s true address in spite of its claims', async () => {
    await eventually(async () => {
      const spoofed = {
        'X-Forwarded-For': '198.51.100.7',
        'X-Real-IP': '198.51.100.7',
        Forwarded: 'for=198.51.100.7',
      }
      expect((await client.get('/api/v1/currencies', spoofed)).status).toBe(200)
      for (const name of apis()) expect(await seenBy(name)).toContain(stack.ownAddress)
    })
    for (const name of apis()) expect(await seenBy(name)).not.toContain('198.51.100.7')
  })

  it('a payment page’s events arrive one by one', async () => {
    const script = `curl -s -H "X-API-Key: ${key}" -H "Content-Type: application/json" \
      https://${domain}/api/v1/invoices -d '{"currency": "BTC", "amount": "0.01"}'`
    const { data } = JSON.parse(await client.shell(script, folder.path))
    const page = await client.get(new URL(data.checkout_url).pathname)
    const token = JSON.parse(/id="state">(.*?)<\/script>/s.exec(page.text)?.[1] ?? '').token.token
    const stream = await client.open('/checkout-api/invoice/stream', { Authorization: `Bearer ${token}` })
    let text = ''
    stream.on('data', (chunk) => {
      text += chunk
    })
    const pay = `curl -s -H "X-API-Key: ${key}" -H "Content-Type: application/json" \
      https://${domain}/api/v1/test/deposits -d '{"address": "${data.deposit_address}", "amount": "0.01", "currency": "BTC"}'`
    await client.shell(pay, folder.path)
    // The stream stays open: what arrives was not held back until its end.
    await expect.poll(() => text).toContain('event: checkout')
    expect(stream.complete).toBe(false)
    stream.destroy()
  })

  it('the signer reaches the database and nothing else, and no one reaches it', async () => {
    const postgres = stack.addressOf('sluice-postgres-1', 'signing')
    const signer = stack.addressOf('sluice-signer-1', 'signing')
    const caddy = stack.addressOf('sluice-caddy-1', 'edge')
    const ways = [
      { from: 'sluice-signer-1', address: postgres, port: 5432, open: true },
      // Refused is reached: the signer has no port for anyone.
      ...['sluice-api-1', 'sluice-worker-1'].map((from) => ({
        from,
        address: signer,
        port: 9464,
        open: false,
      })),
      ...(
        [
          [outside, 443],
          [stack.addressOf('sluice-api-1', 'edge'), 8080],
          [caddy, 443],
          [stack.addressOf('sluice-postgres-1', 'data'), 5432],
        ] as const
      ).map(([address, port]) => ({ from: 'sluice-signer-1', address, port, open: false })),
      // The worker has a way out: so the address outside can be reached by those who may.
      { from: 'sluice-worker-1', address: outside, port: 443, open: true },
      { from: 'sluice-worker-1', address: caddy, port: 443, open: false },
    ]
    // All at once: each that is closed takes as long as the probe waits.
    const found = ways.map(async (way) => ({ ...way, open: await reaches(way.from, way.address, way.port) }))
    expect(await Promise.all(found)).toEqual(ways)
  })

  it.runIf(files.includes(many))(
    'with one of two API processes killed and missed by Caddy’s check, the walk goes as before',
    async () => {
      expect(apis()).toHaveLength(2)
      const before = (await stack.logOf('sluice-caddy-1')).length
      await stack.kill('sluice-api-1')
      for (let nth = 0; nth < 6; nth++) expect((await client.get('/api/v1/currencies')).status).toBe(200)
      // Until its next check, Debian's Caddy 2.6 may answer 502 to a request with a body, which it does not send twice.
      const failed = /"HTTP request failed","host":"sluice-api-1:8080"/
      await expect.poll(async () => (await stack.logOf('sluice-caddy-1')).slice(before)).toMatch(failed)
      expect(await client.shell(walkOf(key), folder.path)).toMatch(/"status":"completed"/)
    },
  )
})
