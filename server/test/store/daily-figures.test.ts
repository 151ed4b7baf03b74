import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { dailyFiguresOn } from '../../src/store/reports/daily-figures.ts'
import { dailySumsOn } from '../../src/store/reports/daily-sums.ts'
import { storeOn } from '../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'
import { rowsRead } from '../support/database/rows-read.ts'

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 4)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const today = () => new Date().toISOString().slice(0, 10)

async function makeMerchant() {
  const merchantId = randomUUID()
  await storeOn(database.db).merchants.insert({ id: merchantId, name: 'shop' })
  return { merchantId, environment: 'live' } as const
}
type Owner = Awaited<ReturnType<typeof makeMerchant>>

/** Invoices of the last 60 days, paid within every time that is told apart, or expired. */
const insert = `insert into invoices (id, merchant_id, environment, status, source, deferred, base_currency, tolerance_bps,
    fee_bps, created_at, live_at, paid_at)
  select gen_random_uuid(), $1, 'live', case when n % 4 = 0 then 'expired' else 'paid' end, 'api', true, 'USD', 0, 0, at, at,
    at + (n % 3600) * interval '1 second'
  from generate_series(1, $2) n cross join lateral (select now() - (n % 60) * interval '1 day' as at) as created`

async function fold(): Promise<void> {
  while ((await dailyFiguresOn(database.db).fold()) > 0);
}

/** How many rows of which table the overview's statements about days read for 30 days and the 30 before. */
async function rowsOfOverview(owner: Owner): Promise<Record<string, number>> {
  return rowsRead(test.url, database.db, async (explained) => {
    const figures = dailyFiguresOn(explained)
    await figures.since(owner)
    await figures.fees(owner, today(), 60)
    await figures.invoices(owner, today(), 30, null)
    await dailySumsOn(explained).list(owner, today(), 60)
  })
}

it('the figures of 30 days read as many rows for 40,000 invoices as for 4,000, and none of the invoices', async () => {
  const owner = await makeMerchant()
  await query(test.url, insert, [owner.merchantId, 4_000])
  await fold()
  await query(test.url, 'analyze daily_invoices')
  const few = await rowsOfOverview(owner)
  await query(test.url, insert, [owner.merchantId, 36_000])
  await fold()
  await query(test.url, 'analyze daily_invoices')
  const many = await rowsOfOverview(owner)
  expect(Object.keys(many)).not.toContain('invoices')
  // A day has a row for each time to paid that is told apart, and one for each other outcome.
  expect(many.daily_invoices).toBeLessThanOrEqual(60 * 26)
  expect((many.daily_invoices as number) / (few.daily_invoices as number)).toBeLessThanOrEqual(1.25)
})

it('a time to paid is rounded up to the next bound, and nothing is too short or too long for one', async () => {
  const [row] = await query(
    test.url,
    `select array_agg(paid_within(waited * interval '1 second') order by waited) as bounds
     from unnest(array[-5, 0, 0.2, 15, 15.001, 16, 540, 541, 86400, 400000000]) as waited`,
    [],
  )
  expect(row?.bounds).toEqual([15, 15, 15, 15, 30, 30, 540, 600, 86_400, 316_224_000])
})

it('sums are exact while many connections create, change and fold at once', async () => {
  const owner = await makeMerchant()
  const one = `insert into invoices (id, merchant_id, environment, status, source, deferred, base_currency, tolerance_bps, fee_bps)
    select gen_random_uuid(), $1, 'live', 'pending', 'api', true, 'USD', 0, 0 from generate_series(1, 5)`
  const expire = `update invoices set status = 'expired' where id in
    (select id from invoices where merchant_id = $1 and status = 'pending' limit 2 for update skip locked)`
  const run = (text: string) => database.pool.query(text, [owner.merchantId])
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      await run(one)
      await run(expire)
      await dailyFiguresOn(database.db).fold()
    }),
  )
  const { outcomes } = await dailyFiguresOn(database.db).invoices(owner, today(), 1, null)
  const counted = await query(
    test.url,
    'select status, count(*)::integer as n from invoices where merchant_id = $1 group by 1 order by 1',
    [owner.merchantId],
  )
  expect(counted).toEqual([
    { status: 'expired', n: 40 },
    { status: 'pending', n: 60 },
  ])
  expect(outcomes.map(({ outcome, invoices }) => [outcome, invoices]).sort()).toEqual([
    ['expired', 40],
    ['open', 60],
  ])
})

it('what is older than the tables is not counted, however it changes later, and each merchant is told since when', async () => {
  const old = await makeMerchant()
  await query(test.url, insert, [old.merchantId, 1])
  // As the migration leaves what it finds.
  await query(test.url, 'update invoices set in_daily_invoices = false where merchant_id = $1', [
    old.merchantId,
  ])
  await query(test.url, 'delete from daily_invoices where merchant_id = $1', [old.merchantId])
  await query(test.url, 'insert into figures_starts (began_at) values (clock_timestamp())', [])
  await query(test.url, `update invoices set status = 'expired' where merchant_id = $1`, [old.merchantId])
  const figures = dailyFiguresOn(database.db)
  expect((await figures.invoices(old, today(), 1, null)).outcomes).toEqual([])
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10)
  expect(await figures.since(old)).toBe(tomorrow)
  expect(await figures.since(await makeMerchant())).toBeNull()
  await query(test.url, `insert into test_clocks (merchant_id, ahead) values ($1, interval '3 days')`, [
    old.merchantId,
  ])
  await query(
    test.url,
    `insert into test_clock_moves (id, merchant_id, moved_at, advanced, ahead, brought)
     values (gen_random_uuid(), $1, '2020-01-01', interval '3 days', interval '3 days', '{}')`,
    [old.merchantId],
  )
  const fourth = new Date(Date.now() + 4 * 24 * 3_600_000).toISOString().slice(0, 10)
  expect(await figures.since({ ...old, environment: 'test' })).toBe(fourth)
})
