import { inspect } from 'node:util'
import { expect } from 'vitest'
import { query } from './database.ts'

/** How many events with this name each invoice or payout has. */
const told = (event: string, field = 'id') => `(
  select (data->>'${field}')::uuid as id, count(*) as times from events where event = '${event}' group by 1) as told`

/** What is in cold wallets: coins that no refill has spent, and transfers from accounts. */
const wentCold = `
  select split_part(gate_id, '-', 2) as environment, split_part(gate_id, '-', 1) as network, currency, sum(units) as went from (
    select cold_coins.gate_id, fee_currency as currency, cold_coins.units
    from cold_coins join spends on spends.id = made_by and status = 'final'
    where not exists (select from spends as refill where refill.id = pinned_by and refill.status = 'final')
    union all
    select gate_id, currency, units from spends where kind = 'cold' and status = 'final' and units is not null
  ) as moved group by 1, 2, 3`

/** What must hold at any time, each as a statement that finds violations. */
const alwaysEmpty: Record<string, string> = {
  'transactions whose postings do not sum to zero': `
    select transaction_id from postings join ledger_accounts on ledger_accounts.id = account_id
    group by transaction_id, environment, network, currency having sum(units) <> 0`,
  'accounts that are not the sum of their postings': `
    select id from ledger_accounts
    where balance_units <> coalesce((select sum(units) from postings where account_id = ledger_accounts.id), 0)`,
  'payments whose credits less reversals are not what their booking says': `
    select payments.id from payments left join payment_bookings as booking on booking.payment_id = payments.id
    left join (
      select subject, count(*) filter (where entry_type in ('deposit', 'late_deposit', 'suspense', 'float'))
        - count(*) filter (where entry_type in ('reversal', 'suspense_reversal', 'float_reversal')) as net
      from ledger_transactions group by subject) as booked on subject = payments.id
    where coalesce(booked.net, 0) <> coalesce(booking.credited, false)::integer`,
  'ledgers with gaps in the numbering of their entries': `
    select merchant_id from ledger_entries group by merchant_id, environment, currency having max(number) <> count(*)`,
  'entries whose balance is not the previous one plus their own amount': `
    select number from (
      select number, balance_after, sum(units * (10::numeric ^ (balance_decimals - decimals))) over (
        partition by merchant_id, environment, currency order by number) as running
      from ledger_entries) as entries where balance_after <> running`,
  'deposit addresses of two invoices, or of an invoice and a static address': `
    select deposit_address from (
      select keychain, deposit_position, deposit_address from invoices
      where static_address_id is null and deposit_position is not null
      union all select keychain, deposit_position, address from static_addresses) as given
    group by keychain, deposit_address, deposit_position having count(*) > 1`,
  'deposit addresses that were never derived': `
    select deposit_address from invoices where deposit_position is not null and not exists (
      select from deposit_addresses as made where made.keychain = invoices.keychain
        and made.position = deposit_position and made.address = deposit_address)`,
  'live invoices without exactly one invoice.confirming, or more if the payer changed the choice': `
    select id from invoices left join ${told('invoice.confirming')} using (id)
    where (gate_id is not null)::integer <> coalesce(times, 0)
      and (coalesce(times, 0) < 2 or not exists (select from invoice_choices where invoice_id = invoices.id))`,
  'invoices whose last invoice.confirming names another asset, amount or address': `
    select id from invoices cross join lateral (
      select data from events where resource_id = invoices.id and event = 'invoice.confirming'
      order by position desc limit 1) as last
    where (data ->> 'currency', data ->> 'network', data ->> 'deposit_address')
      is distinct from (currency, network, deposit_address)`,
  'invoices without exactly one invoice.paid if they were ever paid, or with one otherwise': `
    select id from invoices left join ${told('invoice.paid')} using (id)
    where (paid_at is not null)::integer <> coalesce(times, 0)`,
  'invoices without exactly one invoice.cancelled if they are cancelled, or with one otherwise': `
    select id from invoices left join ${told('invoice.cancelled')} using (id)
    where (status = 'cancelled')::integer <> coalesce(times, 0)`,
  // An expiry caused by a reorganisation has only the event of the reversal.
  'invoices with more than one invoice.expired': `
    select id from ${told('invoice.expired')} where times > 1`,
  'invoices whose balance.credited events are not their credits': `
    select * from ${told('balance.credited', 'invoice_id')} full join (
      select reference_id as id, count(*) as times from ledger_entries
      where entry_type in ('deposit', 'late_deposit') group by 1) as credits using (id, times)
    where (told.times is null or credits.times is null) and id is not null`,
  'released payments whose adjustment does not match their booking': `
    select release.payment_id from suspense_releases as release
    join payment_bookings as booking on booking.payment_id = release.payment_id
    left join (
      select subject, sum(units) as net from ledger_transactions join ledger_entries on transaction_id = id
      where ledger_transactions.entry_type = 'adjustment' group by 1) as given on subject = release.payment_id
    join payments on payments.id = release.payment_id
    where coalesce(net, 0) <> case when credited then payments.units else 0 end`,
  'invoices whose amounts are not the sums of their payments': `
    select invoices.id, status, paid_units, pending_units from invoices left join (
      select invoice_id, coalesce(sum(units) filter (where credited), 0) as paid,
        coalesce(sum(units) filter (where not coalesce(credited, false) and (waiting or block_height is not null)), 0)
          as pending
      from payments left join payment_bookings on payment_id = payments.id group by 1
    ) as on_chain on on_chain.invoice_id = invoices.id
    where (paid_units, pending_units) is distinct from (coalesce(paid, 0), coalesce(pending, 0))
      and not exists (select from jobs where subject = invoices.id)`,
  'merchant totals that are not the sums of invoices and payouts': `
    select * from (
      select merchant_id, environment, currency, network, sum(paid_units) as paid, sum(pending_units) as pending,
        sum(fee_units) as fees from invoices where currency is not null group by 1, 2, 3, 4
    ) as invoiced full join (
      select merchant_id, environment, currency, network, sum(amount_units) as sent,
        sum(fee_units + network_fee_units) as sending from payouts where status = 'completed' group by 1, 2, 3, 4
    ) as paid_out using (merchant_id, environment, currency, network)
    full join merchant_totals using (merchant_id, environment, currency, network)
    where (coalesce(paid, 0), coalesce(pending, 0), coalesce(fees, 0) + coalesce(sending, 0), coalesce(sent, 0))
      is distinct from (coalesce(received_units, 0), coalesce(pending_units, 0), coalesce(fee_units, 0),
        coalesce(paid_out_units, 0))`,
  'static addresses whose totals are not those of their invoices': `
    select static_addresses.id from static_addresses left join (
      select static_address_id, sum(paid_units) as paid, count(*) filter (where paid_units > 0) as invoices
      from invoices group by 1) as counted on static_address_id = static_addresses.id
    where total_received_units <> coalesce(paid, 0) or invoice_count <> coalesce(invoices, 0)`,
  'list totals that are not count(*)': `
    select * from (
      select list, merchant_id, environment, facet, currency, sum(total)::bigint as total from (
        select list, merchant_id, environment, facet, currency, total from list_totals
        union all select list, merchant_id, environment, facet, currency, difference from list_counts
      ) as each group by 1, 2, 3, 4, 5 having sum(total) <> 0) as kept
    full join (
      select 'invoices' as list, merchant_id, environment, status as facet, coalesce(currency, '') as currency,
        count(*) as total from invoices group by 2, 3, 4, 5
      union all select 'invoices_of_address', merchant_id, environment, static_address_id::text, '', count(*)
        from invoices where static_address_id is not null group by 2, 3, 4
      union all select 'events', merchant_id, environment, event, '', count(*) from events group by 2, 3, 4
      union all select 'ledger_entries', merchant_id, environment, entry_type, currency, count(*)
        from ledger_entries group by 2, 3, 4, 5
      union all select 'static_addresses', merchant_id, environment, '', currency, count(*)
        from static_addresses group by 2, 3, 5
      union all select 'payouts', merchant_id, environment, status, '', count(*) from payouts group by 2, 3, 4
      union all select 'refunds', merchant_id, environment, '', '', count(*) from refunds group by 2, 3
    ) as counted using (list, merchant_id, environment, facet, currency, total)
    where kept.total is null or counted.total is null`,
  'chain accounts that do not match what was confirmed and sent': `
    select environment, network, currency, held, confirmed from (
      select environment, network, currency, sum(-balance_units) as held from ledger_accounts
      where kind = 'chain' group by 1, 2, 3
    ) as chain full join (
      select environment, network, currency, sum(units) as confirmed from payments
      join payment_bookings on payment_id = payments.id where credited group by 1, 2, 3
    ) as booked using (environment, network, currency)
    full join (
      select environment, network, currency, sum(amount_units) as paid from payouts where status = 'completed' group by 1, 2, 3
    ) as payout using (environment, network, currency)
    full join (
      select split_part(gate_id, '-', 2) as environment, split_part(gate_id, '-', 1) as network, fee_currency as currency,
        sum(fee_units) as fees
      from spends where status in ('final', 'reverted') and fee_units is not null
        and (kind <> 'refill' or from_address is null) group by 1, 2, 3
    ) as spend using (environment, network, currency)
    full join (
      select split_part(gate_id, '-', 2) as environment, split_part(gate_id, '-', 1) as network, currency, sum(units) as moved
      from outside_moves group by 1, 2, 3
    ) as outside using (environment, network, currency)
    full join (
      select split_part(gate_id, '-', 2) as environment, split_part(gate_id, '-', 1) as network, lost_currency as currency,
        sum(lost_units) as lost
      from spends where status = 'final' and lost_units is not null group by 1, 2, 3
    ) as forgotten using (environment, network, currency)
    full join (${wentCold}) as cold using (environment, network, currency)
    where coalesce(held, 0) <> coalesce(confirmed, 0) - coalesce(paid, 0) - coalesce(fees, 0) - coalesce(moved, 0)
      - coalesce(lost, 0) - coalesce(went, 0)`,
  'payments that are booked but not deep enough, or the reverse': `
    select payments.id from payments join followed_chains using (gate_id)
    left join payment_bookings on payment_id = payments.id
    where coalesce(credited, false) <> coalesce(matures_at <= height, false)
      and halted_at is null and not exists (select from jobs where subject in (payments.id, payments.invoice_id))
      -- Seen after the window of an invoice that a payment in time may still settle: decided with it.
      and not exists (select from invoices
        where invoices.id = payments.invoice_id and status in ('pending', 'underpaid') and seen_at > expires_at)`,
  'available balances that are not credits minus debits': `
    select merchant_id, environment, currency, network, balance_units, entered from ledger_accounts
    left join (select merchant_id, environment, currency, network, sum(units) as entered
      from ledger_entries group by 1, 2, 3, 4) as entries using (merchant_id, environment, currency, network)
    where kind = 'available' and balance_units <> coalesce(entered, 0)`,
  'reserved balances that are not the charges of open payouts': `
    select * from (
      select merchant_id, environment, currency, network, balance_units as units from ledger_accounts
      where kind = 'reserved' and balance_units <> 0
    ) as held full join (
      select merchant_id, environment, currency, network, sum(amount_units + fee_units + network_fee_units) as units
      from payouts where status in ('pending_approval', 'approved', 'processing') group by 1, 2, 3, 4
    ) as charged using (merchant_id, environment, currency, network, units)
    where held.units is null or charged.units is null`,
  'payouts whose entries do not sum to their charge, or to zero once they failed or were cancelled': `
    select payouts.id from payouts left join (
      select subject, sum(postings.units) as units from ledger_transactions as booking
      join postings on transaction_id = booking.id join ledger_accounts as account on account.id = account_id
      where account.kind = 'available' group by 1
    ) as booked on subject = payouts.id
    where coalesce(booked.units, 0) <> case when status in ('failed', 'cancelled') then 0
      else -(amount_units + fee_units + network_fee_units) end`,
  'payouts without exactly one payout.cancelled if they are cancelled, or with one otherwise': `
    select id from payouts left join ${told('payout.cancelled')} using (id)
    where (status = 'cancelled')::integer <> coalesce(times, 0)`,
  'payouts without exactly one payout.approved if they were approved, or with one otherwise': `
    select id from payouts left join ${told('payout.approved')} using (id)
    where (approved_at is not null)::integer <> coalesce(times, 0)`,
  'followed blocks with gaps below the tip': `
    select gate_id from followed_chains as chain where height - (
      select min(height) from followed_blocks where gate_id = chain.gate_id
    ) + 1 <> (select count(*) from followed_blocks where gate_id = chain.gate_id)
      or hash is distinct from (select hash from followed_blocks
        where gate_id = chain.gate_id and height = chain.height)`,
}

/** What holds in addition once every chain was followed to its tip and no jobs are left. */
const emptyWhenSettled: Record<string, string> = {
  'jobs that are left': 'select kind, subject from jobs',
  'followed blocks that the chain does not have': `
    select followed_blocks.gate_id, height from followed_blocks
    left join simulated_blocks using (gate_id, height, hash) where simulated_blocks.hash is null`,
  'payments credited although not deep enough, or deep enough and not credited': `
    select payments.id from payments join followed_chains using (gate_id)
    left join payment_bookings as booking on booking.payment_id = payments.id
    where coalesce(booking.credited, false) <> coalesce(matures_at <= followed_chains.height, false)`,
  'mined transfers to us without a matching payment': `
    select tx_hash, output_index from simulated_outputs as o
    join simulated_transactions as t on t.gate_id = o.gate_id and t.hash = o.tx_hash and t.state = 'mined'
    join simulated_blocks as b on b.gate_id = t.gate_id and b.height = t.height
    where exists (select from deposit_addresses where address = o.address) and not exists (
      select from payments where payments.gate_id = o.gate_id and payments.tx_hash = o.tx_hash
        and payments.output_index = o.output_index and payments.units = o.units and payments.block_hash = b.hash)`,
}

/** Fails unless everything about money in the database is consistent; `settled` if nothing is in progress any more. */
export async function expectSoundBooks(url: string, { settled = false } = {}): Promise<void> {
  const rules = settled ? { ...alwaysEmpty, ...emptyWhenSettled } : alwaysEmpty
  for (const [what, statement] of Object.entries(rules)) {
    expect(await query(url, statement), what).toEqual([])
  }
}

/** The inconsistencies found, in words. */
export async function unsound(rowsOf: (statement: string) => Promise<readonly object[]>): Promise<string[]> {
  const found: string[] = []
  for (const [what, statement] of Object.entries(alwaysEmpty)) {
    const rows = await rowsOf(statement)
    if (rows.length > 0) found.push(`${what}: ${inspect(rows)}`)
  }
  return found
}
