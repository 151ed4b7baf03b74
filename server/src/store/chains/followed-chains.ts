import type { BlockRef } from '../../domain/chain.ts'
import { type Db, sql } from '../sql.ts'

export type FollowedChain = {
  readonly gateId: string
  /** The name of the chain, from the gate that began to follow it. */
  readonly chain: string
  readonly tip: BlockRef
  /** Where following began: nothing up to this block was read. Null where that was not recorded. */
  readonly beganHeight: bigint | null
  readonly revision: bigint
  readonly holder: string | null
  readonly isHeld: boolean
  readonly scannedAt: Date
  readonly haltReason: string | null
  /** The database's clock when this was read. */
  readonly now: Date
  /** Whether an invoice is waiting for its chain to be polled after the end of its window. */
  readonly scanIsAwaited: boolean
  /** The keychain position from which the next check compares addresses at which no payment is expected. */
  readonly balancesPosition: bigint
}

type ChainRow = Omit<FollowedChain, 'tip'> & { readonly height: bigint; readonly hash: string }

// A window is over, and the chain was not polled since. What a moved clock ends is looked up for each moved clock. An index
// can be searched by the time of the statement, and not by one that passes meanwhile.
const isAwaited = sql`(
  exists (select from invoices
    where invoices.gate_id = followed_chains.gate_id and due_at <= statement_timestamp() and due_at >= scanned_at)
  or followed_chains.gate_id like '%-test' and exists (select from test_clocks as clock join invoices using (merchant_id, environment)
    where invoices.environment = 'test' and invoices.gate_id = followed_chains.gate_id
      and due_at <= statement_timestamp() + clock.ahead and due_at >= merchant_time(merchant_id, environment, scanned_at)))`

export function followedChainsOn(db: Db) {
  return {
    async find(gateId: string): Promise<FollowedChain | null> {
      const row = await sql<ChainRow>`
        select gate_id as "gateId", chain, height, hash, began_height as "beganHeight", revision, holder, scanned_at as "scannedAt",
          coalesce(held_until > clock_timestamp(), false) as "isHeld", halt_reason as "haltReason",
          clock_timestamp() as now, balances_position as "balancesPosition",
          ${isAwaited} as "scanIsAwaited"
        from followed_chains where gate_id = ${gateId}`.maybeOne(db)
      if (row === null) return null
      const { height, hash, ...chain } = row
      return { ...chain, tip: { height, hash } }
    },

    /**
     * The tip of the followed branch, if that branch holds this block. A block so deep that its hash is no longer kept
     * counts as held.
     */
    async tipOver(gateId: string, { height, hash }: BlockRef): Promise<bigint | null> {
      const row = await sql<{ tip: bigint }>`
        select chain.height as tip from followed_chains as chain
        left join followed_blocks as block on block.gate_id = chain.gate_id and block.height = ${height.toString()}
        where chain.gate_id = ${gateId} and chain.halted_at is null and chain.height >= ${height.toString()}
          and (block.hash = ${hash} or (block.hash is null and ${height.toString()} < (
            select min(below.height) from followed_blocks as below where below.gate_id = chain.gate_id)))`.maybeOne(
        db,
      )
      return row?.tip ?? null
    },

    /** Begins to follow a chain at its tip, with the blocks below it. Does nothing if the chain is followed already. */
    async begin(gateId: string, chain: string, tip: BlockRef, below: readonly BlockRef[]): Promise<void> {
      await sql`
        with begun as (
          insert into followed_chains (gate_id, chain, height, hash, began_height)
          values (${gateId}, ${chain}, ${tip.height.toString()}, ${tip.hash}, ${tip.height.toString()})
          on conflict do nothing returning gate_id, height, hash
        )
        insert into followed_blocks (gate_id, height, hash)
        select gate_id, height, hash from begun
        union all
        select begun.gate_id, block.height, block.hash from begun cross join unnest(
          ${below.map(({ height }) => height.toString())}::bigint[], ${below.map(({ hash }) => hash)}::text[]
        ) as block (height, hash)`.run(db)
    },

    /** The name of each gate's chain that was ever followed, halted or not. */
    async names(): Promise<Map<string, string>> {
      const rows = await sql<{ gateId: string; chain: string }>`
        select gate_id as "gateId", chain from followed_chains`.rows(db)
      return new Map(rows.map(({ gateId, chain }) => [gateId, chain]))
    },

    /** The chains that are followed and not halted, and their heights. */
    async heights(): Promise<Map<string, { readonly chain: string; readonly height: bigint }>> {
      const rows = await sql<{ gateId: string; chain: string; height: bigint }>`
        select gate_id as "gateId", chain, height from followed_chains where halted_at is null`.rows(db)
      return new Map(rows.map(({ gateId, ...chain }) => [gateId, chain]))
    },

    /**
     * Removes the record of a followed chain if its gate was never used: no address given out, no payment, nothing sent, no
     * rescan. Returns false if it was. Call it in a transaction.
     */
    async forgetUnused(gateId: string): Promise<boolean> {
      const found = await sql`
        select from followed_chains as chain where gate_id = ${gateId}
          and not exists (select from invoices where invoices.gate_id = chain.gate_id)
          and not exists (select from static_addresses where static_addresses.gate_id = chain.gate_id)
          and not exists (select from payments where payments.gate_id = chain.gate_id)
          and not exists (select from payouts where payouts.gate_id = chain.gate_id)
          and not exists (select from spends where spends.gate_id = chain.gate_id)
          and not exists (select from rescans where rescans.gate_id = chain.gate_id)
        for update`.run(db)
      if (found === 0) return false
      await sql`delete from followed_blocks where gate_id = ${gateId}`.run(db)
      await sql`delete from followed_chains where gate_id = ${gateId}`.run(db)
      return true
    },

    /** The gates whose chain an invoice is waiting for: its window is over, and the chain has not been polled since. */
    async awaitingScan(): Promise<string[]> {
      const rows = await sql<{ gateId: string }>`
        select gate_id as "gateId" from followed_chains
        where halted_at is null and ${isAwaited}`.rows(db)
      return rows.map(({ gateId }) => gateId)
    },

    /**
     * The first statement of every transaction of a follower: moves the chain if no other process has moved it since it was
     * read, and locks it until the transaction ends. Returns false if another process has: then nothing may be written.
     */
    async advance(move: {
      gateId: string
      revision: bigint
      tip: BlockRef
      /** Who follows from now on, and for how long others leave the chain alone; null leaves that as it is. */
      hold: { holder: string; ms: number } | null
      scannedAt: Date | null
    }): Promise<boolean> {
      const hold =
        move.hold === null
          ? sql``
          : sql`holder = ${move.hold.holder}, held_until = clock_timestamp() + ${move.hold.ms} * interval '1 millisecond',`
      const changed = await sql`
        update followed_chains set revision = revision + 1, height = ${move.tip.height.toString()}, hash = ${move.tip.hash},
          ${hold}
          scanned_at = greatest(scanned_at, ${move.scannedAt}::timestamptz)
        where gate_id = ${move.gateId} and revision = ${move.revision.toString()} and halted_at is null
        returning gate_id`.run(db)
      return changed > 0
    },

    /** Stops following until an operator resolves it. Returns false if another process moved the chain meanwhile. */
    async halt(gateId: string, revision: bigint, reason: string): Promise<boolean> {
      const changed = await sql`
        update followed_chains set revision = revision + 1, halted_at = clock_timestamp(), halt_reason = ${reason}
        where gate_id = ${gateId} and revision = ${revision.toString()} and halted_at is null
        returning gate_id`.run(db)
      return changed > 0
    },

    /** Ends a halt, in the transaction that decides where following continues. */
    async endHalt(gateId: string): Promise<void> {
      await sql`update followed_chains set halted_at = null, halt_reason = null where gate_id = ${gateId}`.run(
        db,
      )
    },

    /** All followed chains, by gate. */
    async list(): Promise<
      {
        gateId: string
        chain: string
        height: bigint
        hash: string
        scannedAt: Date
        haltReason: string | null
      }[]
    > {
      return sql<{
        gateId: string
        chain: string
        height: bigint
        hash: string
        scannedAt: Date
        haltReason: string | null
      }>`
        select gate_id as "gateId", chain, height, hash, scanned_at as "scannedAt", halt_reason as "haltReason"
        from followed_chains order by gate_id`.rows(db)
    },

    /** The hashes of the followed branch that are still kept, by height. */
    async hashes(gateId: string): Promise<Map<bigint, string>> {
      const rows = await sql<BlockRef>`
        select height, hash from followed_blocks where gate_id = ${gateId}`.rows(db)
      return new Map(rows.map(({ height, hash }) => [height, hash]))
    },

    async dropBlocksAbove(gateId: string, height: bigint): Promise<void> {
      await sql`delete from followed_blocks where gate_id = ${gateId} and height > ${height.toString()}`.run(
        db,
      )
    },

    /** Adds blocks on top, and forgets those more than `keep` below the last. */
    async addBlocks(gateId: string, blocks: readonly BlockRef[], keep: number): Promise<void> {
      const last = blocks.at(-1)
      if (last === undefined) return
      await sql`
        with forgotten as (
          delete from followed_blocks
          where gate_id = ${gateId} and height < ${(last.height - BigInt(keep)).toString()}
        )
        insert into followed_blocks (gate_id, height, hash)
        select ${gateId}, height, hash from unnest(
          ${blocks.map(({ height }) => height.toString())}::bigint[], ${blocks.map(({ hash }) => hash)}::text[]
        ) as block (height, hash)`.run(db)
    },
  }
}
