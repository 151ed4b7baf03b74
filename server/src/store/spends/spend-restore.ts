import type { Environment } from '../../domain/environment.ts'
import { planFromJson } from '../../domain/plan-json.ts'
import type { AccountPlan, Coin, SolanaPlan, SpendPlan } from '../../domain/spends.ts'
import { type Db, sql } from '../sql.ts'
import { changeCounter, holdingsOn } from './holdings.ts'
import { keepSignersAway } from './signer-lease.ts'

/** Payouts of one spend that were lost with a newer database: how many, and their total amount. */
export type LostPayouts = { readonly currency: string; readonly units: bigint; readonly count: number }

/** Restores what a database from an older backup has forgotten. */
export function spendRestoreOn(db: Db) {
  return {
    /** Keeps signers away until the transaction ends; false when one is running. */
    keepSignersAway: (environment: Environment): Promise<boolean> => keepSignersAway(db, environment),

    /**
     * Makes sure that a nonce or change address that a transaction has used is not given out again. Solana has no counter: the
     * network says which value of a nonce account is next.
     */
    async raiseCounters(gateId: string, plan: SpendPlan): Promise<void> {
      const used =
        plan.kind === 'account'
          ? { name: plan.from.address, next: plan.nonce + 1n }
          : plan.kind === 'solana' || plan.change === null
            ? null
            : { name: changeCounter, next: BigInt(plan.change.index) + 1n }
      if (used === null) return
      await holdingsOn(db).raiseCount(gateId, used.name, used.next)
    },

    /**
     * Ends consolidations and moves to the cold wallet that were never signed and hold any of these coins, because a restored
     * transaction has used them.
     */
    async endUnsignedMoves(
      gateId: string,
      coins: readonly Pick<Coin, 'txHash' | 'outputIndex'>[],
    ): Promise<void> {
      const rows = await sql<{ id: string }>`
        with wanted as (
          select * from unnest(${coins.map(({ txHash }) => txHash)}::text[],
            ${coins.map(({ outputIndex }) => outputIndex)}::integer[]) as coin (tx_hash, output_index)
        )
        update spends set status = 'dead', ended_at = clock_timestamp()
        where gate_id = ${gateId} and kind in ('consolidation', 'cold') and status = 'open'
          and not exists (select from spend_transactions where spend_id = spends.id and bytes is not null)
          and id in (
            select pinned_by from payments join wanted using (tx_hash, output_index) where gate_id = ${gateId}
            union all
            select pinned_by from change_coins join wanted using (tx_hash, output_index) where gate_id = ${gateId})
        returning id`.rows(db)
      for (const { id } of rows) await holdingsOn(db).release(id)
    },

    /** Ends fills of an account's nonce that were never signed. Returns their plans. */
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

    /** Records which gates of an environment are behind the journal: exactly these. */
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

    /** Records what a spend pays for payouts that are lost. */
    async noteLost(spendId: string, { currency, units, count }: LostPayouts): Promise<void> {
      await sql`
        update spends set lost_currency = ${currency}, lost_units = ${units.toString()}, lost_count = ${count}
        where id = ${spendId} and lost_units is null`.run(db)
    },

    /** What a spend pays for payouts that are lost; null when there are none. */
    async lostOf(spendId: string): Promise<LostPayouts | null> {
      return sql<LostPayouts>`
        select lost_currency as currency, lost_units as units, lost_count as count from spends
        where id = ${spendId} and lost_units is not null`.maybeOne(db)
    },

    /**
     * Gives a spend that was never signed the account, nonce, receiver and amount of another plan. On Solana it keeps its
     * number, which is not the network's.
     */
    async retarget(spendId: string, plan: AccountPlan | SolanaPlan): Promise<void> {
      await sql`
        update spends set from_address = ${plan.from.address},
          nonce = coalesce(${plan.kind === 'account' ? plan.nonce.toString() : null}, nonce),
          to_address = ${plan.to.address}, currency = ${plan.currency}, units = ${plan.units.toString()}
        where id = ${spendId} and status = 'open' and not exists (
          select from spend_transactions where spend_id = spends.id and bytes is not null)`.run(db)
    },
  }
}
