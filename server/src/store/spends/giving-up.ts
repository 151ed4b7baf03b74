import type { GateId } from '../../domain/networks/network.ts'
import { type Db, sql } from '../sql.ts'

/** Spends of coins that the signer refuses for good: it is asked to give them up, and confirms that it has. */
export function givingUpOn(db: Db) {
  const unsigned = sql`not exists (
    select from spend_transactions where spend_id = spends.id and bytes is not null)`
  return {
    /**
     * Asks the signer to give up spends that it has refused for good at least `sinceMs` ago and never signed. Returns how
     * many are new.
     */
    async ask(sinceMs: number): Promise<number> {
      const changed = await sql`
        update spends set give_up_asked_at = clock_timestamp()
        where status = 'open' and kind in ('payout', 'consolidation', 'cold') and from_address is null and give_up_asked_at is null
          and ${unsigned} and id in (
            select spend_id from spend_transactions
            where bytes is null and refused_for_good_at <= clock_timestamp() - ${sinceMs} * interval '1 millisecond')
        returning id`.run(db)
      return changed
    },

    /**
     * The signer's confirmation that it will never sign a spend that it was asked to give up. The spend is not offered for
     * signing again.
     */
    async giveUp(spendId: string): Promise<void> {
      await sql`
        update spends set given_up_at = clock_timestamp()
        where id = ${spendId} and status = 'open' and give_up_asked_at is not null and given_up_at is null
          and ${unsigned}`.run(db)
    },

    /** Open spends that the signer has given up. */
    async list(limit: number): Promise<{ readonly id: string; readonly gateId: GateId }[]> {
      return sql<{ id: string; gateId: GateId }>`
        select id, gate_id as "gateId" from spends
        where given_up_at is not null and status = 'open' order by id limit ${limit}`.rows(db)
    },
  }
}
