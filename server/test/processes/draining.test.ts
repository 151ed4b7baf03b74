import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { followPage, tokenOf } from '../support/shop/checkout-client.ts'
import { call } from '../support/shop/contract-client.ts'

let folder: TemporaryFolder
let service: SluiceProcess

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  const data = join(folder.path, 'data')
  await makeDataFolder(data)
  // Longer than any test waits: only the second signal can end it.
  service = await startSluice({ SLUICE_DATA_DIR: data, SLUICE_DRAIN_SECONDS: '300' })
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await folder?.remove()
})

it('told to stop, it is no longer ready but serves everyone until the drain is over; told again later, it ends at once', async () => {
  const { url, test_key: key = '' } = service.ready
  const body = JSON.stringify({ currency: 'BTC', amount: '0.01' })
  const before = await call(url, 'createInvoice', { key, body })
  expect(before.headers.get('connection')).toBe('keep-alive')
  const readiness = async () => (await fetch(`${url}/readyz`)).status
  expect(await readiness()).toBe(200)
  const early = await followPage(url, await tokenOf(before.body.data))

  service.child.kill('SIGTERM')
  await expect.poll(readiness).toBe(503)
  const { status, headers, body: made } = await call(url, 'createInvoice', { key, body })
  expect([status, headers.get('connection')]).toEqual([201, 'close'])
  const late = await followPage(url, await tokenOf(made.data))
  for (const { deposit_address: address } of [before.body.data, made.data]) {
    const deposit = JSON.stringify({ address, amount: '0.01', currency: 'BTC' })
    expect((await call(url, 'createTestDeposit', { key, body: deposit })).status).toBe(201)
  }
  await expect.poll(() => [early.latest(), late.latest()]).not.toContain(null)

  // Whatever comes with the first signal is the same one; what comes a second later is not.
  await expect
    .poll(() => {
      service.child.kill('SIGTERM')
      return service.stderr()
    })
    .toContain('told to stop again')
  await Promise.all([early.ended, late.ended])
  expect(await service.end('SIGTERM')).toBe(0)
})
