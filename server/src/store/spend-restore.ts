import { sql } from 'kysely'
import type { Environment } from '../domain/environment.ts'
import { type AccountPlan, maxFeeOf, type SpendPlan } from '../domain/spends.ts'
import type { Db } from './database.ts'
import { keepSignersAway } from './signer-lease.ts'

/** Puts back what a database restored from an older backup has forgotten. */
export function spendRestoreOn(db: Db) {
  return {
    /** Keeps signers away until the transaction ends; false when one works at this moment. */
    keepSignersAway: (environment: Environment): Promise<boolean> => keepSignersAway(db, environment),

    /** Makes sure that no number which a transaction has used is given again. */
    async raiseCounters(gateId: string, plan: SpendPlan): Promise<void> {
      const used =
        plan.kind === 'account'
          ? { name: plan.from.address, next: plan.nonce + 1n }
          : plan.change === null
            ? null
            : { name: 'change', next: BigInt(plan.change.index) + 1n }
      if (used === null) return
      await sql`
        insert into spend_counters as counter (gate_id, name, next) values (${gateId}, ${used.name}, ${used.next.toString()})
        on conflict (gate_id, name) do update set next = excluded.next where counter.next < excluded.next`.execute(
        db,
      )
    },

    /** Makes a spend that nothing was ever signed for the carrier of another account's number. */
    async retarget(spendId: string, plan: AccountPlan): Promise<void> {
      await sql`
        update spends set from_address = ${plan.from.address}, nonce = ${plan.nonce.toString()},
          to_address = ${plan.to.address}, currency = ${plan.currency}, units = ${plan.units.toString()}
        where id = ${spendId} and status = 'open' and not exists (
          select from spend_transactions where spend_id = spends.id and bytes is not null)`.execute(db)
    },

    /** Claims from the hot wallet what a transfer takes, or gives it back. */
    async claimHot(gateId: string, plan: AccountPlan, native: string, sign: 1n | -1n): Promise<boolean> {
      const taken = new Map([[plan.currency, plan.units]])
      taken.set(native, (taken.get(native) ?? 0n) + maxFeeOf(plan))
      const changes = [...taken].sort(([a], [b]) => (a < b ? -1 : 1))
      const { rows } = await sql`
        update hot_balances as held set units = held.units + change.units
        from unnest(${changes.map(([currency]) => currency)}::text[],
          ${changes.map(([, units]) => (units * -sign).toString())}::numeric[]) as change (currency, units)
        where held.gate_id = ${gateId} and held.currency = change.currency and held.units + change.units >= 0
        returning 1`.execute(db)
      return rows.length === changes.length
    },
  }
}
