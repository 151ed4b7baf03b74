import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { createKey } from '../../server/src/app/keys/create-key.ts'
import { createMerchant } from '../../server/src/app/merchants/create-merchant.ts'
import { permissions } from '../../server/src/domain/permissions.ts'
import { storeOn } from '../../server/src/store/store.ts'
import { openTestDatabase } from '../../server/test/support/database/open-database.ts'
import { withDatabase } from '../service.ts'

const chunk = 100_000

export type Shop = { readonly merchantId: string; readonly key: string }

/** A merchant with this many invoices, events and ledger entries. */
export async function makeShop(databaseUrl: string, rows: number, eventData: object): Promise<Shop> {
  const database = openTestDatabase(databaseUrl, 1)
  const app = { store: storeOn(database.db), now: () => new Date(), random: randomBytes }
  const { merchantId } = await createMerchant(app, { name: `Shop of ${rows}` })
  const { key } = await createKey(app, { merchantId, environment: 'test', name: 'bench', permissions })
  await database.close()
  await withDatabase(asSuperuser(databaseUrl), async (client) => {
    // With triggers, a million rows would take many minutes; the triggers' totals are written at the end.
    await client.query("set session_replication_role = 'replica'")
    for (let from = 1; from <= rows; from += chunk) {
      const span = [merchantId, from, Math.min(from + chunk - 1, rows)]
      await client.query(invoices, span)
      await client.query(events, [...span, JSON.stringify(eventData)])
      await client.query(entries, span)
    }
    await countAll(client, merchantId)
  })
  return { merchantId, key }
}

/** What autovacuum would have done to tables that have existed for a while. */
export async function settle(databaseUrl: string): Promise<void> {
  await withDatabase(asSuperuser(databaseUrl), async (client) => {
    for (const table of ['invoices', 'events', 'ledger_entries', 'list_counts'])
      await client.query(`vacuum analyze ${table}`)
    await client.query('checkpoint')
  })
}

/** The superuser of a server whose password is shared, as that of `startService` is. */
export function asSuperuser(databaseUrl: string): string {
  return databaseUrl.replace('://sluice:', '://postgres:')
}

// Ids increase with time, as the service's own do.
const rising = "(lpad(to_hex(nth), 8, '0') || right($1::text, 28))::uuid"

/** Inserts invoices $2 to $3 of merchant $1. */
export const invoices = `
  insert into invoices (id, merchant_id, environment, status, source, deferred, currency, network, gate_id, decimals,
    amount_units, required_confirmations, keychain, deposit_position, deposit_address, base_currency, tolerance_bps,
    fee_bps, description, external_id, metadata, link, idempotency_key, request_hash, live_at)
  select ${rising}, $1::uuid, 'test',
    (array['paid', 'paid', 'paid', 'expired', 'pending', 'cancelled', 'underpaid', 'overpaid'])[1 + nth % 8], 'api', false,
    asset.currency, asset.network, asset.network || '-test', 8, 150000, 2, 'bench ' || $1, nth,
    'tb1q' || md5(nth::text), 'USD', 0, 0, 'Order ' || nth, 'order-' || nth,
    '{"customer": "c-1234", "basket": 3}', lpad(nth::text, 10, '0') || $1, 'key-' || lpad(nth::text, 10, '0'), sha256(nth::text::bytea), clock_timestamp()
  from generate_series($2::integer, $3::integer) as nth
  cross join lateral (select
    case when nth % 1000 = 0 then 'LTC' when nth % 3 = 0 then 'ETH' else 'BTC' end as currency,
    case when nth % 1000 = 0 then 'litecoin' when nth % 3 = 0 then 'ethereum' else 'bitcoin' end as network) as asset
  order by nth`

const events = `
  insert into events (id, merchant_id, environment, event, data)
  select ${rising}, $1::uuid, 'test',
    (array['invoice.confirming', 'invoice.payment_detected', 'balance.credited', 'invoice.paid'])[1 + nth % 4], $4::jsonb
  from generate_series($2::integer, $3::integer) as nth order by nth`

const entries = `
  insert into ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals,
    entry_type, units, balance_after, balance_decimals, reference_type, reference_id)
  select $1::uuid, 'test', 'BTC', nth, ${rising}, 1, 'bitcoin', 8,
    case when nth % 10 = 0 then 'fee' else 'deposit' end, 150000, 150000 * nth::numeric, 8, 'invoice', ${rising}
  from generate_series($2::integer, $3::integer) as nth order by nth`

async function countAll(client: pg.Client, merchantId: string): Promise<void> {
  await client.query(
    `insert into list_counts (list, merchant_id, environment, facet, currency, bucket, difference)
     select 'invoices', merchant_id, environment, status, currency, position >> 15, count(*)
       from invoices where merchant_id = $1 group by 2, 3, 4, 5, 6
     union all
     select 'events', merchant_id, environment, event, '', position >> 15, count(*)
       from events where merchant_id = $1 group by 2, 3, 4, 6
     union all
     select 'ledger_entries', merchant_id, environment, entry_type, currency, number >> 15, count(*)
       from ledger_entries where merchant_id = $1 group by 2, 3, 4, 5, 6`,
    [merchantId],
  )
}
