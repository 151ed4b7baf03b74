import type { GateId } from '../../domain/networks/network.ts'
import { type Db, sql } from '../sql.ts'

/** A coin that went to the cold wallet. */
export type ColdCoin = {
  readonly gateId: GateId
  readonly txHash: string
  readonly outputIndex: number
  readonly address: string
  /** Null where the cold wallet is a single address. */
  readonly index: number | null
  readonly units: bigint
  readonly madeBy: string
}

/** The same as the operator sees it. */
export type ListedColdCoin = {
  readonly txHash: string
  readonly outputIndex: number
  readonly address: string
  readonly index: bigint | null
  readonly units: bigint
}

/** How a currency of a gate is spread over hot and cold. */
export type ColdHoldingRow = {
  readonly gateId: string
  readonly currency: string
  readonly hotUnits: bigint
  readonly transitUnits: bigint
  readonly coldUnits: bigint
}

/** An address of the cold wallet that a move was planned to, by its index. */
export type ColdUse = { readonly index: number; readonly address: string }

/** What a move to the cold wallet takes, besides the fee. Coins have it in the plan alone. */
export const coldUnits = sql`coalesce(spends.units, (plan -> 'outputs' -> ((plan -> 'cold' ->> 'outputIndex')::integer)
  ->> 'units')::numeric)`

/** What a refill takes out of the cold wallet, with the fee. */
export const refillUnits = sql`((plan -> 'outputs' -> ((plan -> 'change' ->> 'outputIndex')::integer) ->> 'units')::numeric
  + (plan ->> 'feeUnits')::numeric)`

// Indexes of dead moves are used again, so newer moves than these have higher ones only after a change of the settings.
const maxUses = 100

/** Moves of funds to the operator's cold wallet. */
export function coldMovesOn(db: Db) {
  return {
    /**
     * Whether no move to the cold wallet may be planned on a gate now: one is open, or the signer has refused one in the
     * last hour. It would refuse the next one too, and payouts lack for a while what a refused move holds.
     */
    async isBlocked(gateId: string): Promise<boolean> {
      const found = await sql`
        select from spends where gate_id = ${gateId} and kind = 'cold' and (status = 'open'
          or created_at > clock_timestamp() - interval '1 hour' and exists (
            select from spend_transactions where spend_id = spends.id and refused_for_good_at is not null))
        limit 1`.run(db)
      return found > 0
    },

    /** The newest addresses below an extended key that moves went to or may still go to, highest index first. */
    async uses(gateId: string): Promise<ColdUse[]> {
      return sql<ColdUse>`
        select index, address from (
          select (plan -> 'cold' ->> 'index')::integer as index,
            plan -> 'outputs' -> ((plan -> 'cold' ->> 'outputIndex')::integer) ->> 'address' as address
          from spends join spend_transactions on spend_id = spends.id and attempt = 1
          where gate_id = ${gateId} and kind = 'cold' and status <> 'dead' and plan -> 'cold' ->> 'index' is not null
          order by created_at desc limit ${maxUses}
        ) as used order by index desc`.rows(db)
    },

    /** The most that the moves planned on a gate in the last 24 hours may cost, in the native currency. */
    async feesOfDay(gateId: string): Promise<bigint> {
      const { units } = await sql<{ units: bigint }>`
        select coalesce(sum((
          select max(max_fee_units) from spend_transactions where spend_id = spends.id)), 0) as units
        from spends
        where gate_id = ${gateId} and kind = 'cold' and created_at > clock_timestamp() - interval '24 hours'`.one(
        db,
      )
      return units
    },

    /**
     * By gate and currency: what our own keys hold by the books, what is on its way to the cold wallet or back, and what is
     * there. A refill is on its way as soon as it is prepared: the operator may send it at any time. Only where any of it is
     * not zero.
     */
    async holdings(): Promise<ColdHoldingRow[]> {
      return sql<ColdHoldingRow>`
        select gate_id as "gateId", currency, held - outbound as "hotUnits", outbound + inbound as "transitUnits",
          cold - inbound as "coldUnits"
        from (
          select gate_id, currency, coalesce(held, 0) as held, coalesce(cold, 0) as cold,
            coalesce(outbound, 0) as outbound, coalesce(inbound, 0) as inbound
          from (
            select network || '-' || environment as gate_id, currency,
              -coalesce(sum(balance_units) filter (where kind = 'chain'), 0) as held,
              -coalesce(sum(balance_units) filter (where kind = 'cold'), 0) as cold
            from ledger_accounts where kind in ('chain', 'cold') group by 1, 2
          ) as booked
          full join (
            select gate_id, coalesce(spends.currency, fee_currency) as currency,
              coalesce(sum(${coldUnits}) filter (where kind = 'cold'), 0) as outbound,
              coalesce(sum(coalesce(spends.units, ${refillUnits})) filter (where kind = 'refill'), 0) as inbound
            from spends join spend_transactions on spend_id = spends.id and attempt = 1
            where status = 'open' and (kind = 'cold' and bytes is not null or kind = 'refill') group by 1, 2
          ) as moving using (gate_id, currency)
        ) as summed
        where held <> 0 or cold <> 0 or outbound <> 0 or inbound <> 0 order by gate_id, currency`.rows(db)
    },

    /** The coins that went to the cold wallet of a gate, newest first. */
    async coins(gateId: string, limit: number): Promise<ListedColdCoin[]> {
      return sql<ListedColdCoin>`
        select cold_coins.tx_hash as "txHash", cold_coins.output_index as "outputIndex", address, cold_index as index,
          cold_coins.units
        from cold_coins join spends on spends.id = made_by
        where cold_coins.gate_id = ${gateId} and not exists (
          select from spends as refill where refill.id = pinned_by and refill.status = 'final')
        order by spends.created_at desc, made_by limit ${limit}`.rows(db)
    },

    /** Adds the coin of a final move. */
    async addCoin({ gateId, txHash, outputIndex, address, index, units, madeBy }: ColdCoin): Promise<void> {
      await sql`
        insert into cold_coins (gate_id, tx_hash, output_index, address, cold_index, units, made_by)
        values (${gateId}, ${txHash}, ${outputIndex}, ${address}, ${index}, ${units.toString()}, ${madeBy})`.run(
        db,
      )
    },

    /** The refill that has claimed the coin which this spend brought to the cold wallet; null when none has. */
    async refillOf(madeBy: string): Promise<string | null> {
      const row = await sql<{ pinnedBy: string }>`
        select pinned_by as "pinnedBy" from cold_coins where made_by = ${madeBy} and pinned_by is not null`.maybeOne(
        db,
      )
      return row?.pinnedBy ?? null
    },

    /** Removes the coin of a move that was not mined after all, or not by this transaction. */
    async removeCoin(madeBy: string): Promise<void> {
      await sql`delete from cold_coins where made_by = ${madeBy}`.run(db)
    },
  }
}
