import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createMerchant } from '../../src/app/merchants/create-merchant.ts'
import { openSession, sessionTypes } from '../../src/store/database.ts'
import type { SearchHit } from '../../src/store/reports/search.ts'
import { type Store, storeOn } from '../../src/store/store.ts'
import {
  asSuperuser,
  createTestDatabase,
  onDatabase,
  query,
  type TestDatabase,
} from '../support/database/database.ts'

const rows = 20_000
const environment = 'test' as const

let test: TestDatabase
let client: pg.Client
let store: Store
let merchantId: string
let statements: { text: string; values: unknown[] }[] = []
beforeAll(async () => {
  test = await createTestDatabase()
  client = new pg.Client({ connectionString: test.url, types: sessionTypes as never })
  await client.connect()
  const send = client.query.bind(client)
  client.query = ((statement: { text: string; values: unknown[] }, ...rest: never[]) => {
    if (typeof statement === 'object') statements.push(statement)
    return send(statement as never, ...rest)
  }) as never
  store = storeOn(openSession(client))
  merchantId = (await createMerchant({ store, now: () => new Date() }, { name: 'Large' })).merchantId
  await fill()
})
afterAll(async () => {
  await client.end()
  await test.drop()
})

const id = (prefix: string) =>
  `(lpad('${prefix}', 8, '0') || '-0000-7000-8000-' || lpad(to_hex(nth), 12, '0'))::uuid`

async function fill(): Promise<void> {
  const superuser = onDatabase(
    asSuperuser(inject('postgresUrl')),
    test.url.slice(test.url.lastIndexOf('/') + 1),
  )
  const each = `from generate_series(1, ${rows}) as nth`
  const inserts = [
    `insert into invoices (id, merchant_id, environment, status, source, deferred, currency, network, gate_id, decimals,
       amount_units, required_confirmations, keychain, deposit_position, deposit_address, base_currency, tolerance_bps,
       fee_bps, external_id, idempotency_key, request_hash, live_at, description, metadata)
     select ${id('1')}, '${merchantId}', 'test', 'pending', 'api', false, 'BTC', 'bitcoin', 'bitcoin-test', 8, 1000, 2,
       'bitcoin-test', nth, 'address' || nth, 'USD', 0, 0, 'order-' || nth, 'key-' || nth, sha256('x'), now(), 'Mug ' || nth,
       jsonb_build_object('customer_email', 'grace' || nth || '@example.com') ${each}`,
    `insert into deposit_addresses (keychain, position, address)
     select 'bitcoin-test', nth, 'address' || nth from generate_series(1, ${2 * rows}) as nth`,
    `insert into static_addresses (id, merchant_id, environment, currency, network, gate_id, keychain, deposit_position,
       address, label)
     select ${id('2')}, '${merchantId}', 'test', 'BTC', 'bitcoin', 'bitcoin-test', 'bitcoin-test', ${rows} + nth,
       'address' || (${rows} + nth), 'Label ' || nth ${each}`,
    `insert into payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address,
       invoice_id, required_confirmations, seen_at, waiting)
     select ${id('3')}, 'bitcoin-test', 'in' || nth, 0, 'test', 'BTC', 'bitcoin', 8, 1000, 'address' || nth, ${id('1')}, 2,
       now(), true ${each}`,
    `insert into payouts (id, merchant_id, environment, status, currency, network, gate_id, decimals, amount_units,
       fee_units, network_fee_units, base_currency, destination, created_by, spend_id, refund_id, idempotency_key, request_hash)
     select ${id('4')}, '${merchantId}', 'test', 'processing', 'BTC', 'bitcoin', 'bitcoin-test', 8, 1000, 0, 0, 'USD',
       'destination' || nth, 'key:x', ${id('6')}, case when nth % 2 = 0 then ${id('5')} end, 'pay-' || nth, sha256('x') ${each}`,
    `insert into refunds (id, merchant_id, environment, invoice_id, payout_id, amount_units, idempotency_key, request_hash)
     select ${id('5')}, '${merchantId}', 'test', ${id('1')}, ${id('4')}, 1000, 'back-' || nth, sha256('x') ${each}`,
    `insert into spend_transactions (spend_id, attempt, plan, max_fee_units, bytes, tx_hash, signed_at)
     select ${id('6')}, 1, '{}', 1, '\\x00', 'out' || nth, now() ${each}`,
    `insert into invoice_choices (invoice_id, currency, network, gate_id, decimals, amount_units, required_confirmations, keychain,
       deposit_position, deposit_address, exchange_rate, rate_locked_at, live_at)
     select ${id('1')}, 'LTC', 'litecoin', 'litecoin-test', 8, 1000, 1, 'litecoin-test', nth, 'earlier' || nth, 1, now(), now() ${each}`,
    `insert into events (id, merchant_id, environment, event, data)
     select ${id('7')}, '${merchantId}', 'test', 'invoice.paid', '{}' ${each}`,
  ]
  const past = "set session_replication_role = 'replica'"
  for (const insert of inserts) await query(superuser, `${past}; ${insert}`)
  await query(superuser, 'analyze')
}

const uuid = (prefix: string, nth: number) =>
  `${prefix.padStart(8, '0')}-0000-7000-8000-${nth.toString(16).padStart(12, '0')}`

const owner = () => ({ merchantId, environment })
const searches: [string, () => Promise<SearchHit[]>, string, number][] = [
  ['an invoice’s id', () => store.search.byId(owner(), uuid('1', 7)), 'invoice', 1],
  ['an event’s id', () => store.search.byId(owner(), uuid('7', 7)), 'event', 1],
  ['a refund’s id', () => store.search.byId(owner(), uuid('5', 8)), 'refund', 1],
  ['an external id', () => store.search.byExternalId(owner(), 'order-19999'), 'invoice', 1],
  ['the beginning of external ids', () => store.search.byExternalId(owner(), 'order-2'), 'invoice', 20],
  ['a payout’s key', () => store.search.byIdempotencyKey(owner(), 'pay-7'), 'payout', 1],
  ['the beginning of labels', () => store.search.byLabel(owner(), 'LABEL 77'), 'static_address', 20],
  [
    'an invoice’s address',
    () => store.search.byAddress(owner(), [{ keychain: 'bitcoin-test', address: 'address7', tag: '' }]),
    'invoice',
    1,
  ],
  [
    'a static address',
    () =>
      store.search.byAddress(owner(), [{ keychain: 'bitcoin-test', address: `address${rows + 7}`, tag: '' }]),
    'static_address',
    1,
  ],
  ['a destination', () => store.search.byDestination(owner(), 'destination19999', ['x']), 'payout', 1],
  [
    'an invoice’s transaction',
    () => store.search.byTransaction(owner(), ['bitcoin-test'], ['in7']),
    'invoice',
    1,
  ],
  [
    'a payout’s transaction',
    () => store.search.byTransaction(owner(), ['bitcoin-test'], ['out7']),
    'payout',
    1,
  ],
  ['the beginning of an id', () => store.search.byIdStart(owner(), '0000000100007'), 'invoice', 20],
  [
    'the beginning of a deposit address',
    () => store.search.byAddressStart(owner(), ['bitcoin-test'], 'address1999'),
    'invoice',
    11,
  ],
  [
    'the beginning of a payment’s hash',
    () => store.search.byTransactionStart(owner(), ['bitcoin-test'], ['in1999']),
    'invoice',
    11,
  ],
  [
    'the beginning of a payout’s hash',
    () => store.search.byTransactionStart(owner(), ['bitcoin-test'], ['out1999']),
    'payout',
    11,
  ],
  ['a customer’s e-mail', () => store.search.byText(owner(), 'GRACE19999@', { isPart: false }), 'invoice', 1],
  // Invoice 1999 is not among the newest.
  ['a description', () => store.search.byText(owner(), 'ug 1999', { isPart: false }), 'invoice', 10],
  [
    'the end of a destination',
    () => store.search.byText(owner(), 'tion19999', { isPart: true }),
    'payout',
    1,
  ],
]

describe(`among ${rows} rows per table no search needs a sequential scan`, () => {
  it.each(searches)('%s', async (_, search, type, count) => {
    statements = []
    const hits = await search()
    expect([hits.length, hits[0]?.type]).toEqual([count, type])
    expect(statements).toHaveLength(1)
    for (const { text, values } of [...statements]) {
      const { rows: plan } = await client.query<{ 'QUERY PLAN': string }>({ text: `explain ${text}`, values })
      const lines = plan.map((line) => line['QUERY PLAN'])
      expect(lines.join('\n')).not.toContain('Seq Scan')
      expect(lines.join('\n')).toMatch(/Index (Only )?Scan|Bitmap Index Scan/)
    }
  })
})
