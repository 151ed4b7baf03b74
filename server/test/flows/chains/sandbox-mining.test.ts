import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ ...quiet, env: { SLUICE_SANDBOX_BLOCK_SECONDS: '1' } })
})
afterAll(() => service.stop())

/** Every row of every table with its position and last writer: equal only when nothing was written. */
async function footprint(): Promise<string> {
  const tables = await query<{ name: string }>(
    service.database.url,
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const prints: object[] = []
  for (const { name } of tables) {
    prints.push(
      await query(
        service.database.url,
        `select count(*), md5(string_agg(concat(xmin, ' ', ctid), ',' order by ctid)) from ${name}`,
      ),
    )
  }
  return JSON.stringify(prints)
}

/** How many transactions the database has counted; PostgreSQL reports them with a delay, and never too many. */
async function transactions(): Promise<number> {
  const [row] = await query<{ commits: number }>(
    service.database.url,
    `select (xact_commit + xact_rollback)::float8 as commits from pg_stat_database where datname = current_database()`,
  )
  return row?.commits ?? 0
}

it('a payment is seen in the mempool and then confirms by itself', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await shop.pay(invoice, '0.01')
  await expect.poll(async () => (await shop.get(invoice)).status).toBe('paid')
  expect(await shop.told()).toEqual([
    'invoice.confirming',
    'invoice.payment_detected',
    'balance.credited',
    'invoice.paid',
  ])
  await expectSoundBooks(service.database.url)
})

it('an invoice expires by itself when its window ends', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await query(
    service.database.url,
    `update invoices set expires_at = clock_timestamp(), due_at = clock_timestamp() where id = $1`,
    [invoice.id],
  )
  await expect.poll(async () => (await shop.get(invoice)).status).toBe('expired')
  expect(await shop.told()).toEqual(['invoice.confirming', 'invoice.expired'])
})

it('an idle service writes nothing', async () => {
  let before = await footprint()
  let unchanged = -1
  // First, everything that the tests above left and the first filling of the address pools must finish.
  await expect
    .poll(
      async () => {
        const seen = before
        before = await footprint()
        unchanged = before === seen ? unchanged + 1 : -1
        return unchanged
      },
      { interval: 2_500 },
    )
    .toBeGreaterThan(0)
  const from = await transactions()
  await expect.poll(async () => (await transactions()) - from).toBeGreaterThan(60)
  expect(await footprint()).toBe(before)
})
