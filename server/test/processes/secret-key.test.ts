import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { runSluice, type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { eventually, type HookReceiver, startHookReceiver, verify } from '../support/servers/hook-receiver.ts'
import { call } from '../support/shop/contract-client.ts'

let folder: TemporaryFolder
let env: Record<string, string>
let receiver: HookReceiver
let running: SluiceProcess[]

beforeEach(async () => {
  folder = await makeTemporaryFolder()
  env = { SLUICE_DATA_DIR: join(folder.path, 'data') }
  await makeDataFolder(join(folder.path, 'data'))
  receiver = await startHookReceiver()
  running = []
})
afterEach(async () => {
  for (const service of running) await service.end('SIGTERM')
  await receiver.close()
  await folder.remove()
})

async function start(): Promise<SluiceProcess> {
  const service = await startSluice(env)
  running.push(service)
  return service
}

it('a data folder gets its own secret key, readable only by its owner, which still signs webhooks after a restart', async () => {
  const first = await start()
  const key = first.ready.test_key as string
  const path = join(folder.path, 'data', 'secret-key')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const made = await readFile(path, 'utf8')
  expect(made).toMatch(/^[0-9a-f]{64}\n$/)
  const body = JSON.stringify({ url: receiver.url })
  const endpoint = (await call(first.ready.url, 'createWebhookEndpoint', { key, body })).body.data
  expect(first.stderr()).not.toContain(made.trim())
  expect(await first.end('SIGTERM')).toBe(0)
  const second = await start()
  expect(await readFile(path, 'utf8')).toBe(made)
  const options = { key, path: { endpointID: endpoint.id } }
  expect((await call(second.ready.url, 'testWebhookEndpoint', options)).status).toBe(201)
  await eventually(() => expect(receiver.hooks).toHaveLength(1))
  const [hook] = receiver.hooks
  if (hook === undefined) throw new Error('nothing came')
  expect(verify(endpoint.secret, hook)).toEqual(hook.body)
  expect(await second.end('SIGTERM')).toBe(0)
  await writeFile(path, made.slice(0, 20))
  const damaged = await runSluice(['start', '--json'], env)
  expect(damaged.code).not.toBe(0)
  expect(damaged.stderr).toContain('secret-key is damaged. Restore it from a backup')
  expect(await readFile(path, 'utf8')).toBe(made.slice(0, 20))
})
