import { sql } from '../sql.ts'
import type { Check } from './audit-check.ts'

/** Totals that are kept so that nothing has to be counted, and the owners of deposit addresses. */
export const totalChecks: readonly Check[] = [
  {
    promise: 'every merchant’s totals are the sums over its invoices and its completed payouts',
    differences: sql`
      select format('totals of merchant %s (%s %s on %s): pending %s, received %s, fees %s, paid out %s; its invoices and payouts sum to pending %s, received %s, fees %s, paid out %s',
        merchant_id, environment, currency, network, coalesce(pending_units, 0), coalesce(received_units, 0),
        coalesce(fee_units, 0), coalesce(paid_out_units, 0), coalesce(pending, 0), coalesce(received, 0), coalesce(fees, 0),
        coalesce(paid_out, 0)) as difference
      from merchant_totals
      full join (
        select merchant_id, environment, currency, network, sum(pending) as pending, sum(received) as received,
          sum(fees) as fees, sum(paid_out) as paid_out
        from (
          select merchant_id, environment, currency, network, pending_units as pending, paid_units as received,
            fee_units as fees, 0 as paid_out
          from invoices where currency is not null
          union all
          select merchant_id, environment, currency, network, 0, 0, fee_units + network_fee_units, amount_units
          from payouts where status = 'completed'
        ) as moved group by 1, 2, 3, 4
      ) as summed using (merchant_id, environment, currency, network)
      where (coalesce(pending_units, 0), coalesce(received_units, 0), coalesce(fee_units, 0), coalesce(paid_out_units, 0))
        <> (coalesce(pending, 0), coalesce(received, 0), coalesce(fees, 0), coalesce(paid_out, 0))`,
  },
  {
    promise: 'every merchant’s daily sums match the ledger',
    differences: sql`
      select format('%s of merchant %s on %s (%s %s on %s, valued in %s): %s units worth %s; the ledger says %s units worth %s',
        kind, merchant_id, day, environment, currency, network, coalesce(nullif(base_currency, ''), 'nothing'),
        coalesce(kept.units, 0), coalesce(kept.base_units, 0), coalesce(booked.units, 0), coalesce(booked.base_units, 0))
        as difference
      from (
        select merchant_id, environment, day, kind, currency, network, decimals, base_currency, sum(units) as units,
          sum(base_units) as base_units
        from daily_sums group by 1, 2, 3, 4, 5, 6, 7, 8
      ) as kept
      full join (
        select entry.merchant_id, entry.environment, (entry.created_at at time zone 'UTC')::date as day, 'received' as kind,
          entry.currency, entry.network, entry.decimals,
          case when invoices.amount_in_base_currency is null then '' else invoices.base_currency end as base_currency,
          sum(-chain.units) as units, coalesce(sum(sign(-chain.units)
            * div(abs(chain.units) * invoices.amount_in_base_currency, invoices.amount_units)), 0) as base_units
        from ledger_entries as entry
        join postings as chain on chain.transaction_id = entry.transaction_id
        join ledger_accounts as account on account.id = chain.account_id and account.kind = 'chain'
        join invoices on invoices.id = entry.reference_id
        where entry.entry_type in ('deposit', 'late_deposit', 'reversal')
        group by 1, 2, 3, 5, 6, 7, 8
        union all
        select payouts.merchant_id, payouts.environment, (settled.created_at at time zone 'UTC')::date,
          case when payouts.refund_id is null then 'paid_out' else 'refunded' end, payouts.currency, payouts.network,
          payouts.decimals, case when payouts.amount_in_base_currency is null then '' else payouts.base_currency end,
          sum(case settled.entry_type when 'settlement' then payouts.amount_units else -payouts.amount_units end),
          coalesce(sum(case settled.entry_type when 'settlement' then payouts.amount_in_base_currency
            else -payouts.amount_in_base_currency end), 0)
        from ledger_transactions as settled join payouts on payouts.id = settled.subject
        where settled.entry_type in ('settlement', 'settlement_undone')
        group by 1, 2, 3, 4, 5, 6, 7, 8
      ) as booked using (merchant_id, environment, day, kind, currency, network, decimals, base_currency)
      where (coalesce(kept.units, 0), coalesce(kept.base_units, 0))
        <> (coalesce(booked.units, 0), coalesce(booked.base_units, 0))`,
  },
  {
    promise: 'every static address’s totals match its confirmed deposits',
    differences: sql`
      select format('static address %s (merchant %s): received %s in %s invoices; its invoices sum to %s in %s',
        static_addresses.id, static_addresses.merchant_id, total_received_units, invoice_count,
        coalesce(sum(paid_units), 0), count(*) filter (where paid_units > 0)) as difference
      from static_addresses left join invoices on static_address_id = static_addresses.id
      group by static_addresses.id
      having total_received_units <> coalesce(sum(paid_units), 0)
        or invoice_count <> count(*) filter (where paid_units > 0)`,
  },
  {
    promise: 'the kept length of every list is its number of rows',
    differences: sql`
      select format('list %s of merchant %s (%s%s%s): its kept length is %s, it has %s rows', list, merchant_id, environment,
        ' ' || nullif(facet, ''), ' ' || nullif(currency, ''), coalesce(kept, 0), coalesce(counted, 0)) as difference
      from (
        select list, merchant_id, environment, facet, currency, bucket, sum(total) as kept from (
          select list, merchant_id, environment, facet, currency, bucket, total from list_buckets
          union all
          select list, merchant_id, environment, facet, currency, bucket, difference from list_counts
        ) as each group by 1, 2, 3, 4, 5, 6
      ) as kept
      full join (
        select 'invoices' as list, merchant_id, environment, status as facet, coalesce(currency, '') as currency,
          position >> 15 as bucket, count(*) as counted
        from invoices group by 2, 3, 4, 5, 6
        union all
        select 'invoices_of_address', merchant_id, environment, static_address_id::text, '', position >> 15, count(*)
        from invoices where static_address_id is not null group by 2, 3, 4, 6
        union all
        select 'events', merchant_id, environment, event, '', position >> 15, count(*) from events group by 2, 3, 4, 6
        union all
        select 'ledger_entries', merchant_id, environment, entry_type, currency, number >> 15, count(*)
        from ledger_entries group by 2, 3, 4, 5, 6
        union all
        select 'static_addresses', merchant_id, environment, '', currency, 0, count(*)
        from static_addresses group by 2, 3, 5
        union all
        select 'payouts', merchant_id, environment, status, '', position >> 15, count(*) from payouts group by 2, 3, 4, 6
        union all
        select 'refunds', merchant_id, environment, '', '', position >> 15, count(*) from refunds group by 2, 3, 6
      ) as counted using (list, merchant_id, environment, facet, currency, bucket)
      where coalesce(kept, 0) <> coalesce(counted, 0)`,
  },
  {
    promise: 'the kept length of every list is the sum over its parts',
    differences: sql`
      select format('list %s of merchant %s (%s%s%s): its folded length is %s, its parts sum to %s', list, merchant_id,
        environment, ' ' || nullif(facet, ''), ' ' || nullif(currency, ''), coalesce(total, 0), coalesce(parts, 0)) as difference
      from list_totals
      full join (
        select list, merchant_id, environment, facet, currency, sum(total) as parts from list_buckets group by 1, 2, 3, 4, 5
      ) as summed using (list, merchant_id, environment, facet, currency)
      where coalesce(total, 0) <> coalesce(parts, 0)`,
  },
  {
    promise: 'every deposit address has at most one owner, and only addresses that were given out have one',
    differences: sql`
      with owned as (
        select keychain, deposit_position as position, 'invoice ' || id as owner, deposit_address as address,
          coalesce(deposit_address_tag, '') as tag
        from invoices where static_address_id is null and deposit_position is not null
        union all
        select keychain, deposit_position, 'invoice ' || invoice_id, deposit_address, coalesce(deposit_address_tag, '')
        from invoice_choices as choice
        where not exists (select from invoices where invoices.id = choice.invoice_id
          and invoices.keychain = choice.keychain and invoices.deposit_position = choice.deposit_position)
        union all
        select keychain, deposit_position, 'static address ' || id, address, coalesce(address_tag, '') from static_addresses
      )
      select format('deposit address %s of %s: it belongs to %s', position, keychain, string_agg(owner, ' and to ' order by owner))
        as difference
      from owned group by keychain, position having count(*) > 1
      union all
      select format('deposit address %s of %s: it belongs to %s, but only those below %s were given out', position, keychain,
        owner, coalesce(given, 0))
      from owned left join deposit_address_counters using (keychain) where position >= coalesce(given, 0)
      union all
      select format('deposit address %s of %s: it is %s, but %s has %s', position, keychain,
        coalesce(deposit.address || coalesce(' tag ' || nullif(deposit.tag, ''), ''), 'unknown'), owner,
        owned.address || coalesce(' tag ' || nullif(owned.tag, ''), ''))
      from owned left join deposit_addresses as deposit using (keychain, position)
      where (owned.address, owned.tag) is distinct from (deposit.address, deposit.tag)`,
  },
]
