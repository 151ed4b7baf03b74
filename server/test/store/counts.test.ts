import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { storeOn } from '../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 16)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const store = () => storeOn(database.db)

async function makeMerchant() {
  const merchantId = randomUUID()
  await store().merchants.insert({ id: merchantId, name: 'shop' })
  return { merchantId, environment: 'test' } as const
}
type Owner = Awaited<ReturnType<typeof makeMerchant>>

const insert = `insert into invoices (id, merchant_id, environment, status, source, deferred, base_currency,
  tolerance_bps, fee_bps) select gen_random_uuid(), $1, 'test', 'pending', 'api', true, 'USD', 0, 0
  from generate_series(1, $2)`

/** Runs a statement on a pooled connection, so that many can run at once. */
const run = (text: string, values: unknown[]) => database.pool.query(text, values)

const kept = async (owner: Owner, status: string | null) =>
  (await store().invoices.list(owner, { status, currency: null, limit: 1, offset: 0 })).total
async function counted(owner: Owner, status: string | null): Promise<number> {
  const [row] = await query<{ count: string }>(
    test.url,
    'select count(*) from invoices where merchant_id = $1 and ($2::text is null or status = $2)',
    [owner.merchantId, status],
  )
  return Number(row?.count)
}

async function expectExact(owner: Owner): Promise<void> {
  for (const status of [null, 'pending', 'paid', 'expired'])
    expect([status, await kept(owner, status)]).toEqual([status, await counted(owner, status)])
}

it('totals are exact at every moment while many connections create, change and fold at once', async () => {
  const owner = await makeMerchant()
  const looks: boolean[] = []
  let isOver = false
  // A page's total and its rows always come from one snapshot.
  const looking = (async () => {
    while (!isOver) {
      const { rows, total } = await store().invoices.list(owner, {
        status: null,
        currency: null,
        limit: 10_000,
        offset: 0,
      })
      looks.push(rows.length === total)
    }
  })()
  await Promise.all(
    Array.from({ length: 8 }, async (_, worker) => {
      for (let n = 0; n < 10; n++) {
        await run(insert, [owner.merchantId, 1 + (n % 3)])
        await run(
          `update invoices set status = $2 where id in (
             select id from invoices where merchant_id = $1 and status = 'pending' limit 2 for update skip locked)`,
          [owner.merchantId, worker % 2 === 0 ? 'paid' : 'expired'],
        )
        if (n % 3 === 0) await store().counts.fold()
      }
    }),
  )
  isOver = true
  await looking
  expect(looks.length).toBeGreaterThan(0)
  expect(looks.every(Boolean)).toBe(true)
  await expectExact(owner)
  while ((await store().counts.fold()) > 0);
  await expectExact(owner)
})

it('a rolled-back transaction counts for nothing', async () => {
  const owner = await makeMerchant()
  await run(insert, [owner.merchantId, 3])
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query(insert, [owner.merchantId, 5])
    await client.query(`update invoices set status = 'paid' where merchant_id = $1`, [owner.merchantId])
    // Folding meanwhile must not include rows that may be rolled back.
    await store().counts.fold()
    await client.query('rollback')
  } finally {
    client.release()
  }
  await store().counts.fold()
  expect(await kept(owner, null)).toBe(3)
  await expectExact(owner)
})

it('many concurrent folds lose nothing and leave one row per count, and none to fold', async () => {
  const owner = await makeMerchant()
  for (let n = 0; n < 40; n++) await run(insert, [owner.merchantId, 1])
  await Promise.all(Array.from({ length: 8 }, () => store().counts.fold()))
  await expectExact(owner)
  while ((await store().counts.fold()) > 0);
  for (const table of ['list_totals', 'list_buckets'])
    expect(
      await query(test.url, `select total from ${table} where merchant_id = $1`, [owner.merchantId]),
    ).toEqual([{ total: '40' }])
  expect(await query(test.url, 'select from list_counts where merchant_id = $1', [owner.merchantId])).toEqual(
    [],
  )
  expect(await store().counts.fold()).toBe(0)
})

it('a page far down the list begins at the same row before and after folding', async () => {
  const owner = await makeMerchant()
  await run(insert, [owner.merchantId, 2_500])
  const deep = async () => {
    const asked = { status: null, currency: null, limit: 3, offset: 2_400 }
    return (await store().invoices.list(owner, asked)).rows.map(({ id }) => id)
  }
  const expected = await query<{ id: string }>(
    test.url,
    'select id from invoices where merchant_id = $1 order by position desc offset 2400 limit 3',
    [owner.merchantId],
  )
  expect(await deep()).toEqual(expected.map(({ id }) => id))
  while ((await store().counts.fold()) > 0);
  expect(await deep()).toEqual(expected.map(({ id }) => id))
})

it('an update that changes no count appends nothing', async () => {
  const owner = await makeMerchant()
  await run(insert, [owner.merchantId, 5])
  const rows = async () =>
    (await query(test.url, 'select from list_counts where merchant_id = $1', [owner.merchantId])).length
  const before = await rows()
  await run('update invoices set updated_at = clock_timestamp() where merchant_id = $1', [owner.merchantId])
  expect(await rows()).toBe(before)
})

it('one merchant’s counts do not affect another’s', async () => {
  const [one, other] = [await makeMerchant(), await makeMerchant()]
  await run(insert, [one.merchantId, 2])
  await run(insert, [other.merchantId, 7])
  await store().counts.fold()
  expect([await kept(one, null), await kept(other, null)]).toEqual([2, 7])
  expect(await kept({ ...one, environment: 'live' as 'test' }, null)).toBe(0)
})
