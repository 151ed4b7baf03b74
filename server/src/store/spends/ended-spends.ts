import type { BlockRef } from '../../domain/chain.ts'
import type { Spend } from '../../domain/spends.ts'
import { type Db, sql } from '../sql.ts'
import { type SpendRow, spendColumns, spendsFrom } from './spend-rows.ts'
import type { SpendEnd } from './spends.ts'

/** How a spend that was booked as done has ended after all. */
export type SpendUndone =
  | (Extract<SpendEnd, { readonly hash: string }> & { readonly status: 'reverted' })
  | Extract<SpendEnd, { readonly status: 'dead' }>

/** Dead refills of coins are looked for among the refills. */
const isNotWatched = sql`not (kind = 'refill' and status = 'dead' and from_address is null)`

/** Ended spends, and what reorganisations do to them. */
export function endedSpendsOn(db: Db) {
  return {
    /**
     * Ended spends whose block is no longer on the followed branch, whether it holds them or rules them out; and those for
     * which no such block is known. Of the latter, dead spends of coins are left out, because their coins were released.
     */
    async displaced(gateId: string): Promise<Spend[]> {
      const rows = await sql<SpendRow>`
        select ${spendColumns} from spends
        where gate_id = ${gateId} and status <> 'open' and ${isNotWatched} and block_height > (
            select min(height) from followed_blocks where gate_id = ${gateId})
          and not exists (select from followed_blocks as block
            where block.gate_id = spends.gate_id and block.height = block_height and block.hash = block_hash)
        union all
        select ${spendColumns} from spends
        where gate_id = ${gateId} and status <> 'open' and kind <> 'absorb' and ${isNotWatched} and block_height is null
          and (status <> 'dead' or from_address is not null)`.rows(db)
      return spendsFrom(db, rows)
    },

    /** Records that a transaction of a dead spend was mined after all. */
    async noteReturned(id: string, hash: string, block: BlockRef): Promise<void> {
      await sql`
        update spends set mined_hash = ${hash}, block_height = ${block.height.toString()}, block_hash = ${block.hash}
        where id = ${id} and status = 'dead'`.run(db)
    },

    /** Ends a spend again that was booked as done and is not, for good. The caller has locked it. */
    async undo(id: string, end: SpendUndone): Promise<void> {
      const mined = end.status === 'dead' ? null : end
      const { block = null } = end
      await sql`
        update spends set status = ${end.status}, mined_hash = ${mined?.hash ?? null},
          block_height = ${block?.height.toString() ?? null}, block_hash = ${block?.hash ?? null},
          fee_units = ${mined?.feeUnits.toString() ?? null}, undone_reason = null
        where id = ${id} and status = 'final'`.run(db)
    },

    /** Corrects the fee that the network took. Returns how often the fee has been corrected by now. */
    async correctFee(id: string, feeUnits: bigint): Promise<number> {
      const row = await sql<{ corrections: number }>`
        update spends set fee_units = ${feeUnits.toString()}, fee_corrections = fee_corrections + 1
        where id = ${id} and status in ('final', 'reverted') returning fee_corrections as corrections`.maybeOne(
        db,
      )
      if (row === null) throw new Error(`Spend ${id} was never mined.`)
      return row.corrections
    },

    /**
     * Records that another of its transactions was mined than was booked. Returns how often the fee has been corrected by
     * now.
     */
    async replace(id: string, mined: { hash: string; block: BlockRef; feeUnits: bigint }): Promise<number> {
      const row = await sql<{ corrections: number }>`
        update spends set mined_hash = ${mined.hash}, block_height = ${mined.block.height.toString()},
          block_hash = ${mined.block.hash}, undone_reason = null,
          fee_units = ${mined.feeUnits.toString()}, fee_corrections = fee_corrections + 1
        where id = ${id} and status = 'final' returning fee_corrections as corrections`.maybeOne(db)
      if (row === null) throw new Error(`Spend ${id} was not booked as done.`)
      return row.corrections
    },

    /** Records the block that now holds a spend, or rules it out; null while there is none. */
    async place(id: string, block: BlockRef | null): Promise<void> {
      await sql`
        update spends set block_height = ${block?.height.toString() ?? null}, block_hash = ${block?.hash ?? null},
          undone_reason = null
        where id = ${id}`.run(db)
    },

    /**
     * Records that no block holds an ended spend as it was booked, and why it cannot come back by itself; null while it can.
     * Returns whether that is new. Writes nothing if the spend has been ended differently meanwhile, or by another of its
     * transactions.
     */
    async displace(
      { id, status, mined }: Pick<Spend, 'id' | 'status' | 'mined'>,
      undoneReason: string | null,
    ): Promise<boolean> {
      const isAsSeen = sql`id = ${id} and status = ${status}
        and mined_hash is not distinct from ${mined?.hash ?? null}`
      await sql`update spends set block_height = null, block_hash = null where ${isAsSeen}`.run(db)
      const changed = await sql`
        update spends set undone_reason = ${undoneReason}
        where ${isAsSeen} and undone_reason is distinct from ${undoneReason}
        returning id`.run(db)
      return changed > 0
    },
  }
}
