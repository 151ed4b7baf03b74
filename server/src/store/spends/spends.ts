import type { BlockRef } from '../../domain/chain.ts'
import type { Environment } from '../../domain/environment.ts'
import type { GateId } from '../../domain/networks/network.ts'
import { maxPlanBytes, planToJson } from '../../domain/plan-json.ts'
import {
  maxFeeOf,
  type Refusal,
  type SignedTransaction,
  type Spend,
  type SpendKind,
  type SpendPlan,
} from '../../domain/spends.ts'
import { type Db, sql } from '../sql.ts'
import { rowNow } from '../test-clocks.ts'
import { holdingsOn } from './holdings.ts'
import { type SpendRow, spendColumns, spendsFrom } from './spend-rows.ts'

/** A new spend. Its coins or nonce are pinned in the same transaction. */
export type NewSpend = {
  readonly id: string
  readonly gateId: GateId
  readonly kind: Exclude<SpendKind, 'absorb'>
  readonly plan: SpendPlan
  /** The currency that the network takes its fee in. */
  readonly feeCurrency: string
  readonly afterSpendId: string | null
}

/** An attempt that waits for a signature. The signer reads its plan itself. */
export type UnsignedTransaction = {
  readonly spendId: string
  readonly attempt: number
  readonly gateId: GateId
  readonly kind: SpendKind
  /** As JSON; null when it is longer than any plan. */
  readonly plan: string | null
  readonly refusal: string | null
  /** Whether a later attempt is to use up the nonce in its place. */
  readonly isGivenUp: boolean
  /** Whether the signer is asked to confirm that it will never sign it. */
  readonly isEndAsked: boolean
  /** Whether its account has less than the signed transactions send and cost. */
  readonly isUnfunded: boolean
}

/** How a spend has ended, with the block that proves it. */
export type SpendEnd =
  | {
      readonly status: 'final' | 'reverted'
      readonly hash: string
      readonly block: BlockRef
      readonly feeUnits: bigint
    }
  | {
      readonly status: 'dead'
      /** The block with the transaction that rules it out, where the chain has shown one. */
      readonly block?: BlockRef
    }

/** A spend that no other process checks for a while. The claim ends as soon as a new check is scheduled. */
export type ClaimedSpend = Spend & { readonly claim: string }

export function spendsOn(db: Db) {
  /** On Solana the number is only ours: it tells the hot wallet's spends apart. */
  async function nonceOf(gateId: GateId, plan: SpendPlan): Promise<bigint | null> {
    if (plan.kind === 'coins') return null
    return plan.kind === 'account' ? plan.nonce : holdingsOn(db).takeCount(gateId, plan.from.address)
  }

  return {
    /** Inserts a spend with its first attempt, for the signer to sign. */
    async insert({ id, gateId, kind, plan, feeCurrency, afterSpendId }: NewSpend): Promise<void> {
      const transfer = plan.kind === 'coins' ? null : plan
      const nonce = await nonceOf(gateId, plan)
      const lifetime = plan.kind === 'solana' ? plan.lifetime : null
      await sql`
        with spend as (
          insert into spends (id, gate_id, kind, from_address, nonce, to_address, currency, units, fee_currency,
            after_spend_id, nonce_account, nonce_value)
          values (${id}, ${gateId}, ${kind}, ${transfer?.from.address ?? null}, ${nonce?.toString() ?? null},
            ${transfer?.to.address ?? null}, ${transfer?.currency ?? null}, ${transfer?.units.toString() ?? null},
            ${feeCurrency}, ${afterSpendId}, ${lifetime?.index ?? null},
            ${lifetime?.kind === 'nonce' ? lifetime.value : null})
          returning id
        )
        insert into spend_transactions (spend_id, attempt, plan, max_fee_units)
        select id, 1, ${planToJson(plan)}::jsonb, ${maxFeeOf(plan).toString()} from spend`.run(db)
    },

    /** Records funds that arrived at the hot wallet itself: nothing has to be sent for them. */
    async insertAbsorbed(id: string, gateId: string): Promise<void> {
      await sql`
        insert into spends (id, gate_id, kind, status, ended_at)
        values (${id}, ${gateId}, 'absorb', 'final', clock_timestamp())`.run(db)
    },

    /** Makes the next attempt of an open spend wait for another spend. */
    async letFollow(id: string, afterSpendId: string): Promise<void> {
      await sql`update spends set after_spend_id = ${afterSpendId} where id = ${id} and status = 'open'`.run(
        db,
      )
    },

    /** Makes the spends that wait for one spend wait for another. */
    async waitFor(spendId: string, insteadOf: string): Promise<void> {
      await sql`
        update spends set after_spend_id = ${spendId} where after_spend_id = ${insteadOf} and status = 'open'`.run(
        db,
      )
    },

    /** Records how much a spend from an account moves, where that depends on which attempt is mined. */
    async noteMoved(id: string, units: bigint): Promise<void> {
      await sql`update spends set units = ${units.toString()} where id = ${id}`.run(db)
    },

    /** How much of a currency is being swept into the hot wallet. */
    async underWay(gateId: string, currency: string): Promise<bigint> {
      const { units } = await sql<{ units: bigint }>`
        select coalesce(sum(units), 0) as units from spends
        where gate_id = ${gateId} and currency = ${currency} and kind = 'sweep' and status = 'open'`.one(db)
      return units
    },

    /** Whether a consolidation of the gate's coins is open. */
    async isConsolidating(gateId: string): Promise<boolean> {
      const found = await sql`
        select from spends where gate_id = ${gateId} and kind = 'consolidation' and status = 'open'`.run(db)
      return found > 0
    },

    /**
     * Adds an attempt, which uses the same coins or nonce as the earlier ones. `claimedFeeUnits` is what the books hold for
     * the network from now on.
     */
    async addAttempt(
      spendId: string,
      attempt: number,
      plan: SpendPlan,
      claimedFeeUnits = maxFeeOf(plan),
    ): Promise<void> {
      await sql`
        insert into spend_transactions (spend_id, attempt, plan, max_fee_units)
        values (${spendId}, ${attempt}, ${planToJson(plan)}::jsonb, ${claimedFeeUnits.toString()})`.run(db)
    },

    /** What the signer of an environment has to sign: attempts that it has not refused come first, then the oldest. */
    async unsigned(environment: Environment, limit: number): Promise<UnsignedTransaction[]> {
      return sql<UnsignedTransaction>`
        select spend_id as "spendId", attempt, gate_id as "gateId", kind,
          case when octet_length(plan::text) <= ${maxPlanBytes} then plan::text end as plan, refusal,
          exists (select from spend_transactions as later where later.spend_id = spends.id and later.cancels
            and later.attempt > spend_transactions.attempt) as "isGivenUp", give_up_asked_at is not null as "isEndAsked",
          short_since is not null as "isUnfunded"
        from spend_transactions join spends on spends.id = spend_id
        where bytes is null and kind <> 'refill' and status = 'open' and given_up_at is null and gate_id like ${`%-${environment}`}
        order by refusal is not null, planned_at, spend_id limit ${limit}`.rows(db)
    },

    /**
     * Stores a signed transaction. Returns false if one is stored for this attempt already, which stays, or if the spend is
     * given up.
     */
    async saveSigned(spendId: string, attempt: number, { hash, bytes }: SignedTransaction): Promise<boolean> {
      const changed = await sql`
        with signed as (
          update spend_transactions
          set tx_hash = ${hash}, bytes = ${Buffer.from(bytes)}, signed_at = clock_timestamp(), refusal = null,
            refused_for_good_at = null
          where spend_id = ${spendId} and attempt = ${attempt} and bytes is null
            and spend_id in (select id from spends where given_up_at is null)
          returning spend_id, cancels
        ), looked_at as (
          update spends set look_at = clock_timestamp()
          where id in (select spend_id from signed)
        ), shown as (
          update payouts set tx_hash = ${hash}, waiting_reason = null, updated_at = ${rowNow}
          where spend_id in (select spend_id from signed where not cancels) and status = 'processing'
        )
        select spend_id from signed`.run(db)
      return changed > 0
    },

    /**
     * Records why an attempt is not signed, also on the payouts of the spend. Writes nothing and returns false if the reason
     * is already recorded.
     */
    async refuse(spendId: string, attempt: number, { reason, isForGood }: Refusal): Promise<boolean> {
      const { isNew } = await sql<{ isNew: boolean }>`
        with refused as (
          update spend_transactions set refusal = ${reason},
            refused_for_good_at = case when ${isForGood} then coalesce(refused_for_good_at, clock_timestamp()) end
          where spend_id = ${spendId} and attempt = ${attempt} and bytes is null and refusal is distinct from ${reason}
          returning spend_id
        ), told as (
          update payouts set waiting_reason = ${reason}, updated_at = ${rowNow}
          where spend_id in (select spend_id from refused) and status = 'processing'
        )
        select exists (select from refused) as "isNew"`.one(db)
      return isNew
    },

    /**
     * Open payouts, fills, trust lines and moves to the cold wallet from accounts with an attempt that the signer has refused for good at least `sinceMs` ago, and
     * for which nothing was ever signed.
     */
    async refusedForGood(sinceMs: number, limit: number): Promise<Spend[]> {
      const rows = await sql<SpendRow>`
        select ${spendColumns} from spends
        where status = 'open' and kind in ('payout', 'fill', 'cold', 'trust') and from_address is not null
          and id in (
            select spend_id from spend_transactions
            where bytes is null and refused_for_good_at <= clock_timestamp() - ${sinceMs} * interval '1 millisecond')
          and not exists (select from spend_transactions where spend_id = spends.id and bytes is not null)
        order by gate_id, nonce limit ${limit}`.rows(db)
      return spendsFrom(db, rows)
    },

    /**
     * Claims open spends that have a signed transaction and are due for a check. No other process checks them for `claimMs`,
     * unless something happens to them.
     */
    async claimToLookAt(limit: number, claimMs: number): Promise<ClaimedSpend[]> {
      const rows = await sql<SpendRow & { claim: string }>`
        update spends set look_at = clock_timestamp() + ${claimMs} * interval '1 millisecond'
        where id in (
          select id from spends
          where status = 'open' and look_at <= clock_timestamp()
            and exists (select from spend_transactions where spend_id = spends.id and bytes is not null)
          order by look_at, id limit ${limit} for update skip locked)
        returning ${spendColumns}, look_at::text as claim`.rows(db)
      const claims = new Map(rows.map(({ id, claim }) => [id, claim]))
      return (await spendsFrom(db, rows)).map((spend) => ({
        ...spend,
        claim: claims.get(spend.id) as string,
      }))
    },

    /**
     * Schedules a check of every open spend of a gate now, because its chain has moved. This includes spends that are being
     * checked, since what that check sees may be outdated.
     */
    async lookAtAll(gateId: string): Promise<void> {
      await sql`
        update spends set look_at = clock_timestamp()
        where id in (
          select id from spends
          where gate_id = ${gateId} and status = 'open' and look_at > clock_timestamp()
          order by id for update skip locked)`.run(db)
    },

    async find(id: string): Promise<Spend | null> {
      const rows = await sql<SpendRow>`select ${spendColumns} from spends where id = ${id}`.rows(db)
      return (await spendsFrom(db, rows))[0] ?? null
    },

    /** The spend, locked until the transaction ends. Lock its payouts first. */
    async lock(id: string): Promise<Spend> {
      const rows = await sql<SpendRow>`
        select ${spendColumns} from spends where id = ${id} for no key update`.rows(db)
      const [spend] = await spendsFrom(db, rows)
      if (spend === undefined) throw new Error(`There is no spend ${id}.`)
      return spend
    },

    /** Records that a transaction was sent to the network, and the network's answer. */
    async noteSent(spendId: string, attempt: number, answer: string | null): Promise<void> {
      await sql`
        update spend_transactions
        set sent_at = coalesce(sent_at, clock_timestamp()), last_sent_at = clock_timestamp(), answer = ${answer}
        where spend_id = ${spendId} and attempt = ${attempt} and signed_at is not null`.run(db)
    },

    /**
     * Schedules the next check of a claimed spend. Writes nothing if the spend was signed, moved or claimed again meanwhile.
     */
    async lookAgain({ id, claim }: ClaimedSpend, afterMs: number): Promise<void> {
      await sql`
        update spends set look_at = clock_timestamp() + ${afterMs} * interval '1 millisecond'
        where id = ${id} and status = 'open' and look_at = ${claim}::timestamptz`.run(db)
    },

    /** Ends an open spend that the caller has locked. */
    async end(id: string, end: SpendEnd): Promise<void> {
      const mined = end.status === 'dead' ? null : end
      const { block = null } = end
      await sql`
        update spends set status = ${end.status}, ended_at = clock_timestamp(),
          mined_hash = ${mined?.hash ?? null}, block_height = ${block?.height.toString() ?? null},
          block_hash = ${block?.hash ?? null}, fee_units = ${mined?.feeUnits.toString() ?? null}
        where id = ${id} and status = 'open'`.run(db)
    },

    /** Which of these transactions are our own. */
    async ownHashes(hashes: readonly string[]): Promise<Set<string>> {
      if (hashes.length === 0) return new Set()
      const rows = await sql<{ hash: string }>`
        select tx_hash as hash from spend_transactions where tx_hash = any(${[...new Set(hashes)]}::text[])
        union
        select tx_hash from refills where tx_hash = any(${[...new Set(hashes)]}::text[])`.rows(db)
      return new Set(rows.map(({ hash }) => hash))
    },

    /** Whether a spend of this kind and currency is open, or was planned within this time. */
    async hasRecent(gateId: string, kind: SpendKind, currency: string, withinMs: number): Promise<boolean> {
      const { found } = await sql<{ found: boolean }>`
        select exists (
          select from spends where gate_id = ${gateId} and kind = ${kind} and currency = ${currency}
            and (status = 'open' or created_at > clock_timestamp() - ${withinMs} * interval '1 millisecond')) as found`.one(
        db,
      )
      return found
    },

    /** Which of these transactions only move funds between our own addresses. */
    async ownMoves(hashes: readonly string[]): Promise<Set<string>> {
      const rows = await sql<{ hash: string }>`
        select tx_hash as hash from spend_transactions join spends on spends.id = spend_id
        where tx_hash = any(${[...new Set(hashes)]}::text[]) and kind in ('sweep', 'gas', 'consolidation', 'fill')`.rows(
        db,
      )
      return new Set(rows.map(({ hash }) => hash))
    },
  }
}
