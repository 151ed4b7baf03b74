import type { BlockRef } from '../../domain/chain.ts'
import type { KeyPath } from '../../domain/spends.ts'
import { type Db, sql } from '../sql.ts'

/** How far an old part of a chain has been read again. */
export type Rescan = {
  readonly gateId: string
  readonly fromHeight: bigint
  readonly nextHeight: bigint
  /** The hash of the block before the next; null before the first. */
  readonly lastHash: string | null
  readonly gap: number
  /** The highest positions found in use; -1 when there is none. */
  readonly highestDeposit: number
  readonly highestOwn: number
  readonly revision: bigint
  readonly isFinished: boolean
}

/** An output that pays us, and the block it was found in. */
export type FoundOutput = {
  readonly txHash: string
  readonly outputIndex: number
  readonly key: KeyPath
  readonly address: string
  readonly units: bigint
  readonly leastConfirmations: number
  readonly block: BlockRef
  readonly minedAt: Date
}

type Outpoint = Pick<FoundOutput, 'txHash' | 'outputIndex'>
type RescanRow = Omit<Rescan, 'highestDeposit' | 'highestOwn'> & {
  readonly highestDeposit: bigint
  readonly highestOwn: bigint
}
type OutputRow = Omit<FoundOutput, 'key' | 'block'> & {
  readonly chain: KeyPath['chain']
  readonly position: bigint
  readonly height: bigint
  readonly hash: string
}

/** Sorts before every output. */
export const beforeAll: Outpoint = { txHash: '', outputIndex: 0 }

const columns = sql`
  gate_id as "gateId", from_height as "fromHeight", next_height as "nextHeight", last_hash as "lastHash", gap,
  highest_deposit as "highestDeposit", highest_own as "highestOwn", revision, finished_at is not null as "isFinished"`

/** Rescans of chains, and the outputs they found. */
export function rescansOn(db: Db) {
  return {
    async find(gateId: string): Promise<Rescan | null> {
      const row = await sql<RescanRow>`select ${columns} from rescans where gate_id = ${gateId}`.maybeOne(db)
      return row === null ? null : rescanOf(row)
    },

    /**
     * Starts over at a height. Outputs that were taken stay; those found but not taken will be found again. Call it in a
     * transaction.
     */
    async begin(gateId: string, fromHeight: bigint, gap: number): Promise<Rescan> {
      const row = await sql<RescanRow>`
        insert into rescans (gate_id, from_height, next_height, gap)
        values (${gateId}, ${fromHeight.toString()}, ${fromHeight.toString()}, ${gap})
        on conflict (gate_id) do update set from_height = excluded.from_height, next_height = excluded.next_height,
          last_hash = null, gap = excluded.gap, finished_at = null, revision = rescans.revision + 1
        returning ${columns}`.one(db)
      await sql`delete from rescan_outputs where gate_id = ${gateId} and taken_at is null`.run(db)
      return rescanOf(row)
    },

    /** Continues an existing rescan. The process that ran it before can write nothing more. */
    async takeUp(gateId: string): Promise<Rescan> {
      const row = await sql<RescanRow>`
        update rescans set revision = revision + 1 where gate_id = ${gateId} returning ${columns}`.one(db)
      return rescanOf(row)
    },

    /**
     * The first statement of every transaction of a rescan, which it locks until the transaction ends. `read` is the last
     * block that is now completely read; null leaves that as it is. Returns false if another process has taken over the
     * rescan.
     */
    async advance({ gateId, revision }: Rescan, read: BlockRef | null): Promise<boolean> {
      const moved =
        read === null
          ? sql`next_height = next_height`
          : sql`next_height = ${(read.height + 1n).toString()}, last_hash = ${read.hash}`
      const changed = await sql`
        update rescans set ${moved} where gate_id = ${gateId} and revision = ${revision.toString()}
        returning gate_id`.run(db)
      return changed > 0
    },

    /** Everything up to the tip of the followed chain is read and taken; the follower sees the rest. */
    async finish({ gateId, revision }: Rescan): Promise<void> {
      await sql`
        update rescans set finished_at = coalesce(finished_at, clock_timestamp())
        where gate_id = ${gateId} and revision = ${revision.toString()}`.run(db)
    },

    /** Stores outputs, and the highest positions among them. Outputs found before stay as they are. */
    async addOutputs(gateId: string, found: readonly FoundOutput[]): Promise<void> {
      if (found.length === 0) return
      const rows = found.map(({ key, block, ...output }) => ({
        tx_hash: output.txHash,
        output_index: output.outputIndex,
        chain: key.chain,
        position: key.index,
        address: output.address,
        units: output.units.toString(),
        least_confirmations: output.leastConfirmations,
        block_height: block.height.toString(),
        block_hash: block.hash,
        mined_at: output.minedAt.toISOString(),
      }))
      await sql`
        with found as (
          select * from json_populate_recordset(null::rescan_outputs, ${JSON.stringify(rows)}::json)
        ), added as (
          insert into rescan_outputs (gate_id, tx_hash, output_index, chain, position, address, units, least_confirmations,
            block_height, block_hash, mined_at)
          select ${gateId}, tx_hash, output_index, chain, position, address, units, least_confirmations, block_height,
            block_hash, mined_at
          from found
          on conflict do nothing
        )
        update rescans set
          highest_deposit = greatest(highest_deposit, (select max(position) from found where chain = 'deposit')),
          highest_own = greatest(highest_own, (select max(position) from found where chain = 'own'))
        where gate_id = ${gateId}`.run(db)
    },

    /** Deletes outputs found from a height on and not taken, because these blocks are read again. */
    async dropFrom(gateId: string, height: bigint): Promise<void> {
      await sql`
        delete from rescan_outputs
        where gate_id = ${gateId} and taken_at is null and block_height >= ${height.toString()}`.run(db)
    },

    /** Outputs found and not taken, in pages: by transaction and output, after the given one. */
    async untaken(gateId: string, after: Outpoint, limit: number): Promise<FoundOutput[]> {
      const rows = await sql<OutputRow>`
        select tx_hash as "txHash", output_index as "outputIndex", chain, position, address, units,
          least_confirmations as "leastConfirmations", block_height as height, block_hash as hash, mined_at as "minedAt"
        from rescan_outputs
        where gate_id = ${gateId} and taken_at is null
          and (tx_hash, output_index) > (${after.txHash}, ${after.outputIndex}::integer)
        order by tx_hash, output_index limit ${limit}`.rows(db)
      return rows.map(({ chain, position, height, hash, ...output }) => ({
        ...output,
        key: { chain, index: Number(position) },
        block: { height, hash },
      }))
    },

    async markTaken(gateId: string, outputs: readonly Outpoint[]): Promise<void> {
      await sql`
        update rescan_outputs as output set taken_at = clock_timestamp()
        from unnest(
          ${outputs.map(({ txHash }) => txHash)}::text[], ${outputs.map(({ outputIndex }) => outputIndex)}::integer[]
        ) as taken (tx_hash, output_index)
        where gate_id = ${gateId} and output.tx_hash = taken.tx_hash and output.output_index = taken.output_index`.run(
        db,
      )
    },

    /** How many outputs were found so far. */
    async countFound(gateId: string): Promise<number> {
      const { found } = await sql<{ found: bigint }>`
        select count(*) as found from rescan_outputs where gate_id = ${gateId}`.one(db)
      return Number(found)
    },

    /** How many addresses this database gave out although they had been paid before. */
    async countGivenAgain(gateId: string, keychain: string): Promise<number> {
      const { again } = await sql<{ again: bigint }>`
        select count(distinct found.position) as again from rescan_outputs as found
        where found.gate_id = ${gateId} and found.chain = 'deposit' and (
          exists (select from invoices where invoices.keychain = ${keychain}
            and invoices.deposit_position = found.position and invoices.static_address_id is null
            and invoices.created_at > merchant_time(invoices.merchant_id, invoices.environment, found.mined_at))
          or exists (select from static_addresses as static where static.keychain = ${keychain}
            and static.deposit_position = found.position
            and static.created_at > merchant_time(static.merchant_id, static.environment, found.mined_at)))
          and not exists (select from payments where payments.gate_id = found.gate_id and payments.tx_hash = found.tx_hash
            and payments.output_index = found.output_index and payments.invoice_id is not null)`.one(db)
      return Number(again)
    },
  }
}

// Positions end where BIP-32's non-hardened children do, far below the largest integer that a number holds exactly.
function rescanOf({ highestDeposit, highestOwn, ...row }: RescanRow): Rescan {
  return { ...row, highestDeposit: Number(highestDeposit), highestOwn: Number(highestOwn) }
}
