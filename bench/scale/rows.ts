/**
 * The statements that fill a database. The invoices are laid out in the table `laid` first; each table is then filled from it,
 * a range of invoices at a time, so that its rows lie in the order in which a service writes them.
 */

export const gateIds = ['bitcoin-test', 'ethereum-test', 'litecoin-test'] as const

// Above all blocks of the filled payments.
export const height = 2_000_000

// UUIDv7 of the row's time, as the service's own; the last two digits tell the kinds apart.
const id = (kind: string) =>
  `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(nth), 13, '0') || '${kind}')::uuid`

export const chains = `
  insert into followed_chains (gate_id, chain, began_height, height, hash)
  select gate, 'simulated', 0, ${height}, md5(gate) from unnest(array['${gateIds.join("', '")}']) as gate
  on conflict (gate_id) do update set height = excluded.height, hash = excluded.hash`

/** Fills the table of merchants from the ids in $1. */
export const merchants =
  'insert into laid_merchant select id::uuid, nth - 1 from unnest($1::text[]) with ordinality as m (id, nth)'

const scratchTables = 'laid, laid_merchant, laid_asset'

/** Tables that the statements below read. */
export const scratch = `
  drop table if exists ${scratchTables};
  create unlogged table laid_merchant (id uuid, number integer);
  create unlogged table laid_asset
    (number integer, currency text, network text, gate text, keychain text, decimals integer);
  insert into laid_asset values
    (0, 'BTC', 'bitcoin', 'bitcoin-test', 'bitcoin-test', 8), (1, 'ETH', 'ethereum', 'ethereum-test', 'evm-test', 18),
    (2, 'LTC', 'litecoin', 'litecoin-test', 'litecoin-test', 8);
  create unlogged table laid (nth bigint primary key, merchant_id uuid, asset integer, currency text, network text, gate text,
    keychain text, decimals integer, status text, at timestamptz, is_paid boolean, number bigint, account bigint, chain bigint,
    endpoint uuid);`

export const dropScratch = `drop table ${scratchTables}`

/** What every merchant has once. */
export const accounts = `
  insert into webhook_endpoints (id, merchant_id, environment, url, secret)
    select gen_random_uuid(), id, 'test', 'https://example.com/hook', '\\x00' from laid_merchant;
  insert into ledger_accounts (kind, merchant_id, environment, network, currency, decimals)
    select 'available', merchant.id, 'test', network, currency, decimals from laid_merchant as merchant, laid_asset as asset
    union all select 'chain', null, 'test', network, currency, decimals from laid_asset;
  insert into ledger_numbers (merchant_id, environment, currency) select merchant.id, 'test', currency from laid_merchant as merchant, laid_asset as asset;`

/** Lays out invoices $1 to $2 of $3, the newest $4 of them open: spread evenly over five years. */
export const layOut = `
  with invoice as materialized (
    select nth, case when nth % 10 = 0 then 1 + (nth / 10) % 9 else 0 end as merchant,
      case when nth % 10 < 6 then 0 when nth % 10 < 9 then 1 else 2 end as asset,
      case when nth > $3::bigint - $4::bigint then 'pending' else
        (array['paid', 'paid', 'paid', 'paid', 'paid', 'expired', 'expired', 'cancelled', 'underpaid', 'overpaid'])
          [1 + (nth / 10 + nth) % 10] end as status,
      now() - interval '1 hour' - greatest($3::bigint - $4::bigint - nth, 0) * (interval '5 years' / $3::bigint) as at
    from generate_series($1::bigint, $2::bigint) as nth
  )
  insert into laid
  select nth, merchant.id, asset.number, asset.currency, asset.network, asset.gate, asset.keychain, asset.decimals, invoice.status, at,
    invoice.status in ('paid', 'underpaid', 'overpaid'),
    ledger_numbers.last_number + sum((invoice.status in ('paid', 'underpaid', 'overpaid'))::integer)
      over (partition by merchant.id, asset.currency order by nth),
    account.id, chain.id, endpoint.id
  from invoice join laid_merchant as merchant on merchant.number = invoice.merchant
  join laid_asset as asset on asset.number = invoice.asset
  join ledger_accounts as account on account.merchant_id = merchant.id and account.currency = asset.currency
  join ledger_accounts as chain on chain.kind = 'chain' and chain.currency = asset.currency
  join ledger_numbers on ledger_numbers.merchant_id = merchant.id and ledger_numbers.currency = asset.currency
  join webhook_endpoints as endpoint on endpoint.merchant_id = merchant.id
  order by nth`

/** Numbers what was laid out from $1 to $2, for what is laid out next. */
export const number = `
  update ledger_numbers set last_number = last.number
  from (select merchant_id, currency, max(number) as number from laid where nth between $1 and $2 group by 1, 2) as last
  where ledger_numbers.merchant_id = last.merchant_id and ledger_numbers.currency = last.currency`

const units = 150_000
const price = `case status when 'overpaid' then 140000 when 'underpaid' then 200000 else ${units} end`
const position = '(10000000000 + nth)'
const address = "'tb1q' || md5('address ' || nth)"
const eventAge = "at > now() - interval '730 days'"
const deliveryAge = "at > now() - interval '90 days'"

// As large as the invoice that an event carries.
const eventData = `json_build_object('id', ${id('01')}, 'status', status, 'currency', currency, 'network', network,
  'amount', '0.00150000', 'deposit_address', ${address}, 'metadata', json_build_object('customer', 'c-1234'),
  'padding', repeat('x', 500))`

// Every invoice of a range, from the first on.
const range = 'from laid where nth between $1 and $2'
const inOrder = 'order by nth'

// The three events of an invoice and their deliveries.
const told = (condition: string) => `
  from laid cross join lateral (values (1, 'invoice.confirming', is_paid),
    (2, 'invoice.' || replace(status, 'overpaid', 'paid'), status <> 'pending'), (3, 'balance.credited', is_paid)
  ) as told (kind, name, is_told)
  where nth between $1 and $2 and is_told and ${condition} order by nth, kind`

const idOfKind = (tens: string) =>
  `case kind when 1 then ${id(`${tens}1`)} when 2 then ${id(`${tens}2`)} else ${id(`${tens}3`)} end`

/** What fills each table from the invoices $1 to $2, the longest work first. */
export const ofRange: Readonly<Record<string, string>> = {
  invoices: `
   insert into invoices (id, merchant_id, environment, status, source, deferred, currency, network, gate_id, decimals,
     amount_units, required_confirmations, keychain, deposit_position, deposit_address, base_currency, amount_in_base_currency,
     tolerance_bps, fee_bps, paid_units, settled_units, description, external_id, metadata, link, idempotency_key, request_hash,
     window_seconds, expires_at, due_at, live_at, paid_at, cancelled_at, created_at, updated_at)
   select ${id('01')}, merchant_id, 'test', status, 'api', false, currency, network, gate, decimals, ${price}, 2, keychain,
     ${position}, ${address}, 'USD', 10000, 0, 0, case when is_paid then ${units} else 0 end,
     case when is_paid then ${units} else 0 end, 'Order ' || nth, 'order-' || lpad(nth::text, 10, '0'),
     '{"customer": "c-1234", "basket": 3}', lpad(nth::text, 22, '0'), 'key-' || lpad(nth::text, 10, '0'),
     sha256(nth::text::bytea), 1800, at + interval '7 days', case when status = 'pending' then now() + interval '7 days' end, at,
     case when status in ('paid', 'overpaid') then at end, case when status = 'cancelled' then at end, at, at
   ${range} ${inOrder}`,
  // Each event has a transaction of its own, as in life, and belongs to an era that has ended: its number is made up.
  events: `
   insert into events (id, merchant_id, environment, event, resource_id, data, era, xid, created_at)
   select ${idOfKind('1')}, merchant_id, 'test', name, ${id('01')}, ${eventData}, 0, (nth * 4 + kind)::text::xid8, at
   ${told(eventAge)}`,
  payments: `
   insert into payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address,
     invoice_id, required_confirmations, seen_at, waiting, block_height, block_hash)
   select ${id('02')}, gate, md5('tx ' || nth) || md5(nth::text), 0, 'test', currency, network, decimals, ${units}, ${address},
     ${id('01')}, 2, at, false, 1 + (extract(epoch from at - now() + interval '6 years') / 600)::bigint, md5('block ' || nth)
   ${range} and is_paid ${inOrder}`,
  ledger_entries: `
   insert into ledger_entries (merchant_id, environment, currency, number, transaction_id, account_id, network, decimals,
     entry_type, units, balance_after, balance_decimals, reference_type, reference_id, created_at)
   select merchant_id, 'test', currency, number, ${id('03')}, account, network, decimals, 'deposit', ${units},
     number * ${units}, decimals, 'invoice', ${id('01')}, at
   ${range} and is_paid ${inOrder}`,
  postings: `
   insert into postings (transaction_id, account_id, units)
   select ${id('03')}, side.account, side.units
   from laid cross join lateral (values (account, ${units}), (chain, -${units})) as side (account, units)
   where nth between $1 and $2 and is_paid ${inOrder}`,
  deposit_addresses: `
   insert into deposit_addresses (keychain, position, address)
   select keychain, ${position}, ${address} ${range} ${inOrder}`,
  ledger_transactions: `
   insert into ledger_transactions (id, entry_type, subject, occurrence, created_at)
   select ${id('03')}, 'deposit', ${id('02')}, 1, at ${range} and is_paid ${inOrder}`,
  payment_bookings: `
   insert into payment_bookings (payment_id, credited, credits, late, fee_units, confirmed_at)
   select ${id('02')}, true, 1, false, 0, at ${range} and is_paid ${inOrder}`,
  webhook_deliveries: `
   insert into webhook_deliveries (id, event_id, endpoint_id, status, attempts, tries, due_at, last_attempt_at, created_at)
   select ${idOfKind('2')}, ${idOfKind('1')}, endpoint, case when nth % 100 = 0 then 'failed' else 'succeeded' end, 1, 1, null, at,
     at
   ${told(deliveryAge)}`,
  webhook_attempts: `
   insert into webhook_attempts (delivery_id, number, attempted_at, signed_at, signature, status_code, duration_ms, answer)
   select ${idOfKind('2')}, 1, at, extract(epoch from at), repeat('s', 88), 200, 20, 'ok'
   ${told(deliveryAge)}`,
  audit_entries: `
   insert into audit_entries (chain, seq, at, actor, actor_name, action, details, previous_hash, hash)
   select merchant_id, nth, at, 'user:' || nth % 7, 'Ann', (array['key.created', 'invoice.cancelled'])[1 + (nth / 100) % 2],
     '{"name": "shop"}', sha256('a'), sha256('b') ${range} and nth % 100 = 1 ${inOrder}`,
}

/** What triggers would have kept. */
export const totals: readonly string[] = [
  `insert into deposit_address_counters (keychain, derived, given)
   select keychain, 20000000000, 20000000000 from laid_asset
   on conflict (keychain) do update set derived = excluded.derived, given = excluded.given`,
  `update ledger_accounts set balance_units = summed.units
   from (select account_id, sum(units) as units from postings group by 1) as summed where id = account_id`,
  `insert into merchant_totals (merchant_id, environment, currency, network, decimals, received_units)
   select merchant_id, environment, currency, network, decimals, sum(paid_units) from invoices
   where currency is not null group by 1, 2, 3, 4, 5`,
  `insert into daily_sums (merchant_id, environment, day, kind, currency, network, decimals, base_currency, units, base_units)
   select invoices.merchant_id, 'test', (entry.created_at at time zone 'UTC')::date, 'received', entry.currency, entry.network,
     entry.decimals, 'USD', sum(entry.units), sum(div(entry.units * invoices.amount_in_base_currency, invoices.amount_units))
   from ledger_entries as entry join invoices on invoices.id = entry.reference_id group by 1, 3, 5, 6, 7`,
  `insert into daily_invoices (merchant_id, environment, day, outcome, within_seconds, invoices)
   select merchant_id, environment, (created_at at time zone 'UTC')::date,
     case when status in ('pending', 'underpaid') then 'open' when status in ('paid', 'overpaid') then 'paid' else status end,
     case when status in ('paid', 'overpaid') then paid_within(paid_at - live_at) else 0 end, count(*)
   from invoices group by 1, 2, 3, 4, 5`,
  `insert into list_counts (list, merchant_id, environment, facet, currency, bucket, difference)
   select 'invoices', merchant_id, environment, status, currency, position >> 15, count(*) from invoices group by 2, 3, 4, 5, 6
   union all
   select 'events', merchant_id, environment, event, '', position >> 15, count(*) from events group by 2, 3, 4, 6
   union all
   select 'ledger_entries', merchant_id, environment, entry_type, currency, number >> 15, count(*) from ledger_entries
   group by 2, 3, 4, 5, 6`,
  `insert into retention_floors (kept, before) values ('events', now() - interval '730 days')`,
  `insert into audit_heads (chain, seq) select chain, max(seq) from audit_entries group by 1
   on conflict (chain) do update set seq = excluded.seq`,
]
