import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { BlockRef, Transfer } from '../domain/chain.ts'
import { OutageError } from '../domain/errors.ts'
import type { Db } from './database.ts'
import {
  addBranch,
  admitSpender,
  announce,
  atomically,
  endTransactions,
  lockChain,
  makeChain,
  mineWaiting,
  planned,
  readChain,
  simulatedChainChannel,
} from './simulated-branch.ts'
import { SimulationRefusal } from './simulation-refusal.ts'

export const maxBlocksAtOnce = 200
export const maxReorganisedBlocks = 100
export const maxTransactionsInBlock = 4_000
const maxOutputs = 100
/** Well beyond the deepest reorganisation, so that a follower always finds the block where branches part. */
export const keptBlocks = 500n
// A payment into an empty mempool must be seen there before it is mined, however long nothing happened.
const firstSeenSeconds = 1

/** What a transaction pays, before it has a hash; its place in the list is the output's index. */
export type SimulatedOutput = Omit<Transfer, 'txHash' | 'outputIndex'>

export type SimulatedSubmission = {
  /** What the transaction spends; two that spend the same cannot both be mined. One of its own when left out. */
  readonly coin?: string
  readonly feeUnits: bigint
  readonly outputs: readonly SimulatedOutput[]
  /** Makes a transaction hash as the network writes it; never the same twice. */
  readonly makeHash: () => string
}

export type SimulatedBlock = {
  readonly ref: BlockRef
  readonly parentHash: string
  readonly minedAt: Date
  readonly outputs: readonly Transfer[]
}

export type SimulatedTransaction = {
  readonly hash: string
  readonly coin: string
  readonly feeUnits: bigint
  readonly state: 'waiting' | 'mined' | 'gone'
  readonly height: bigint | null
  readonly outputs: readonly Transfer[]
}

/** What becomes of the transactions of replaced blocks that are not dropped. */
export type OtherTransactions = 'same_height' | 'next_height' | 'mempool'

/**
 * The simulated networks. A chain begins by itself, with its first block, when it is first asked for. What changes a
 * chain is all or nothing: it joins the transaction it is given, and otherwise makes one. In a transaction the chain
 * stays locked until the end, and followers hear of the change only then.
 */
export function simulatedChainsOn(db: Db) {
  /** Runs `work` in a transaction that no other change to the chain can overlap. */
  async function changing<T>(gateId: string, work: (tx: Db, tip: BlockRef) => Promise<T>): Promise<T> {
    return atomically(db, async (tx) => work(tx, await lockChain(tx, gateId)))
  }

  async function mineOn(tx: Db, gateId: string, tip: BlockRef, count: number, perBlock: number) {
    await mineWaiting(tx, gateId, tip.height, count, perBlock)
    return addBranch(tx, gateId, tip, tip.height + BigInt(count))
  }

  const transfers = async (gateId: string, which: RawBuilder<unknown>): Promise<Transfer[]> => {
    const { rows } = await sql<Transfer>`
      select t.hash as "txHash", o.output_index as "outputIndex", o.currency, o.address, o.tag, o.units
      from simulated_transactions t join simulated_outputs o on o.gate_id = t.gate_id and o.tx_hash = t.hash
      where t.gate_id = ${planned(gateId)} and ${which}
      order by t.fee_units desc, t.arrival, o.output_index`.execute(db)
    return rows
  }

  return {
    /** Makes the chain with its first block, if there is none. Of any number at once one makes it. */
    async ensure(gateId: string): Promise<void> {
      await makeChain(db, gateId)
    },

    async tip(gateId: string): Promise<BlockRef> {
      return readChain(db, gateId)
    },

    /** A number that rises with every change of the chain. */
    async changes(gateId: string): Promise<bigint> {
      const row = await db
        .selectFrom('simulated_chains')
        .select('changes')
        .where('gate_id', '=', gateId)
        .executeTakeFirst()
      return row?.changes ?? 0n
    },

    /**
     * The block at this height with all it pays; null when the chain is not so high. One that is no longer kept is an
     * outage, as with a node that threw its old blocks away: who asks must not take it for the end of the chain.
     */
    async block(gateId: string, height: bigint): Promise<SimulatedBlock | null> {
      // One statement, so that block and contents are of the same branch.
      const { rows } = await sql<BlockRow>`
        select c.height as "tipHeight", b.hash, b.parent_hash as "parentHash", b.mined_at as "minedAt",
          o.tx_hash as "txHash", o.output_index as "outputIndex", o.currency, o.address, o.tag, o.units
        from simulated_chains c
        left join simulated_blocks b on b.gate_id = c.gate_id and b.height = ${planned(height)}
        left join (
          simulated_transactions t join simulated_outputs o on o.gate_id = t.gate_id and o.tx_hash = t.hash
        ) on t.gate_id = b.gate_id and t.height = b.height and t.state = 'mined'
        where c.gate_id = ${planned(gateId)}
        order by t.fee_units desc, t.arrival, o.output_index`.execute(db)
      const first = rows[0]
      if (first === undefined || height < 0n || height > first.tipHeight) return null
      if (first.hash === null || first.parentHash === null || first.minedAt === null) {
        throw new OutageError(`The simulated chain ${gateId} no longer has block ${height}.`)
      }
      return {
        ref: { height, hash: first.hash },
        parentHash: first.parentHash,
        minedAt: first.minedAt,
        // An empty block still has one row, which carries the block.
        outputs: rows.flatMap((row) => (row.txHash === null ? [] : [toTransfer(row as Transfer)])),
      }
    },

    /** What the mempool's transactions pay, those mined next first. */
    async waiting(gateId: string): Promise<Transfer[]> {
      return transfers(gateId, sql`t.state = 'waiting'`)
    },

    async transaction(gateId: string, hash: string): Promise<SimulatedTransaction | null> {
      const row = await db
        .selectFrom('simulated_transactions')
        .select([
          'hash',
          'coin',
          'fee_units as feeUnits',
          sql<SimulatedTransaction['state']>`state`.as('state'),
          'height',
        ])
        .where('gate_id', '=', gateId)
        .where('hash', '=', hash)
        .executeTakeFirst()
      if (row === undefined) return null
      // Outputs never change, so a second statement cannot see another transaction.
      return { ...row, outputs: await transfers(gateId, sql`t.hash = ${hash}`) }
    },

    /**
     * Puts a transaction into the mempool and answers its hash. It replaces a waiting one that spends the same coin for
     * a lower fee, and is refused when that pays as much, or when the coin is spent in a block.
     */
    async submit(
      gateId: string,
      { coin, feeUnits, outputs, makeHash }: SimulatedSubmission,
    ): Promise<string> {
      if (outputs.length === 0 || outputs.length > maxOutputs)
        throw new RangeError(`A simulated transaction has 1 to ${maxOutputs} outputs, not ${outputs.length}.`)
      return changing(gateId, async (tx) => {
        const spent = coin ?? randomUUID()
        const { first } = await admitSpender(tx, gateId, spent, feeUnits)
        const hash = makeHash()
        await sql`
          with transaction as (
            insert into simulated_transactions (gate_id, hash, coin, fee_units)
            values (${gateId}, ${hash}, ${spent}, ${feeUnits})
          )
          insert into simulated_outputs (gate_id, tx_hash, output_index, address, tag, currency, units)
          select ${gateId}, ${hash}, place - 1, address, tag, currency, units
          from unnest(
            ${outputs.map((output) => output.address)}::text[],
            ${outputs.map((output) => output.tag)}::text[],
            ${outputs.map((output) => output.currency)}::text[],
            ${outputs.map((output) => output.units.toString())}::numeric[]
          ) with ordinality as output (address, tag, currency, units, place)`.execute(tx)
        await sql`
          update simulated_chains
          set changes = changes + 1,
            next_block_at = greatest(
              next_block_at,
              clock_timestamp() + ${first ? firstSeenSeconds : 0} * interval '1 second'
            )
          where gate_id = ${gateId}
          returning pg_notify(${simulatedChainChannel}, gate_id)`.execute(tx)
        return hash
      })
    },

    /** Mines so many blocks, the first ones with what waits, highest fee first. Answers the new tip. */
    async mine(
      gateId: string,
      count: number,
      { maxTransactions = maxTransactionsInBlock }: { maxTransactions?: number } = {},
    ): Promise<BlockRef> {
      requireInteger('blocks to mine', count, 1, maxBlocksAtOnce)
      requireInteger('transactions in a block', maxTransactions, 0, maxTransactionsInBlock)
      return changing(gateId, (tx, tip) => mineOn(tx, gateId, tip, count, maxTransactions))
    },

    /**
     * Mines one block if the last that was mined by this call is `everySeconds` old and a first payment has been seen
     * to wait. Of several who ask one mines; the others get null. By the database's clock.
     */
    async mineIfDue(gateId: string, everySeconds: number): Promise<BlockRef | null> {
      return atomically(db, async (tx) => {
        const { rows } = await sql<BlockRef>`
          update simulated_chains set next_block_at = clock_timestamp() + ${everySeconds} * interval '1 second'
          where gate_id = ${gateId} and next_block_at <= clock_timestamp()
          returning height, hash`.execute(tx)
        // The row just updated stays locked to the end of the transaction.
        return rows[0] === undefined ? null : mineOn(tx, gateId, rows[0], 1, maxTransactionsInBlock)
      })
    },

    /**
     * Replaces the last `depth` blocks by `depth` + 1 new ones and answers the new tip. Transactions to drop, waiting or
     * in a replaced block, never return. All others of the replaced blocks are mined again at the same height, unless
     * `others` says to mine each a block later, or to put them back into the mempool. Blocks keep their times.
     */
    async reorganise(
      gateId: string,
      depth: number,
      drop: readonly string[],
      { others = 'same_height' }: { others?: OtherTransactions } = {},
    ): Promise<BlockRef> {
      requireInteger('blocks to replace', depth, 1, maxReorganisedBlocks)
      return changing(gateId, async (tx, tip) => {
        const fork = tip.height - BigInt(depth)
        if (fork < 0n)
          throw new SimulationRefusal('too_deep', `The chain has only ${tip.height} blocks to replace.`)
        await endTransactions(tx, gateId, fork, drop)
        if (others === 'next_height')
          await sql`update simulated_transactions set height = height + 1
            where gate_id = ${gateId} and state = 'mined' and height > ${fork}`.execute(tx)
        if (others === 'mempool')
          await sql`update simulated_transactions set state = 'waiting', height = null
            where gate_id = ${gateId} and state = 'mined' and height > ${fork}`.execute(tx)
        const parent = await sql<{ hash: string }>`
          select hash from simulated_blocks where gate_id = ${gateId} and height = ${fork}`.execute(tx)
        const hash = parent.rows[0]?.hash
        if (hash === undefined) throw new Error(`Block ${fork} of ${gateId} was pruned too early.`)
        return addBranch(tx, gateId, { height: fork, hash }, tip.height + 1n)
      })
    },

    /** Takes a transaction out of the mempool for good. False when it does not wait there. */
    async drop(gateId: string, hash: string): Promise<boolean> {
      return changing(gateId, async (tx) => {
        const { rows } = await sql`
          update simulated_transactions set state = 'gone'
          where gate_id = ${gateId} and hash = ${hash} and state = 'waiting'
          returning hash`.execute(tx)
        if (rows.length > 0) await announce(tx, gateId)
        return rows.length > 0
      })
    },

    /**
     * Forgets blocks, and what they paid, more than 500 below both the tip and the height up to which the chain has
     * been followed. Their transactions stay, so that a spent coin stays spent. Answers how many blocks went.
     */
    async prune(gateId: string, followedHeight: bigint): Promise<number> {
      return changing(gateId, async (tx, tip) => {
        const oldest = (followedHeight < tip.height ? followedHeight : tip.height) - keptBlocks
        const { numAffectedRows: pruned = 0n } = await sql`
          delete from simulated_blocks where gate_id = ${gateId} and height < ${oldest}`.execute(tx)
        // Only what stood in these blocks, so that pruning does not grow with all that was ever pruned.
        const first = oldest - pruned
        await sql`
          delete from simulated_outputs o using simulated_transactions t
          where t.gate_id = ${planned(gateId)} and t.state = 'mined'
            and t.height >= ${planned(first)} and t.height < ${planned(oldest)}
            and o.gate_id = t.gate_id and o.tx_hash = t.hash`.execute(tx)
        return Number(pruned)
      })
    },
  }
}

export type SimulatedChains = ReturnType<typeof simulatedChainsOn>

/** One chain by itself, to be read: what its gate is given. */
export function simulatedChainOf(chains: SimulatedChains, gateId: string) {
  return {
    tip: () => chains.tip(gateId),
    block: (height: bigint) => chains.block(gateId, height),
    waiting: () => chains.waiting(gateId),
  }
}

type BlockRow = { [Field in keyof Transfer]: Transfer[Field] | null } & {
  tipHeight: bigint
  hash: string | null
  parentHash: string | null
  minedAt: Date | null
}

const toTransfer = ({ txHash, outputIndex, currency, address, tag, units }: Transfer): Transfer => ({
  txHash,
  outputIndex,
  currency,
  address,
  tag,
  units,
})

function requireInteger(what: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`The number of ${what} is ${least} to ${most}, not ${value}.`)
}
