import type { GateId } from '../../domain/networks/network.ts'
import { planFromJson } from '../../domain/plan-json.ts'
import type { SpendPlan, SpendStatus } from '../../domain/spends.ts'
import { type Db, sql } from '../sql.ts'
import { isDisplaced } from './holdings.ts'

/** A coin of the cold wallet that a refill may use, or uses. */
export type RefillableCoin = {
  readonly txHash: string
  readonly outputIndex: number
  readonly units: bigint
  readonly address: string
  /** Null where the cold wallet is a single address. */
  readonly index: number | null
}

type OutPoint = Pick<RefillableCoin, 'txHash' | 'outputIndex'>

/** A refill, by its spend. */
export type Refill = { readonly spendId: string; readonly gateId: GateId; readonly txHash: string }

/** A new refill. */
export type NewRefill = Omit<Refill, 'gateId'> & {
  readonly preparedBy: string
  /** The dead refill whose transaction was mined after all. */
  readonly againOf: string | null
}

/** A refill with its state, and who prepared it. */
export type KnownRefill = Refill & { readonly status: SpendStatus; readonly preparedBy: string }

/** A refill that the chain may hold although no signed transaction is stored, or although it has ended. */
export type WatchedRefill = Refill & { readonly isDead: boolean; readonly preparedBy: string }

/** An open refill as the operator sees it. */
export type OpenRefill = {
  readonly id: string
  readonly txHash: string
  readonly plan: SpendPlan
  readonly preparedAt: Date
  readonly preparedBy: string
  readonly isSigned: boolean
  /** Why the transaction could not be stored although the chain has it; null otherwise. */
  readonly refusal: string | null
  /** What the node said against it when it was last sent. */
  readonly answer: string | null
}

type CoinRow = Omit<RefillableCoin, 'index'> & { readonly index: bigint | null }

const coinFrom = ({ index, ...coin }: CoinRow): RefillableCoin => ({
  ...coin,
  index: index === null ? null : Number(index),
})

const coinColumns = sql`cold_coins.tx_hash as "txHash", cold_coins.output_index as "outputIndex", cold_coins.units, address,
  cold_index as index`
const refillColumns = sql`spends.id as "spendId", spends.gate_id as "gateId", refills.tx_hash as "txHash"`

const knownColumns = sql`${refillColumns}, status, prepared_by as "preparedBy"`

const listed = (outputs: readonly OutPoint[]) => sql`
  unnest(${outputs.map(({ txHash }) => txHash)}::text[], ${outputs.map(({ outputIndex }) => outputIndex)}::bigint[])
    as wanted (tx_hash, output_index)`

/** What comes back from the operator's cold wallet. */
export function refillsOn(db: Db) {
  return {
    /** The cold wallet's coins that no refill uses and whose own transaction is in a followed block, largest first. */
    async freeCoins(gateId: string, limit: number): Promise<RefillableCoin[]> {
      const rows = await sql<CoinRow>`
        select ${coinColumns} from cold_coins join spends as maker on maker.id = made_by and maker.status = 'final'
        where cold_coins.gate_id = ${gateId} and pinned_by is null and not (${isDisplaced})
        order by cold_coins.units desc, cold_coins.tx_hash, cold_coins.output_index limit ${limit}`.rows(db)
      return rows.map(coinFrom)
    },

    /** Those of the outputs that are the cold wallet's coins, with the refill that uses each. */
    async coins(
      gateId: string,
      outputs: readonly OutPoint[],
    ): Promise<(RefillableCoin & { readonly pinnedBy: string | null })[]> {
      const rows = await sql<CoinRow & { readonly pinnedBy: string | null }>`
        select ${coinColumns}, pinned_by as "pinnedBy" from cold_coins join ${listed(outputs)} using (tx_hash, output_index)
        where gate_id = ${gateId}`.rows(db)
      return rows.map(({ pinnedBy, ...row }) => ({ ...coinFrom(row), pinnedBy }))
    },

    /** Pins coins to a refill. Returns false if another has taken one of them; then the caller must not commit. */
    async pin(gateId: string, coins: readonly OutPoint[], spendId: string): Promise<boolean> {
      const changed = await sql`
        update cold_coins set pinned_by = ${spendId} from ${listed(coins)}
        where gate_id = ${gateId} and cold_coins.tx_hash = wanted.tx_hash
          and cold_coins.output_index = wanted.output_index and pinned_by is null
        returning cold_coins.tx_hash`.run(db)
      return changed === coins.length
    },

    /** Inserts a refill after its spend. */
    async insert({ spendId, txHash, preparedBy, againOf }: NewRefill): Promise<void> {
      await sql`
        insert into refills (spend_id, tx_hash, prepared_by, again_of)
        values (${spendId}, ${txHash}, ${preparedBy}, ${againOf})`.run(db)
    },

    async find(spendId: string): Promise<Refill | null> {
      return sql<Refill>`
        select ${refillColumns} from refills join spends on spends.id = spend_id where spend_id = ${spendId}`.maybeOne(
        db,
      )
    },

    /** The newest refill of a gate with this hash; null when there is none. */
    async withHash(gateId: string, txHash: string): Promise<KnownRefill | null> {
      return sql<KnownRefill>`
        select ${knownColumns} from refills join spends on spends.id = spend_id
        where gate_id = ${gateId} and refills.tx_hash = ${txHash}
        order by spends.created_at desc, spend_id desc limit 1`.maybeOne(db)
    },

    /**
     * The refill that a file is for, on any network: the newest one with its hash; without one, a refill that uses any
     * of its coins. Null when there is neither.
     */
    async meantBy(txHash: string, coins: readonly OutPoint[]): Promise<KnownRefill | null> {
      return sql<KnownRefill>`
        select ${knownColumns} from refills join spends on spends.id = spend_id
        where refills.tx_hash = ${txHash} or spend_id in (
          select pinned_by from cold_coins join ${listed(coins)} using (tx_hash, output_index))
        order by refills.tx_hash = ${txHash} desc, spends.created_at desc, spend_id desc limit 1`.maybeOne(db)
    },

    /** The open refills of a gate, oldest first. */
    async open(gateId: string): Promise<OpenRefill[]> {
      const rows = await sql<Omit<OpenRefill, 'plan'> & { plan: string }>`
        select spends.id, refills.tx_hash as "txHash", plan::text as plan, spends.created_at as "preparedAt",
          prepared_by as "preparedBy", bytes is not null as "isSigned", refusal, answer
        from refills join spends on spends.id = refills.spend_id
        join spend_transactions on spend_transactions.spend_id = spends.id and attempt = 1
        where gate_id = ${gateId} and status = 'open' and from_address is null order by spends.created_at, spends.id`.rows(
        db,
      )
      return rows.map((row) => ({ ...row, plan: planFromJson(row.plan) }))
    },

    /** The gates with an open or dead refill. Any other has nothing to look for. */
    async gates(): Promise<ReadonlySet<string>> {
      const rows = await sql<{ gateId: string }>`
        select distinct gate_id as "gateId" from spends where kind = 'refill' and status in ('open', 'dead')`.rows(
        db,
      )
      return new Set(rows.map(({ gateId }) => gateId))
    },

    /**
     * What to look for on the chain of a gate: open refills of which no signed transaction was handed in, and then dead ones
     * that nothing in the followed blocks rules out. None whose transaction another refill books.
     */
    async watched(gateId: string): Promise<WatchedRefill[]> {
      return sql<WatchedRefill>`
        select maker.id as "spendId", maker.gate_id as "gateId", refills.tx_hash as "txHash",
          maker.status = 'dead' as "isDead", prepared_by as "preparedBy"
        from refills join spends as maker on maker.id = refills.spend_id
        where maker.gate_id = ${gateId} and maker.from_address is null and (
          maker.status = 'open' and not exists (
            select from spend_transactions where spend_id = maker.id and bytes is not null)
          or maker.status = 'dead' and ${isDisplaced} and not exists (
            select from refills as other join spends as booking on booking.id = other.spend_id
            where other.tx_hash = refills.tx_hash and booking.gate_id = maker.gate_id and booking.status <> 'dead'))
        order by "isDead", maker.created_at, maker.id`.rows(db)
    },
  }
}
