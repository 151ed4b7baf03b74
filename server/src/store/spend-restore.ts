import { sql } from 'kysely'
import type { Environment } from '../domain/environment.ts'
import type { AccountPlan, Coin, SpendPlan } from '../domain/spends.ts'
import type { Db } from './database.ts'
import { changeCounter, holdingsOn } from './holdings.ts'
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
            : { name: changeCounter, next: BigInt(plan.change.index) + 1n }
      if (used === null) return
      await holdingsOn(db).raiseNumber(gateId, used.name, used.next)
    },

    /** Ends joins that nothing was ever signed for and that hold any of these coins: what is put back has used them. */
    async endUnsignedJoins(
      gateId: string,
      coins: readonly Pick<Coin, 'txHash' | 'outputIndex'>[],
    ): Promise<void> {
      const { rows } = await sql<{ id: string }>`
        with wanted as (
          select * from unnest(${coins.map(({ txHash }) => txHash)}::text[],
            ${coins.map(({ outputIndex }) => outputIndex)}::integer[]) as coin (tx_hash, output_index)
        )
        update spends set status = 'dead', ended_at = clock_timestamp()
        where gate_id = ${gateId} and kind = 'join' and status = 'open'
          and not exists (select from spend_transactions where spend_id = spends.id and bytes is not null)
          and id in (
            select pinned_by from payments join wanted using (tx_hash, output_index) where gate_id = ${gateId}
            union all
            select pinned_by from change_coins join wanted using (tx_hash, output_index) where gate_id = ${gateId})
        returning id`.execute(db)
      for (const { id } of rows) await holdingsOn(db).release(id)
    },

    /** Makes a spend that nothing was ever signed for the carrier of another account's number. */
    async retarget(spendId: string, plan: AccountPlan): Promise<void> {
      await sql`
        update spends set from_address = ${plan.from.address}, nonce = ${plan.nonce.toString()},
          to_address = ${plan.to.address}, currency = ${plan.currency}, units = ${plan.units.toString()}
        where id = ${spendId} and status = 'open' and not exists (
          select from spend_transactions where spend_id = spends.id and bytes is not null)`.execute(db)
    },
  }
}
