import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf } from '../support/pages/claims.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import {
  runSluice,
  type SluiceProcess,
  spawnCommand,
  startSluice,
} from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { freePort } from '../support/servers/free-port.ts'
import {
  eventually,
  type Hook,
  type HookReceiver,
  startHookReceiver,
  verify,
} from '../support/servers/hook-receiver.ts'
import { call } from '../support/shop/contract-client.ts'

let folder: TemporaryFolder
let env: Record<string, string>
let service: SluiceProcess
let receiver: HookReceiver
let key: string
let merchantId: string
const children: ChildProcess[] = []

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  env = {
    SLUICE_DATA_DIR: join(folder.path, 'data'),
    SLUICE_SANDBOX_BLOCK_SECONDS: '0',
    PORT: String(await freePort()),
  }
  await makeDataFolder(join(folder.path, 'data'))
  service = await startSluice(env)
  key = service.ready.test_key as string
  merchantId = service.ready.merchant_id as string
  receiver = await startHookReceiver()
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await receiver.close()
  await service.end('SIGTERM')
  await folder.remove()
})

/** Starts `listen`, and returns when it follows. */
async function listen(target: string, args: readonly string[] = [], apiKey = key) {
  const given = { SLUICE_URL: service.ready.url, SLUICE_API_KEY: apiKey, SLUICE_DATA_DIR: '/nonexistent' }
  const child = spawnCommand(['listen', '--forward', target, ...args], given)
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk))
  const ended = once(child, 'close') as Promise<[number | null]>
  await eventually(() => expect(text).toContain('Signing secret: '))
  return { child, text: () => text, secret: /whsec_\S+/.exec(text)?.[0] as string, ended }
}

const ask = (operation: string, json?: object) =>
  call(service.ready.url, operation, { key, ...(json !== undefined && { body: JSON.stringify(json) }) })

const createInvoice = async () =>
  (await ask('createInvoice', { currency: 'BTC', amount: '0.01' })).body.data as { id: string }

/** The events so far, oldest first. */
async function listed(): Promise<string[]> {
  const { data } = (await call(service.ready.url, 'listEvents', { key, query: { limit: '100' } })).body
  return data.map(({ id }: { id: string }) => id).reverse()
}

const on = (path: string) => receiver.hooks.filter((hook) => hook.path === path)

it('what listen sends is what a delivery sends, byte for byte, and its signature verifies', async () => {
  const at = (path: string) => receiver.url.replace('/hooks', path)
  const { endpoint_id, secret } = JSON.parse(
    (
      await runSluice(['webhook', 'create', at('/delivered'), '--json'], {
        ...reach(),
        SLUICE_DATA_DIR: '/nonexistent',
      })
    ).stdout,
  )
  // By name, as developers do.
  const listening = await listen(at('/listened').replace('127.0.0.1', 'localhost'))
  await createInvoice()
  await eventually(() => {
    expect(on('/delivered')).toHaveLength(1)
    expect(on('/listened')).toHaveLength(1)
  })
  const [delivered, listened] = [on('/delivered')[0] as Hook, on('/listened')[0] as Hook]
  expect(listened.text).toBe(delivered.text)
  expect(Object.keys(listened.headers).sort()).toEqual(Object.keys(delivered.headers).sort())
  for (const name of ['webhook-id', 'content-type', 'user-agent', 'accept-encoding', 'content-length'])
    expect(listened.headers[name], name).toBe(delivered.headers[name])
  expect(verify(listening.secret, listened)).toEqual(delivered.body)
  expect(() => verify(secret, listened)).toThrow()
  expect(listening.text()).not.toContain(key.slice('sk_test_'.length))
  listening.child.kill('SIGINT')
  expect(await listening.ended).toEqual([0, null])
  expect(listening.text()).toMatch(/invoice\.confirming +\S+ {2}0\.01 BTC pending {2}→ 204 {2}\d+ ms\n/)
  expect(listening.text()).toContain('1 event sent on: 1 accepted, 0 not.')
  await call(service.ready.url, 'deleteWebhookEndpoint', { key, path: { endpointID: endpoint_id } })
})

/** A transcript without what differs from run to run. */
const shapeOf = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/\d\d:\d\d:\d\d/g, 'TIME')
    .replaceAll(/\d+ ms/g, 'N ms')
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
    // Here the key is given; on the page it is the demo merchant’s.
    .replace('the demo merchant’s test events', 'your test events')
    .replaceAll(/whsec_\S+/g, 'whsec_S')
    .replaceAll(/\/pay\/\S+/g, '/pay/LINK')
    .split('\n')
    .filter((line) => line !== '')
    // Events of one moment come in either order.
    .sort()
    .join('\n')

it('the transcripts on our pages are what the commands print', async () => {
  const [listening, triggered, ...others] = blocksOf('transcripts').map(({ text }) => text.split('\n'))
  expect(others).toEqual([])
  const commandOf = (lines: readonly string[] = []) => lines[0]?.split(' ').slice(3) ?? []
  const here = reach()
  const run = await runSluice(commandOf(triggered), here)
  expect(run.stderr).toBe('')
  expect(shapeOf(run.stdout)).toBe(shapeOf(triggered?.slice(1).join('\n') ?? ''))

  const target = receiver.url.replace('127.0.0.1', 'localhost')
  const args = commandOf(listening).map((word) => (word.startsWith('http:') ? target : word))
  const child = spawnCommand(args, here)
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk))
  const ended = once(child, 'close')
  await eventually(() => expect(text).toContain('Signing secret: '))
  await runSluice(['trigger', 'invoice.paid'], here)
  await eventually(() => expect(text.match(/→ 204/g)).toHaveLength(4))
  child.kill('SIGINT')
  await ended
  const printed = listening?.slice(1).filter((line) => line !== '^C') ?? []
  expect(shapeOf(text)).toBe(shapeOf(printed.join('\n')))
})

const reach = () => ({ SLUICE_URL: service.ready.url, SLUICE_API_KEY: key })

it('a kill -9 of the service while listening loses no event and repeats none; the gap is caught up and said', async () => {
  const target = receiver.url.replace('/hooks', '/killed')
  const listening = await listen(target, ['--json'])
  const same = (await listen(target, ['--events', 'payout.failed'])).secret
  expect(same, 'the secret is the same each time').toBe(listening.secret)
  const before = await listed()
  for (let n = 0; n < 3; n++) await createInvoice()
  await eventually(() => expect(on('/killed').length).toBeGreaterThanOrEqual(1))
  // Some of these are on their way now.
  const creating = Promise.allSettled(Array.from({ length: 5 }, createInvoice))
  service.signalAll('SIGKILL')
  await creating
  await service.end('SIGKILL')
  service = await startSluice(env)
  for (let n = 0; n < 3; n++) await createInvoice()
  const expected = (await listed()).filter((id) => !before.includes(id))
  expect(expected.length).toBeGreaterThanOrEqual(6)
  await eventually(() =>
    expect(
      on('/killed')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...expected].sort()),
  )
  // A reader that goes on from a wrong place would repeat some by now.
  await createInvoice()
  const all = (await listed()).filter((id) => !before.includes(id))
  await eventually(() => expect(on('/killed')).toHaveLength(all.length))
  expect(new Set(on('/killed').map(({ id }) => id))).toEqual(new Set(all))
  for (const hook of on('/killed')) verify(listening.secret, hook)
  expect(listening.text()).toContain('Cut off: ')
  expect(listening.text()).toMatch(/Connected again after \d+\.\d s\./)
  expect(listening.text()).toMatch(/Caught up \d events? from meanwhile\./)
  // A line is printed after its answer has come.
  const lines = await eventually(() => {
    const found = listening.text().match(/^\{.*\}$/gm) ?? []
    expect(found).toHaveLength(all.length)
    return found.map((line) => JSON.parse(line))
  })
  expect(lines.map(({ event_id }) => event_id).sort()).toEqual([...all].sort())
  expect(lines.every(({ status }) => status === 204)).toBe(true)
  for (const child of children) child.kill('SIGTERM')
})

it('listen says how to send a refused event again, and events resend does so', async () => {
  const target = receiver.url.replace('/hooks', '/refused')
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const usual = receiver.answer
  receiver.answer = (response) => response.writeHead(500).end()
  const listening = await listen(target, ['--secret', secret])
  await createInvoice()
  await eventually(() => expect(listening.text()).toContain('→ 500'))
  receiver.answer = usual
  const [hook] = on('/refused') as [Hook]
  const advice = `npx sluice events resend ${hook.id} --forward ${target}`
  await eventually(() => expect(listening.text()).toContain(advice))
  listening.child.kill('SIGINT')
  await listening.ended
  expect(listening.text()).toContain('1 event sent on: 0 accepted, 1 not.')
  expect(on('/refused'), 'nothing is retried by itself').toHaveLength(1)
  const resent = await runSluice(
    ['events', 'resend', hook.id, '--forward', target, '--secret', secret],
    reach(),
  )
  expect([resent.code, on('/refused').length]).toEqual([0, 2])
  expect(on('/refused')[1]?.text).toBe(hook.text)
  verify(secret, on('/refused')[1] as Hook)
})

it('Ctrl-C does not wait for a server that never answers', async () => {
  const usual = receiver.answer
  receiver.answer = () => {}
  const listening = await listen(receiver.url.replace('/hooks', '/silent'))
  await createInvoice()
  await eventually(() => expect(on('/silent')).toHaveLength(1))
  const before = performance.now()
  listening.child.kill('SIGINT')
  expect(await listening.ended).toEqual([0, null])
  expect(performance.now() - before).toBeLessThan(5_000)
  expect(listening.text()).toContain('1 event sent on: 0 accepted, 1 not.')
  receiver.answer = usual
})

it('a command whose reader has left, as head does, ends without a word', async () => {
  for (const args of [
    ['listen', '--forward', receiver.url.replace('/hooks', '/unread')],
    ['trigger', 'invoice.expired'],
  ]) {
    const child = spawnCommand(args, reach())
    children.push(child)
    let complaints = ''
    child.stderr?.on('data', (chunk) => (complaints += chunk))
    const ended = once(child, 'close')
    await once(child.stdout as Readable, 'data')
    child.stdout?.destroy()
    await createInvoice()
    expect([args[0], await ended, complaints]).toEqual([args[0], [0, null], ''])
  }
})

it('listen ends with the reason when its key is revoked, and refuses a live key without --live', async () => {
  const owned = ['--merchant', merchantId, '--permissions', 'events:read', '--json']
  const made = async (environment: string) =>
    JSON.parse((await runSluice(['key', 'create', ...owned, '--environment', environment], env)).stdout)
  const test = await made('test')
  const listening = await listen(receiver.url, [], test.key)
  await runSluice(['key', 'revoke', test.key_id], env)
  expect(await listening.ended).toEqual([1, null])
  expect(listening.text()).toContain('Send a valid API key')
  const live = await made('live')
  const args = ['listen', '--forward', receiver.url, '--key', live.key]
  const refused = await runSluice(args, reach())
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain('--live')
})

it('a URL where nothing answers, and a missing key, are told with what to do', async () => {
  const { code, stderr } = await runSluice(
    ['events', 'list', '--url', 'http://127.0.0.1:9', '--key', key],
    env,
  )
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^No answer from http:\/\/127\.0\.0\.1:9.*Start Sluice there \(npm start\).*SLUICE_URL or --url/,
  )
  const keyless = await runSluice(['events', 'list', '--url', service.ready.url, '--json'], env)
  expect(JSON.parse(keyless.stderr).error).toMatchObject({ code: 'usage', message: /SLUICE_API_KEY/ })
})
