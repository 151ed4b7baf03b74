import { sql } from '../sql.ts'
import type { Check } from './audit-check.ts'

/** What the ledger itself promises. */
export const ledgerChecks: readonly Check[] = [
  {
    promise: 'the postings of every ledger transaction sum to zero in every asset',
    differences: sql`
      select format('ledger transaction %s (%s): its postings of %s on %s (%s) sum to %s, not 0',
        transaction_id, entry_type, currency, network, environment, sum(units)) as difference
      from postings
      join ledger_accounts on ledger_accounts.id = account_id
      join ledger_transactions on ledger_transactions.id = transaction_id
      group by transaction_id, entry_type, currency, network, environment having sum(units) <> 0
      union all
      select format('ledger transaction %s (%s): it has no postings', id, entry_type) from ledger_transactions
      where not exists (select from postings where transaction_id = ledger_transactions.id)`,
  },
  {
    promise: 'every account’s balance is the sum of its postings',
    differences: sql`
      select format('ledger account %s (%s %s on %s, %s%s): its balance is %s, its postings sum to %s',
        id, kind, currency, network, environment, ', merchant ' || merchant_id, balance_units, coalesce(posted.units, 0))
        as difference
      from ledger_accounts
      left join (select account_id, sum(units) as units from postings group by 1) as posted on account_id = id
      where balance_units <> coalesce(posted.units, 0)`,
  },
  {
    promise: 'every posting on an available account has exactly one ledger entry, of the same amount',
    differences: sql`
      select case
        when entry.transaction_id is null then format('posting of ledger transaction %s on account %s (%s units): it has no ledger entry',
          posted.transaction_id, posted.account_id, posted.units)
        when posted.transaction_id is null then format('ledger entry %s of merchant %s (%s %s): no posting on an available account belongs to it',
          entry.number, entry.merchant_id, entry.environment, entry.currency)
        else format('ledger entry %s of merchant %s (%s %s): it says %s %s on %s, its posting says %s %s on %s for merchant %s (%s)',
          entry.number, entry.merchant_id, entry.environment, entry.currency, entry.entry_type, entry.units, entry.network,
          posted.entry_type, posted.units, posted.network, posted.merchant_id, posted.environment)
        end as difference
      from (
        select transaction_id, account_id, postings.units, merchant_id, environment, currency, network, decimals, entry_type
        from postings
        join ledger_accounts on ledger_accounts.id = account_id
        join ledger_transactions on ledger_transactions.id = transaction_id
        where kind = 'available'
      ) as posted
      full join ledger_entries as entry using (transaction_id, account_id)
      where (entry.merchant_id, entry.environment, entry.currency, entry.network, entry.decimals, entry.entry_type, entry.units)
        is distinct from
        (posted.merchant_id, posted.environment, posted.currency, posted.network, posted.decimals, posted.entry_type, posted.units)`,
  },
  {
    promise: 'ledger entries are numbered from one without gaps',
    differences: sql`
      select format('ledger of merchant %s (%s %s): %s entries, numbered %s to %s, and the last number given is %s',
        merchant_id, environment, currency, coalesce(entries, 0), lowest, highest, coalesce(last_number, 0)) as difference
      from (
        select merchant_id, environment, currency, count(*) as entries, min(number) as lowest, max(number) as highest
        from ledger_entries group by 1, 2, 3
      ) as counted
      full join ledger_numbers using (merchant_id, environment, currency)
      where coalesce(entries, 0) <> coalesce(last_number, 0)
        or (entries > 0 and (lowest <> 1 or highest <> entries))`,
  },
  {
    promise: 'the balance after every ledger entry is the sum of the entries up to it',
    differences: sql`
      select format('ledger entry %s of merchant %s (%s %s): it says the balance after it is %s (%s decimals), the entries up to it sum to %s (%s decimals)',
        number, merchant_id, environment, currency, balance_after, balance_decimals, trim_scale(running), scale) as difference
      from (
        select *, sum(units * 10::numeric ^ (scale - decimals))
          over (partition by merchant_id, environment, currency order by number) as running
        from (
          select *, max(greatest(decimals, balance_decimals)) over (partition by merchant_id, environment, currency) as scale
          from ledger_entries
        ) as scaled
      ) as summed
      where running <> balance_after * 10::numeric ^ (scale - balance_decimals)`,
  },
]
