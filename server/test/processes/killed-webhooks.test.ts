import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { patienceMs } from '../support/patience.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { type HookReceiver, startHookReceiver, verify } from '../support/servers/hook-receiver.ts'
import { call } from '../support/shop/contract-client.ts'

// A killed worker's claims expire by themselves; that takes seconds.
const patience = { timeout: patienceMs, interval: 200 }

let folder: TemporaryFolder
let env: Record<string, string>
let receiver: HookReceiver
let service: SluiceProcess | null = null

beforeEach(async () => {
  folder = await makeTemporaryFolder()
  env = { SLUICE_DATA_DIR: join(folder.path, 'data'), SLUICE_SANDBOX_BLOCK_SECONDS: '0' }
  await makeDataFolder(join(folder.path, 'data'))
  receiver = await startHookReceiver()
})
afterEach(async () => {
  await receiver.close()
  await service?.end('SIGTERM')
  await folder.remove()
})

it('a kill -9 during deliveries loses none: each is repeated under the same id, and none lacks its event', async () => {
  service = await startSluice(env)
  const key = service.ready.test_key as string
  const body = JSON.stringify({ url: receiver.url })
  const { secret } = (await call(service.ready.url, 'createWebhookEndpoint', { key, body })).body.data
  const held: ServerResponse[] = []
  receiver.answer = (response) => held.push(response)
  const invoice = JSON.stringify({ currency: 'BTC', amount: '0.01' })
  const create = async (url: string) =>
    expect((await call(url, 'createInvoice', { key, body: invoice })).status).toBe(201)
  for (let n = 0; n < 12; n++) await create(service.ready.url)
  await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(12), patience)
  const cut = new Set(receiver.hooks.map(({ id }) => id))
  await service.end('SIGKILL')
  receiver.answer = (response) => response.writeHead(204).end()
  service = await startSluice(env)
  const { url } = service.ready
  await create(url)
  const { data: events } = (await call(url, 'listEvents', { key, query: { limit: '100' } })).body
  expect(events).toHaveLength(13)
  const ids = events.map(({ id }: { id: string }) => id)
  await vi.waitFor(() => {
    for (const id of ids) expect(receiver.of({ id }).length).toBeGreaterThanOrEqual(cut.has(id) ? 2 : 1)
  }, patience)
  await vi.waitFor(
    async () => {
      for (const id of ids) {
        const { body: shown } = await call(url, 'getEvent', { key, path: { eventID: id } })
        expect(shown.data.deliveries).toMatchObject([{ status: 'succeeded' }])
      }
    },
    { timeout: patienceMs, interval: 1_000 },
  )
  expect(new Set(receiver.hooks.map(({ id }) => id))).toEqual(new Set(ids))
  for (const id of ids) {
    const hooks = receiver.of({ id })
    expect(new Set(hooks.map(({ text }) => text)).size).toBe(1)
    for (const hook of hooks) expect(verify(secret, hook)).toEqual(hook.body)
  }
}, 150_000)
