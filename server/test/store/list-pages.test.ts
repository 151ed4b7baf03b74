import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMerchant } from '../../src/app/merchants/create-merchant.ts'
import type { Caller } from '../../src/domain/caller.ts'
import type { Page } from '../../src/domain/page.ts'
import type { Database } from '../../src/store/database.ts'
import { type Store, storeOn } from '../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

// Kept counts cover ranges of 2^15 positions; the rows are on both sides of such a border.
const border = 2 ** 15
const rows = 24

let test: TestDatabase
let database: Database
let store: Store
let caller: Caller

beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 2)
  store = storeOn(database.db)
  const { merchantId } = await createMerchant({ store, now: () => new Date() }, { name: 'Lists' })
  caller = { merchantId, environment: 'test' } as Caller
})

afterAll(async () => {
  await database.close()
  await test.drop()
})

async function everyPage<Row>(read: (page: { limit: number; offset: number }) => Promise<Page<Row>>) {
  const all = await read({ limit: 100, offset: 0 })
  const limit = 7
  for (let offset = 0; offset <= rows + 2; offset++) {
    const page = await read({ limit, offset })
    expect(page).toMatchObject({ rows: all.rows.slice(offset, offset + limit), total: all.total })
  }
  return all
}

const every = { event: null, createdAfter: null, resourceId: null }

describe('a list whose rows span several ranges of positions', () => {
  it('pages events in order, with and without a filter, with the exact total', async () => {
    await query(test.url, `alter table events alter column position restart with ${border - rows / 2}`)
    const names = Array.from({ length: rows }, (_, nth) =>
      nth % 3 === 0 ? 'invoice.paid' : 'invoice.expired',
    )
    for (const [nth, event] of names.entries())
      await store.events.append({
        id: randomUUID(),
        merchantId: caller.merchantId,
        environment: 'test',
        event,
        data: { nth },
        resourceId: null,
      })
    const all = await everyPage((page) => store.events.list(caller, { ...every, ...page }))
    expect(all.rows.map(({ data }) => data.nth)).toEqual(names.map((_, nth) => rows - 1 - nth))
    const paid = await everyPage((page) =>
      store.events.list(caller, { ...every, event: 'invoice.paid', ...page }),
    )
    expect(paid.total).toBe(rows / 3)
    expect(paid.rows).toEqual(all.rows.filter(({ event }) => event === 'invoice.paid'))
  })

  it('pages invoices in order, even after their status changed and counts were folded', async () => {
    await query(test.url, `alter table invoices alter column position restart with ${2 * border - rows / 2}`)
    await query(
      test.url,
      `insert into invoices (id, merchant_id, environment, status, source, deferred, currency, network, gate_id,
         decimals, amount_units, required_confirmations, deposit_address, live_at, base_currency, tolerance_bps, fee_bps,
         external_id)
       select gen_random_uuid(), $1, 'test', 'pending', 'api', false, case when nth % 2 = 0 then 'BTC' else 'LTC' end,
         'bitcoin', 'bitcoin-test', 8, 1000, 2, $2, clock_timestamp(), 'USD', 0, 0, nth
       from generate_series(1, ${rows}) as nth order by nth`,
      [caller.merchantId, randomBytes(8).toString('hex')],
    )
    await query(test.url, `update invoices set status = 'paid' where external_id::integer % 4 = 0`)
    for (let round = 1; round <= 2; round++) {
      const list = (status: string | null, currency: string | null) =>
        everyPage((page) => store.invoices.list(caller, { status, currency, ...page }))
      const all = await list(null, null)
      expect(all.rows.map(({ externalId }) => Number(externalId))).toEqual(
        Array.from({ length: rows }, (_, nth) => rows - nth),
      )
      for (const status of [null, 'pending', 'paid', 'expired']) {
        for (const currency of [null, 'BTC', 'LTC', 'ETH']) {
          const some = await list(status, currency)
          const expected = all.rows.filter(
            (invoice) =>
              (status === null || invoice.status === status) &&
              (currency === null || invoice.asset?.currency === currency),
          )
          expect(some).toMatchObject({ rows: expected, total: expected.length })
        }
      }
      await store.counts.fold()
    }
  })

  it('pages static addresses without a gap, also deep in a list', async () => {
    const many = 2_300
    await query(
      test.url,
      `alter table static_addresses alter column position restart with ${4 * border - many / 2}`,
    )
    await query(
      test.url,
      `insert into static_addresses (id, merchant_id, environment, currency, network, gate_id, keychain, deposit_position,
         address, label)
       select gen_random_uuid(), $1, 'test', 'BTC', 'bitcoin', 'bitcoin-test', 'a keychain', nth, 'address ' || nth, nth
       from generate_series(1, ${many}) as nth order by nth`,
      [caller.merchantId],
    )
    for (const offset of [0, 2_050, 2_150, 2_250]) {
      const page = await store.staticAddresses.list(caller, { currency: null, limit: 100, offset })
      const expected = Array.from({ length: Math.min(100, many - offset) }, (_, nth) => many - offset - nth)
      expect(page).toMatchObject({ total: many })
      expect(page.rows.map(({ label }) => Number(label))).toEqual(expected)
    }
  })
})
