import { type Db, sql } from '../../src/store/sql.ts'
import { gateIds } from './networks.ts'

export type Progress = {
  /** Nothing is in progress any more: no payout, no transaction, no job. */
  readonly isEnded: boolean
  /** Gates on which something waits for a block, and whose last block has been followed. */
  readonly awaited: readonly string[]
}

/** A refill that was prepared and not handed in. */
const waitsForOperator = sql`kind = 'refill' and not exists (
  select from spend_transactions where spend_id = spends.id and bytes is not null)`

export async function stateOf(db: Db): Promise<Progress> {
  return sql<Progress>`
    select coalesce(array_agg(gate_id) filter (where followed and moving), '{}') as awaited,
      bool_and(followed and not moving)
        and not exists (select from payouts where status in ('approved', 'processing'))
        and not exists (select from spends where status = 'open' and not (${waitsForOperator}))
        and not exists (select from jobs) as "isEnded"
    from (
      select gate_id, chain.hash = followed.hash as followed,
        exists (select from simulated_transactions as t where t.gate_id = chain.gate_id and state = 'waiting')
        or exists (select from spends join spend_transactions on spend_id = spends.id
          where spends.gate_id = chain.gate_id and status = 'open' and sent_at is not null)
        or exists (select from payments where payments.gate_id = chain.gate_id and matures_at > chain.height)
          as moving
      from simulated_chains as chain join followed_chains as followed using (gate_id)
      where gate_id = any(${gateIds}::text[])
    ) as chains`.one(db)
}
