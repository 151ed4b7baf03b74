import { sql } from '../sql.ts'
import type { Check } from './audit-check.ts'

// What each payout moved on its merchant's available account: what was reserved, and what was released.
const moved = sql`
  select payouts.*, amount_units + fee_units + network_fee_units as charge,
    status in ('pending_approval', 'approved', 'processing') as open,
    status in ('failed', 'cancelled') as undone, booked.*,
    exists (select from ledger_transactions where entry_type = 'settlement_undone' and subject = payouts.id) as was_settled
  from payouts
  left join lateral (
    select
      count(*) filter (where entry_type in ('payout', 'refund')) as amounts,
      coalesce(-sum(posting.units) filter (where entry_type in ('payout', 'refund')), 0) as amount_booked,
      coalesce(-sum(posting.units) filter (where entry_type in ('payout_fee', 'refund_fee')), 0) as fee_booked,
      count(*) filter (where entry_type = 'network_fee') as network_fees,
      coalesce(-sum(posting.units) filter (where entry_type = 'network_fee'), 0) as network_booked,
      count(*) filter (where entry_type = 'release') as releases,
      coalesce(sum(posting.units) filter (where entry_type = 'release'), 0) as released,
      count(*) filter (where (entry_type in ('refund', 'refund_fee') and refund_id is null)
        or (entry_type in ('payout', 'payout_fee') and refund_id is not null)) as of_the_other_kind,
      count(*) filter (where (account.merchant_id, account.environment, account.network, account.currency, account.decimals)
        is distinct from (payouts.merchant_id, payouts.environment, payouts.network, payouts.currency, payouts.decimals)) as misplaced
    from ledger_transactions as booking
    join postings as posting on posting.transaction_id = booking.id
    join ledger_accounts as account on account.id = posting.account_id and account.kind = 'available'
    where booking.subject = payouts.id
  ) as booked on true`

/** What the books promise about payouts and refunds. */
export const payoutChecks: readonly Check[] = [
  {
    promise: 'what every merchant has reserved of an asset is the total charge of its open payouts',
    differences: sql`
      select format('reserved %s on %s of merchant %s (%s): the account has %s, the open payouts are charged %s',
        currency, network, merchant_id, environment, coalesce(held, 0), coalesce(charged, 0)) as difference
      from (
        select merchant_id, environment, currency, network, balance_units as held
        from ledger_accounts where kind = 'reserved'
      ) as accounts
      full join (
        select merchant_id, environment, currency, network, sum(amount_units + fee_units + network_fee_units) as charged
        from payouts where status in ('pending_approval', 'approved', 'processing') group by 1, 2, 3, 4
      ) as open using (merchant_id, environment, currency, network)
      where coalesce(held, 0) <> coalesce(charged, 0)`,
  },
  {
    promise: 'the ledger entries of every payout match its amounts and its status',
    differences: sql`
      select format('payout %s (%s, amount %s, fee %s, network fee %s, %s raises): booked amount %s in %s entries, fee %s, network fee %s in %s entries; released %s in %s entries%s',
        id, status, amount_units, fee_units, network_fee_units, reserve_raises, amount_booked, amounts, fee_booked,
        network_booked, network_fees, released, releases,
        case when misplaced > 0 or of_the_other_kind > 0 then '; some entries are not its own' else '' end) as difference
      from (${moved}) as payout
      where misplaced > 0 or of_the_other_kind > 0 or amounts <> 1 or amount_booked <> amount_units
        or fee_booked <> fee_units
        or (open and (releases <> 0 or network_booked <> network_fee_units))
        -- If the payout had been completed before, what the network did not take then was released in an entry of its own.
        or (undone and (releases <> 1 + (network_booked <> network_fee_units)::int
          or released <> charge + network_booked - network_fee_units or (network_booked <> network_fee_units and not was_settled)))
        or (status = 'completed' and network_booked - released <> network_fee_units)
        or network_fees > reserve_raises + 1`,
  },
  {
    promise: 'every ledger entry of a payout belongs to a payout that exists',
    differences: sql`
      select format('ledger transaction %s (%s): there is no payout %s', id, entry_type, subject) as difference
      from ledger_transactions
      where entry_type in ('payout', 'payout_fee', 'network_fee', 'refund', 'refund_fee', 'release')
        and not exists (select from payouts where payouts.id = subject)`,
  },
  {
    promise: 'every approved payout has an approval, and every refund matches its payout',
    differences: sql`
      select format('payout %s (%s): it has no approval', id, status) as difference from payouts
      where (status in ('approved', 'processing', 'completed', 'failed') or approved_at is not null)
        and not exists (select from payout_approvals where payout_id = payouts.id)
      union all
      select format('refund %s over %s (merchant %s, %s): its payout %s is over %s (merchant %s, %s) and carries out refund %s',
        refunds.id, refunds.amount_units, refunds.merchant_id, refunds.environment, payout_id, payouts.amount_units,
        payouts.merchant_id, payouts.environment, coalesce(refund_id::text, 'none'))
      from refunds join payouts on payouts.id = payout_id
      where (refunds.id, refunds.amount_units, refunds.merchant_id, refunds.environment)
        is distinct from (refund_id, payouts.amount_units, payouts.merchant_id, payouts.environment)
      union all
      select format('payout %s: it carries out refund %s, which does not exist', id, refund_id) from payouts
      where refund_id is not null and not exists (select from refunds where refunds.id = refund_id)`,
  },
  {
    promise: 'the refunded amount of every invoice is the sum of its completed refunds',
    differences: sql`
      select format('invoice %s: refunded %s, its completed refunds sum to %s', invoices.id, refunded_units,
        coalesce(sum(refunds.amount_units), 0)) as difference
      from invoices
      left join (refunds join payouts on payouts.id = payout_id and payouts.status = 'completed')
        on invoice_id = invoices.id
      group by invoices.id having refunded_units <> coalesce(sum(refunds.amount_units), 0)`,
  },
]
