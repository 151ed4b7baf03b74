import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { patienceMs } from '../support/patience.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { childrenOf, isAlive, type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { type HookReceiver, startHookReceiver, verify } from '../support/servers/hook-receiver.ts'
import { call } from '../support/shop/contract-client.ts'

// A killed worker's claims expire by themselves; that takes seconds.
const patience = { timeout: patienceMs, interval: 200 }

let folder: TemporaryFolder
let env: Record<string, string>
let receiver: HookReceiver
let service: SluiceProcess | null = null

/** The tests run in this order on one service. */
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  env = { SLUICE_DATA_DIR: join(folder.path, 'data'), SLUICE_SANDBOX_BLOCK_SECONDS: '0' }
  await makeDataFolder(join(folder.path, 'data'))
  receiver = await startHookReceiver()
})
afterAll(async () => {
  await receiver.close()
  await service?.end('SIGTERM')
  await folder.remove()
})

it('a kill -9 during deliveries leaves no process behind and loses no delivery: each is repeated under the same id, and none lacks its event', async () => {
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
  const pids = await pidsOf(service)
  await service.end('SIGKILL')
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
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

it('when API and worker are killed, everything ends, and a message says so', async () => {
  const running = service as SluiceProcess
  const pids = await pidsOf(running)
  const exit = once(running.child, 'exit')
  process.kill(childrenOf(running.child).find(({ role }) => role === 'service')?.pid ?? 0, 'SIGKILL')
  expect(await exit).toEqual([1, null])
  expect(running.stderr()).toContain('THE SERVICE ENDED ON ITS OWN')
  expect(pids.filter(isAlive)).toEqual([])
})

/** Its processes of every role, and its database. */
async function pidsOf({ child }: SluiceProcess): Promise<number[]> {
  const path = join(env.SLUICE_DATA_DIR ?? '', 'postgres', 'postmaster.pid')
  const postmaster = Number((await readFile(path, 'utf8')).split('\n')[0])
  const pids = [...childrenOf(child).map(({ pid }) => pid), postmaster]
  expect(pids).toHaveLength(3)
  return pids
}
