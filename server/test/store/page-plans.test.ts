import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller } from '../../src/domain/caller.ts'
import type { Database } from '../../src/store/database.ts'
import { notNarrowed } from '../../src/store/reports/list-page.ts'
import { sql } from '../../src/store/sql.ts'
import { storeOn } from '../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'
import { rowsRead } from '../support/database/rows-read.ts'

const many = 20_000
const deposits = 1_000
const endpointId = randomUUID()
const addressId = randomUUID()
const merchantId = randomUUID()
const otherId = randomUUID()
const caller = { merchantId, environment: 'test' } as Caller

let test: TestDatabase
let one: Database
beforeAll(async () => {
  test = await createTestDatabase()
  one = openTestDatabase(test.url, 1)
  for (const id of [merchantId, otherId]) await storeOn(one.db).merchants.insert({ id, name: 'shop' })
  const fill = (text: string, values: unknown[] = [merchantId]) => query(test.url, text, values)
  await fill(
    `insert into webhook_endpoints (id, merchant_id, environment, url, secret) values ($2, $1, 'test', 'https://a.example', '\\x00')`,
    [merchantId, endpointId],
  )
  // Each in a transaction of an era that has ended, so that its number can be made up.
  await fill(
    `insert into events (id, merchant_id, environment, event, data, era, xid)
     select gen_random_uuid(), case when n % 10 = 0 then $2::uuid else $1 end, 'test', (array['invoice.confirming', 'invoice.paid'])[1 + n % 2], '{}', 0, n::text::xid8
     from generate_series(1, ${many}) n order by n`,
    [merchantId, otherId],
  )
  await fill(
    `update webhook_deliveries set due_at = null,
       status = case when event_id in (select id from events where position % 100 = 0) then 'failed' else 'succeeded' end`,
    [],
  )
  await fill(
    `insert into audit_entries (chain, seq, at, actor, actor_name, action, details, previous_hash, hash)
     select $1, n, now(), 'user:1', 'Ann', 'key.created', '{}', sha256('a'), sha256('b')
     from generate_series(1, ${many}) n`,
  )
  await fill(
    `insert into invoices (id, merchant_id, environment, status, source, deferred, base_currency, tolerance_bps, fee_bps)
     select gen_random_uuid(), $1, 'test', 'pending', 'api', true, 'USD', 0, 0 from generate_series(1, ${many})`,
  )
  await fill(
    `insert into static_addresses (id, merchant_id, environment, currency, network, gate_id, keychain, deposit_position, address)
     values ($2, $1, 'test', 'BTC', 'bitcoin', 'bitcoin-test', 'a keychain', 1, 'an address')`,
    [merchantId, addressId],
  )
  await fill(
    `update invoices set static_address_id = $1, source = 'static_address' where position % ${many / deposits} = 0`,
    [addressId],
  )
  await fill('vacuum analyze', [])
  // As in the service: PostgreSQL decides.
  await sql`set plan_cache_mode = auto`.run(one.db)
})
afterAll(async () => {
  await one.close()
  await test.drop()
})

/** How many entries of the indexes of a merchant's events were read. */
async function eventsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.run(one.db)
  const { n } = await sql<{ n: bigint }>`
    select coalesce(sum(idx_tup_read), 0)::bigint as n from pg_stat_user_indexes
    where relname = 'events' and indexrelname <> 'events_pkey'`.one(one.db)
  return Number(n)
}

it('a reader who follows one kind of event reads no other, wherever it goes on', async () => {
  const { events, eventFeed } = storeOn(one.db)
  const before = await eventsRead()
  const filter = { createdAfter: null, resourceId: null, limit: 100 }
  for (const place of [0n, BigInt(many / 2), BigInt(many)]) {
    const after = { era: 0, xid: place, place }
    const none = await events.listAfter(caller, { ...filter, event: 'payout.failed', after })
    expect(none).toMatchObject({ rows: [], hasMore: false })
    const some = await events.listAfter(caller, { ...filter, event: 'invoice.paid', after })
    expect(some.rows).toHaveLength(place === BigInt(many) ? 0 : 100)
    expect(some.rows.every(({ position }) => position.xid > place)).toBe(true)
    const fed = await eventFeed.read(caller, { after, events: ['invoice.paid'], limit: 100 })
    expect(fed.events).toEqual(some.rows)
  }
  expect((await eventsRead()) - before).toBeLessThan(2_000)
})

const page = { limit: 20, offset: 0 }
const anyEvent = { event: null, createdAfter: null, resourceId: null }
const anyAct = { actor: null, action: null, from: null, to: null }
it.each<[string, () => Promise<unknown>]>([
  [
    'invoices deep in a list',
    () =>
      storeOn(one.db).invoices.list(caller, { status: 'pending', currency: null, limit: 20, offset: 1_500 }),
  ],
  ['the audit log', () => storeOn(one.db).auditLog.list(merchantId, { ...anyAct, ...page })],
  ['all deliveries', () => storeOn(one.db).endpointDeliveries.list(endpointId, { status: null, ...page })],
  [
    'failed deliveries',
    () => storeOn(one.db).endpointDeliveries.list(endpointId, { status: 'failed', ...page }),
  ],
  [
    'pending deliveries',
    () => storeOn(one.db).endpointDeliveries.list(endpointId, { status: 'pending', ...page }),
  ],
  [
    'events after a position',
    () =>
      storeOn(one.db).events.listAfter(caller, {
        ...anyEvent,
        after: { era: 0, xid: 5n, place: 5n },
        limit: 20,
      }),
  ],
])('%s: the statements are planned once, not for every page', async (_, ask) => {
  // Where nothing is prepared yet.
  await one.close()
  one = openTestDatabase(test.url, 1)
  await sql`set plan_cache_mode = auto`.run(one.db)
  // PostgreSQL plans the first five for their values.
  for (let round = 0; round < 10; round++) await ask()
  const planned = await sql<{ statement: string; custom: number }>`
    select statement, custom_plans::integer as custom from pg_prepared_statements
    where statement not like '%pg_prepared_statements%'`.rows(one.db)
  expect(planned.length).toBeGreaterThan(0)
  expect(planned.filter(({ custom }) => custom > 5)).toEqual([])
})

it('a span of days of an address reads its deposits, and no other invoice', async () => {
  const narrowing = { ...notNarrowed, createdAfter: new Date(0), createdBefore: new Date(1) }
  const read = await rowsRead(test.url, one.db, (db) =>
    storeOn(db).invoices.listOfAddress(caller, addressId, { ...page, narrowing }),
  )
  // For the page, for the total, and for the end of the look.
  expect(read.invoices).toBeLessThanOrEqual(3 * deposits)
  const exported = await rowsRead(test.url, one.db, (db) =>
    storeOn(db).invoices.exportPageOfAddress(caller, addressId, narrowing, null, 1_000),
  )
  expect(exported.invoices).toBeLessThanOrEqual(deposits)
})
