import { sql } from '../sql.ts'
import type { Check } from './audit-check.ts'

/** The figures that are kept by day for the overview. What is older than their tables is not in them. */
export const figureChecks: readonly Check[] = [
  {
    promise: 'every merchant’s daily fees match the ledger',
    differences: sql`
      select format('%s fees of merchant %s on %s (%s %s on %s, valued in %s): %s units worth %s millionths; the ledger says %s units worth %s',
        kind, merchant_id, day, environment, currency, network, coalesce(nullif(base_currency, ''), 'nothing'),
        coalesce(kept.units, 0), coalesce(kept.worth, 0), coalesce(booked.units, 0), coalesce(booked.worth, 0)) as difference
      from (
        select merchant_id, environment, day, kind, currency, network, decimals, base_currency, sum(units) as units,
          sum(base_millionths) as worth
        from daily_fees group by 1, 2, 3, 4, 5, 6, 7, 8
      ) as kept
      full join (
        select merchant_id, environment, (created_at at time zone 'UTC')::date as day, kind, currency, network, decimals,
          case when amount_in_base_currency is null then '' else base_currency end as base_currency, sum(units) as units,
          coalesce(sum(sign(units) * div(abs(units) * amount_in_base_currency * 1000000, amount_units)), 0) as worth
        from (
          select entry.merchant_id, entry.environment, entry.created_at, 'platform' as kind, entry.currency, entry.network,
            entry.decimals, invoices.base_currency, invoices.amount_in_base_currency, invoices.amount_units, fee.units
          from ledger_entries as entry
          join ledger_transactions as booking on booking.id = entry.transaction_id and booking.in_daily_fees
          join postings as fee on fee.transaction_id = entry.transaction_id
          join ledger_accounts as account on account.id = fee.account_id and account.kind = 'fees'
          join invoices on invoices.id = entry.reference_id
          where entry.entry_type in ('fee', 'reversal')
          union all
          select payouts.merchant_id, payouts.environment, settled.created_at, fee.kind, payouts.currency, payouts.network,
            payouts.decimals, payouts.base_currency, payouts.amount_in_base_currency, payouts.amount_units, fee.units
          from ledger_transactions as settled
          join payouts on payouts.id = settled.subject
          cross join lateral (
            select -coalesce(sum(units) filter (where account.kind = 'reserved'), 0) as charged,
              coalesce(sum(units) filter (where account.kind = 'fees'), 0) as platform
            from postings join ledger_accounts as account on account.id = account_id where transaction_id = settled.id
          ) as moved
          cross join lateral (values ('platform', moved.platform), ('network', moved.charged - moved.platform
            - case settled.entry_type when 'settlement' then payouts.amount_units else -payouts.amount_units end)
          ) as fee (kind, units)
          where settled.entry_type in ('settlement', 'settlement_undone') and settled.in_daily_fees and fee.units <> 0
        ) as paid group by 1, 2, 3, 4, 5, 6, 7, 8
      ) as booked using (merchant_id, environment, day, kind, currency, network, decimals, base_currency)
      where (coalesce(kept.units, 0), coalesce(kept.worth, 0)) <> (coalesce(booked.units, 0), coalesce(booked.worth, 0))`,
  },
  {
    promise: 'every merchant’s daily numbers of invoices match its invoices',
    differences: sql`
      select format('%s invoices of merchant %s created on %s (%s, within %s s): the kept number is %s, there are %s',
        outcome, merchant_id, day, environment, within_seconds, coalesce(kept.invoices, 0), coalesce(found.invoices, 0))
        as difference
      from (
        select merchant_id, environment, day, outcome, within_seconds, sum(invoices) as invoices
        from daily_invoices group by 1, 2, 3, 4, 5
      ) as kept
      full join (
        select merchant_id, environment, (created_at at time zone 'UTC')::date as day,
          case when status in ('pending', 'underpaid') then 'open' when status in ('paid', 'overpaid') then 'paid'
            else status end as outcome,
          case when status in ('paid', 'overpaid') then paid_within(paid_at - live_at) else 0 end as within_seconds,
          count(*) as invoices
        from invoices where source <> 'static_address' and in_daily_invoices group by 1, 2, 3, 4, 5
      ) as found using (merchant_id, environment, day, outcome, within_seconds)
      where coalesce(kept.invoices, 0) <> coalesce(found.invoices, 0)`,
  },
]
