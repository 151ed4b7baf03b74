import type { Environment } from '../../domain/environment.ts'
import { type AccountPlan, type Coin, planFromJson, type SpendPlan } from '../../domain/spends.ts'
import { type Db, sql } from '../sql.ts'
import { changeCounter, holdingsOn } from './holdings.ts'
import { keepSignersAway } from './signer-lease.ts'

/** Payouts that were lost with a newer database, of one spend: how many, and what they were paid together. */
export type LostPayouts = { readonly currency: string; readonly units: bigint; readonly count: number }

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
      await holdingsOn(db).raiseCount(gateId, used.name, used.next)
    },

    /** Ends joins that nothing was ever signed for and that hold any of these coins: what is put back has used them. */
    async endUnsignedConsolidations(
      gateId: string,
      coins: readonly Pick<Coin, 'txHash' | 'outputIndex'>[],
    ): Promise<void> {
      const rows = await sql<{ id: string }>`
        with wanted as (
          select * from unnest(${coins.map(({ txHash }) => txHash)}::text[],
            ${coins.map(({ outputIndex }) => outputIndex)}::integer[]) as coin (tx_hash, output_index)
        )
        update spends set status = 'dead', ended_at = clock_timestamp()
        where gate_id = ${gateId} and kind = 'consolidation' and status = 'open'
          and not exists (select from spend_transactions where spend_id = spends.id and bytes is not null)
          and id in (
            select pinned_by from payments join wanted using (tx_hash, output_index) where gate_id = ${gateId}
            union all
            select pinned_by from change_coins join wanted using (tx_hash, output_index) where gate_id = ${gateId})
        returning id`.rows(db)
      for (const { id } of rows) await holdingsOn(db).release(id)
    },

    /** Ends what was planned to use an account's number up, if nothing was ever signed for that; the plans that it ended. */
    async endUnsignedFills(gateId: string, address: string, nonce: bigint): Promise<SpendPlan[]> {
      const rows = await sql<{ plan: string }>`
        with ended as (
          update spends set status = 'dead', ended_at = clock_timestamp()
          where gate_id = ${gateId} and kind = 'fill' and status = 'open' and from_address = ${address}
            and nonce = ${nonce.toString()}
            and not exists (select from spend_transactions where spend_id = spends.id and bytes is not null)
          returning id
        )
        select plan::text from ended join spend_transactions on spend_id = ended.id and attempt = 1`.rows(db)
      return rows.map(({ plan }) => planFromJson(plan))
    },

    /** Notes which gates of an environment are behind the journal: exactly these. */
    async setBehind(environment: Environment, gateIds: readonly string[]): Promise<void> {
      await sql`
        with caught_up as (
          delete from gates_behind where gate_id like '%-' || ${environment}::text and gate_id <> all(${gateIds}::text[])
        )
        insert into gates_behind (gate_id) select unnest(${gateIds}::text[]) on conflict do nothing`.run(db)
    },

    /** Whether the journal has transactions of a gate that this database has forgotten. */
    async isBehind(gateId: string): Promise<boolean> {
      const found = await sql`select from gates_behind where gate_id = ${gateId}`.run(db)
      return found > 0
    },

    /** Notes what a spend pays for payouts that nobody knows any more. */
    async noteLost(spendId: string, { currency, units, count }: LostPayouts): Promise<void> {
      await sql`
        update spends set lost_currency = ${currency}, lost_units = ${units.toString()}, lost_count = ${count}
        where id = ${spendId} and lost_units is null`.run(db)
    },

    /** What a spend pays for payouts that nobody knows any more; null when it knows them all. */
    async lostOf(spendId: string): Promise<LostPayouts | null> {
      return sql<LostPayouts>`
        select lost_currency as currency, lost_units as units, lost_count as count from spends
        where id = ${spendId} and lost_units is not null`.maybeOne(db)
    },

    /** Makes a spend that nothing was ever signed for the carrier of another account's number. */
    async retarget(spendId: string, plan: AccountPlan): Promise<void> {
      await sql`
        update spends set from_address = ${plan.from.address}, nonce = ${plan.nonce.toString()},
          to_address = ${plan.to.address}, currency = ${plan.currency}, units = ${plan.units.toString()}
        where id = ${spendId} and status = 'open' and not exists (
          select from spend_transactions where spend_id = spends.id and bytes is not null)`.run(db)
    },
  }
}
