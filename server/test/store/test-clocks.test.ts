import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { type Store, storeOn } from '../../src/store/store.ts'
import { rowNow } from '../../src/store/test-clocks.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

let test: TestDatabase
let database: Database
let store: Store
let merchantId: string
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 2)
  store = storeOn(database.db)
})
beforeEach(async () => {
  merchantId = randomUUID()
  await store.merchants.insert({ id: merchantId, name: 'Test shop' })
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const day = 24 * 3600
const owner = () => ({ merchantId, environment: 'test' }) as const

/** Moves the clock by so much, and returns the real time of the move. */
async function move(seconds: number): Promise<Date> {
  const { aheadSeconds, realNow } = await store.testClocks.lock(owner())
  await store.testClocks.move({
    ...owner(),
    id: randomUUID(),
    movedAt: realNow,
    advancedSeconds: seconds,
    aheadSeconds: aheadSeconds + seconds,
    brought: { invoices: 0, payouts: 0, deliveries: 0 },
    idempotencyKey: null,
    requestHash: null,
  })
  return realNow
}

it('a row is dated as merchant_now says, and a live one by the real time', async () => {
  await move(30 * day)
  const other = randomUUID()
  const rows = await sql<{ environment: string; ahead: number; same: boolean }>`
    select environment, round(extract(epoch from ${rowNow} - clock_timestamp()))::integer as ahead,
      abs(extract(epoch from ${rowNow} - merchant_now(merchant_id, environment))) < 1 as same
    from (values (${merchantId}::uuid, 'test'), (${merchantId}::uuid, 'live'), (${other}::uuid, 'test'))
      as given (merchant_id, environment)`.rows(database.db)
  expect(rows).toEqual([
    { environment: 'test', ahead: 30 * day, same: true },
    { environment: 'live', ahead: 0, same: true },
    { environment: 'test', ahead: 0, same: true },
  ])
})

it('webhooks that a move makes due are due now, and not before those of others that waited longer', async () => {
  const endpointId = randomUUID()
  await query(
    test.url,
    `insert into webhook_endpoints (id, merchant_id, environment, url, secret) values ($1, $2, 'test', 'https://a.example', '\\x00')`,
    [endpointId, merchantId],
  )
  await store.events.append({
    ...owner(),
    id: randomUUID(),
    event: 'invoice.paid',
    data: {},
    resourceId: null,
  })
  await query(
    test.url,
    `update webhook_deliveries set due_at = clock_timestamp() + interval '1 hour' where endpoint_id = $1`,
    [endpointId],
  )
  const [before] = await query(test.url, 'select clock_timestamp() as now')
  expect(await store.testClocks.ageWebhooks(owner(), 366 * day)).toBe(1)
  const due = await query(
    test.url,
    `select due_at between $2 and clock_timestamp() as now from webhook_deliveries where endpoint_id = $1`,
    [endpointId, before?.now],
  )
  expect(due).toEqual([{ now: true }])
  expect((await store.agenda.read(1_000)).deliveries).toBeLessThanOrEqual(0)
})

it('a move after the database’s clock was set back does not hide behind the one before it', async () => {
  await move(day)
  // The clock was ten minutes ahead then.
  const later = new Date(Date.now() + 600_000)
  await query(
    test.url,
    `insert into test_clock_moves (id, merchant_id, moved_at, advanced, ahead, brought)
     values (gen_random_uuid(), $1, $2, interval '1 day', interval '2 days', '{}')`,
    [merchantId, later],
  )
  await query(test.url, `update test_clocks set ahead = interval '2 days' where merchant_id = $1`, [
    merchantId,
  ])
  expect(await move(day)).toEqual(later)
  const [shown] = await query(
    test.url,
    `select extract(epoch from merchant_time($1, 'test', $2) - $2)::integer as ahead`,
    [merchantId, later],
  )
  expect(shown).toEqual({ ahead: 3 * day })
})

it('an address counts as given out again only if it was paid before it was given out, by the same clock', async () => {
  await move(30 * day)
  const address = await store.staticAddresses.insert({
    ...owner(),
    id: randomUUID(),
    currency: 'BTC',
    network: 'bitcoin',
    gateId: 'bitcoin-test',
    keychain: 'rescanned',
    depositPosition: 7n,
    address: 'somewhere',
    addressTag: null,
    addressProof: null,
    label: null,
  })
  expect(address.createdAt.getTime() - Date.now()).toBeGreaterThan(29 * day * 1000)
  await query(
    test.url,
    `insert into followed_chains (gate_id, chain, height, hash) values ('bitcoin-test', 'simulated', 1, 'a')`,
  )
  await query(
    test.url,
    `insert into rescans (gate_id, from_height, next_height, gap) values ('bitcoin-test', 0, 0, 5)`,
  )
  const find = (minedAt: string) =>
    query(
      test.url,
      `insert into rescan_outputs (gate_id, tx_hash, output_index, chain, position, address, units, least_confirmations,
         block_height, block_hash, mined_at)
       values ('bitcoin-test', $1, 0, 'deposit', 7, 'somewhere', 1, 0, 1, 'a', clock_timestamp() + $1::text::interval)`,
      [minedAt],
    )
  await find('1 second')
  expect(await store.rescans.countGivenAgain('bitcoin-test', 'rescanned')).toBe(0)
  await find('-1 hour')
  expect(await store.rescans.countGivenAgain('bitcoin-test', 'rescanned')).toBe(1)
})
