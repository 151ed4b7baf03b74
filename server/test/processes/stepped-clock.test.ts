import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { expectSoundBooks } from '../support/database/books.ts'
import { query } from '../support/database/database.ts'
import { startOwnPostgres } from '../support/processes/data-folder.ts'
import { type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { call } from '../support/shop/contract-client.ts'
import { makeTestKey } from '../support/shop/merchant.ts'

const preload = new URL('../support/processes/stepped-clock.mjs', import.meta.url).href
const stepMs = 600_000
// Far less than the step, and more than any machine takes between a request and its row.
const soonMs = 60_000

let folder: TemporaryFolder
let postgres: EmbeddedPostgres
let service: SluiceProcess
let key: string

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  postgres = await startOwnPostgres(join(folder.path, 'postgres'))
  const config = join(folder.path, 'config.json')
  await writeFile(config, JSON.stringify({ rates: { sources: [] }, addresses: { ready: 20 } }))
  const env = {
    DATABASE_URL: postgres.url,
    SLUICE_DATA_DIR: join(folder.path, 'data'),
    SLUICE_CONFIG: config,
    SLUICE_SANDBOX_BLOCK_SECONDS: '0',
  }
  service = await startSluice({
    ...env,
    NODE_OPTIONS: `--import=${preload}`,
    STEPPED_CLOCK_MS: String(stepMs),
  })
  key = await makeTestKey(postgres.url)
})
afterAll(async () => {
  await service?.end('SIGTERM')
  await postgres?.stop()
  await folder?.remove()
})

const post = async (operation: string, body: object, path?: Record<string, string>) => {
  const answer = await call(service.ready.url, operation, {
    key,
    body: JSON.stringify(body),
    ...(path && { path }),
  })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}

const status = async (id: string) =>
  (await call(service.ready.url, 'getInvoice', { key, path: { invoiceID: id } })).body.data.status

/** Whether the process's own clock is right, ahead or behind, by the newest line of its log. */
async function ownClock(): Promise<string> {
  await call(service.ready.url, 'listEvents', { key })
  const newest = service.stderr().trim().split('\n').at(-1) ?? ''
  const aheadMs = Date.parse(/"time":"([^"]+)"/.exec(newest)?.[1] ?? '') - Date.now()
  if (Math.abs(aheadMs) < stepMs - soonMs) return 'right'
  return aheadMs > 0 ? 'ahead' : 'behind'
}

it('with the process’s clock 10 minutes ahead, then 10 behind, the database’s clock decides every timestamp and expiry', async () => {
  const shortLived = { currency: 'BTC', amount: '0.001', expires_in: 300 }
  const left = []
  const over = []
  for (const direction of ['ahead', 'behind']) {
    // The log uses the process's own time, and so shows that the clock is really wrong.
    await expect.poll(ownClock).toBe(direction)
    const stays = await post('createInvoice', shortLived)
    const ends = await post('createInvoice', shortLived)
    const paid = await post('createInvoice', shortLived)
    for (const made of [stays, ends, paid]) {
      const skewMs = Math.abs(new Date(made.created_at).getTime() - Date.now())
      expect(skewMs, direction).toBeLessThan(soonMs)
      expect(new Date(made.expires_at).getTime() - new Date(made.created_at).getTime()).toBe(300_000)
    }
    // One window ends, by the database's clock.
    await query(
      postgres.url,
      'update invoices set expires_at = clock_timestamp(), due_at = clock_timestamp() where id = $1',
      [ends.id],
    )
    await expect.poll(() => status(ends.id)).toBe('expired')
    await post('createTestDeposit', { address: paid.deposit_address, amount: '0.001', currency: 'BTC' })
    await post('mineTestBlocks', { network: 'bitcoin', count: 2 })
    expect(await status(paid.id)).toBe('paid')
    const [seen] = await query<{ late: boolean; skew: number }>(
      postgres.url,
      `select late, abs(extract(epoch from clock_timestamp() - seen_at))::float as skew
       from payments join payment_bookings on payment_id = payments.id where invoice_id = $1`,
      [paid.id],
    )
    expect(seen?.late).toBe(false)
    expect((seen?.skew ?? 0) * 1000).toBeLessThan(soonMs)
    left.push(stays.id)
    over.push(ends.id)
    service.signalAll('SIGUSR2')
  }
  for (const id of left) expect(await status(id)).toBe('pending')
  for (const id of over) expect(await status(id)).toBe('expired')
  await expectSoundBooks(postgres.url, { settled: true })
}, 120_000)
