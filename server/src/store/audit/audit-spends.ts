import { coldUnits, refillUnits } from '../spends/cold-moves.ts'
import { sql } from '../sql.ts'
import type { Check } from './audit-check.ts'

// A spend with the most that its newest attempt may cost.
const judged = sql`
  select spends.*, (
    select max_fee_units from spend_transactions where spend_id = spends.id order by attempt desc limit 1) as max_fee_units
  from spends`

// What final moves have brought to the cold wallet, less what final refills have taken out of it.
const movedToCold = sql`
  select split_part(gate_id, '-', 2) as environment, split_part(gate_id, '-', 1) as network,
    coalesce(spends.currency, fee_currency) as currency,
    sum(case kind when 'cold' then ${coldUnits} else -${refillUnits} end) as moved
  from spends join spend_transactions on spend_id = spends.id and tx_hash = mined_hash
  where kind in ('cold', 'refill') and status = 'final' and (kind = 'cold' or from_address is null) group by 1, 2, 3`

// The same, less what refills from accounts have taken. Those are in no chain account: what they bring is a payment.
const leftInCold = sql`
  select environment, network, currency, sum(moved) as moved from (
    ${movedToCold}
    union all
    select split_part(gate_id, '-', 2), split_part(gate_id, '-', 1), currency, -units from spends
    where kind = 'refill' and status = 'final' and from_address is not null
    union all
    select split_part(gate_id, '-', 2), split_part(gate_id, '-', 1), fee_currency, -cold_fee_units
    from spends join lateral (
      select cold_fee_units from refill_bookings where spend_id = spends.id order by booking desc limit 1) as booked on true
    where kind = 'refill' and status in ('final', 'reverted')
  ) as moved group by 1, 2, 3`

/** What the books promise about money that leaves, and about funds that are still on chain. */
export const spendChecks: readonly Check[] = [
  {
    promise:
      'a payout is processing while its spend is open, completed when it is final, and failed otherwise',
    differences: sql`
      select format('payout %s: it is %s, and its spend %s is %s', payouts.id, payouts.status, spends.id, spends.status)
        as difference
      from payouts join spends on spends.id = spend_id
      where payouts.status <> case spends.status when 'open' then 'processing' when 'final' then 'completed' else 'failed' end
      union all
      select format('spend %s: it should pay payouts, but has none', id) from spends
      where kind = 'payout' and lost_units is null and not exists (select from payouts where spend_id = spends.id)`,
  },
  {
    promise:
      'every chain account balances confirmed payments against completed payouts, network fees, lost payouts, moves to the cold wallet and moves outside Sluice',
    differences: sql`
      select format('chain account of %s on %s (%s): its balance is %s; payments brought %s, payouts took %s, network fees %s, lost payouts %s, the cold wallet %s and moves outside Sluice %s',
        currency, network, environment, coalesce(booked, 0), coalesce(brought, 0), coalesce(took, 0), coalesce(fees, 0),
        coalesce(lost, 0), coalesce(cold.moved, 0), coalesce(outside.moved, 0)) as difference
      from (
        select environment, network, currency, balance_units as booked from ledger_accounts where kind = 'chain'
      ) as account
      full join (
        select environment, network, currency, sum(units) as brought
        from payments join payment_bookings on payment_id = payments.id and credited group by 1, 2, 3
      ) as payment using (environment, network, currency)
      full join (
        select environment, network, currency, sum(amount_units) as took from payouts where status = 'completed' group by 1, 2, 3
      ) as payout using (environment, network, currency)
      full join (
        select split_part(gate_id, '-', 2) as environment, split_part(gate_id, '-', 1) as network, fee_currency as currency,
          sum(fee_units) as fees
        from spends where status in ('final', 'reverted') and kind <> 'absorb' and (kind <> 'refill' or from_address is null)
        group by 1, 2, 3
      ) as spend using (environment, network, currency)
      full join (
        select split_part(gate_id, '-', 2) as environment, split_part(gate_id, '-', 1) as network, lost_currency as currency,
          sum(lost_units) as lost
        from spends where status = 'final' and lost_units is not null group by 1, 2, 3
      ) as forgotten using (environment, network, currency)
      full join (
        select split_part(gate_id, '-', 2) as environment, split_part(gate_id, '-', 1) as network, currency, sum(units) as moved
        from outside_moves group by 1, 2, 3
      ) as outside using (environment, network, currency)
      full join (${movedToCold}) as cold using (environment, network, currency)
      where coalesce(booked, 0) <> coalesce(took, 0) + coalesce(fees, 0) + coalesce(lost, 0) + coalesce(outside.moved, 0)
        + coalesce(cold.moved, 0) - coalesce(brought, 0)`,
  },
  {
    promise:
      'every cold account balances what moves have brought to the cold wallet against what came back from it',
    differences: sql`
      select format('cold account of %s on %s (%s): its balance is %s, but moves and refills have left %s in the cold wallet',
        currency, network, environment, coalesce(booked, 0), coalesce(moved, 0)) as difference
      from (
        select environment, network, currency, balance_units as booked from ledger_accounts where kind = 'cold'
      ) as account
      full join (${leftInCold}) as cold using (environment, network, currency)
      where coalesce(booked, 0) <> -coalesce(moved, 0)`,
  },
  {
    promise:
      'the free balance of a hot wallet is what came in, less what its spends took or have claimed and moves outside Sluice',
    differences: sql`
      select format('hot wallet of %s: its recorded free balance is %s %s, but its transactions leave %s', gate_id, coalesce(units, 0), currency,
        coalesce(free, 0)) as difference
      from hot_balances
      full join (
        select gate_id, currency, sum(units) as free from (
          select payments.gate_id, payments.currency, payments.units
          from payments join spends on spends.id = pinned_by and spends.kind = 'absorb'
          union all
          select gate_id, currency, units from spends where kind = 'sweep' and status = 'final'
          union all
          select gate_id, currency, -units from spends
          where kind in ('payout', 'gas', 'fill', 'cold', 'trust') and from_address is not null and status in ('open', 'final')
          union all
          select gate_id, currency, -units from outside_moves
          union all
          select gate_id, fee_currency, -case status when 'open' then max_fee_units else fee_units end
          from (${judged}) as spend
          where (kind in ('payout', 'gas', 'fill', 'cold', 'trust') and from_address is not null or nonce_account is not null)
            and status <> 'dead'
        ) as moved group by 1, 2
      ) as summed using (gate_id, currency)
      where coalesce(units, 0) <> coalesce(free, 0)`,
  },
  {
    promise: 'no dead spend claims anything on chain, and every mined transaction was signed for its spend',
    differences: sql`
      select format('payment %s: it is claimed by spend %s, which is dead', payments.id, spends.id) as difference
      from payments join spends on spends.id = pinned_by where spends.status = 'dead'
      union all
      select format('change %s:%s: it is claimed by spend %s, which is dead', tx_hash, output_index, spends.id)
      from change_coins join spends on spends.id = pinned_by where spends.status = 'dead'
      union all
      select format('cold coin %s:%s: it is claimed by spend %s, which is dead', tx_hash, output_index, spends.id)
      from cold_coins join spends on spends.id = pinned_by where spends.status = 'dead'
      union all
      select format('spend %s: transaction %s is recorded as mined for it, but was never signed', id, mined_hash) from spends
      where mined_hash is not null
        and not exists (select from spend_transactions where spend_id = spends.id and tx_hash = mined_hash)`,
  },
  {
    promise: 'every spendable coin is on the chain',
    differences: sql`
      select format('coin %s:%s of %s: the books have it with %s units, but the node reports it as missing',
        tx_hash, output_index, gate_id, units) as difference
      from missing_coins join (
        select gate_id, tx_hash, output_index, units from payments where pinned_by is null and block_height is not null
        union all
        select gate_id, tx_hash, output_index, units from change_coins where pinned_by is null
      ) as coin using (gate_id, tx_hash, output_index)`,
  },
  {
    promise: 'no address has less native currency on chain than the books say',
    differences: sql`
      select format('address %s of %s: it should have %s units of %s, and at block %s it had %s', address, gate_id,
        expected_units, currency, block_height, found_units) as difference
      from balance_shortfalls`,
  },
]
