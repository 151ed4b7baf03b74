import { randomUUID } from 'node:crypto'
import type { BlockRef, Transfer } from '../../domain/chain.ts'
import { OutageError } from '../../domain/errors.ts'
import { type Db, sql } from '../../store/sql.ts'
import { addBranch, announce, atomically, lockChain, makeChain, planned, readChain } from './branch.ts'
import { admit, announceArrival, end, endAbove, insertTransaction } from './mempool.ts'
import { mineWaiting, returnImpossible } from './mining.ts'
import { SimulationRefusal } from './refusal.ts'
import type { SimulatedExecution } from './rules.ts'
import { simulatedSpendsOn } from './spends.ts'

const maxBlocksAtOnce = 200
const maxReorganisedBlocks = 100
const maxTransactionsInBlock = 4_000
const maxOutputs = 100
/** How many blocks one statement reads. */
const blocksAtOnce = 20n
/** Well beyond the deepest reorganisation, so that a follower always finds the block where two branches part. */
export const keptBlocks = 500n

/** An output of a transaction that has no hash yet. Its place in the list is its index. */
export type SimulatedOutput = Omit<Transfer, 'txHash' | 'outputIndex'>

export type SimulatedSubmission = {
  /** What the transaction spends: of two that spend the same, only one can be mined. Something unique when left out. */
  readonly coin?: string
  readonly feeUnits: bigint
  readonly outputs: readonly SimulatedOutput[]
  /** Makes the transaction in the network's format; never the same twice. Without bytes where no coins are spent. */
  readonly makeTransaction: (outputs: readonly SimulatedOutput[]) => {
    readonly hash: string
    readonly bytes: Uint8Array | null
  }
}

export type SimulatedBlock = {
  readonly ref: BlockRef
  readonly parentHash: string
  readonly minedAt: Date
  readonly outputs: readonly Transfer[]
}

export type SimulatedTransaction = {
  readonly hash: string
  /** The names of the coins it spends, or of the nonce it uses. */
  readonly uses: readonly string[]
  readonly feeUnits: bigint
  readonly state: 'waiting' | 'mined' | 'gone'
  readonly height: bigint | null
  readonly outputs: readonly Transfer[]
}

/** What happens to the transactions of replaced blocks that are not dropped. */
export type OtherTransactions = 'same_height' | 'next_height' | 'mempool'

/**
 * The simulated networks. A chain is created, with its first block, when it is first used. Every change of a chain is
 * atomic: it joins the given transaction, or starts its own. In a transaction the chain stays locked until the end, and
 * followers are notified only then.
 */
export function simulatedChainsOn(db: Db) {
  /** Runs `work` in a transaction that no other change of the chain can overlap. */
  async function changing<T>(gateId: string, work: (tx: Db, tip: BlockRef) => Promise<T>): Promise<T> {
    return atomically(db, async (tx) => work(tx, await lockChain(tx, gateId)))
  }

  async function mineOn(tx: Db, gateId: string, tip: BlockRef, count: number, perBlock: number) {
    await mineWaiting(tx, gateId, tip.height, count, perBlock)
    return addBranch(tx, gateId, tip, tip.height + BigInt(count))
  }

  /**
   * What these transactions pay, in their order. Outputs never change, so a separate statement cannot see others than the
   * one that found the transactions. Looking them up by a list is never slow, unlike a join that was planned for no rows.
   */
  const paidBy = async (gateId: string, hashes: readonly string[]): Promise<Transfer[]> => {
    if (hashes.length === 0) return []
    const rows = await sql<Transfer>`
      select o.tx_hash as "txHash", o.output_index as "outputIndex", o.currency, o.address, o.tag, o.units
      from simulated_outputs o
      where o.gate_id = ${planned(gateId)} and o.tx_hash = any(${[...hashes]}::text[])
      order by o.output_index`.rows(db)
    const byTransaction = Map.groupBy(rows, ({ txHash }) => txHash)
    return hashes.flatMap((hash) => byTransaction.get(hash) ?? [])
  }

  return {
    /** Creates the chain with its first block, if there is none. Of concurrent calls, one creates it. */
    async ensure(gateId: string): Promise<void> {
      await makeChain(db, gateId)
    },

    async tip(gateId: string): Promise<BlockRef> {
      return readChain(db, gateId)
    },

    /** A number that increases with every change of the chain. */
    async changes(gateId: string): Promise<bigint> {
      const row = await sql<{ changes: bigint }>`
        select changes from simulated_chains where gate_id = ${gateId}`.maybeOne(db)
      return row?.changes ?? 0n
    },

    /** The same of every chain, by gate. */
    async allChanges(): Promise<Map<string, bigint>> {
      const rows = await sql<{ gateId: string; changes: bigint }>`
        select gate_id as "gateId", changes from simulated_chains`.rows(db)
      return new Map(rows.map(({ gateId, changes }) => [gateId, changes]))
    },

    /**
     * The block at this height with all its outputs; null above the tip. A block that was pruned is an outage, as with a
     * real node: the caller must not take it for the end of the chain.
     */
    async block(gateId: string, height: bigint): Promise<SimulatedBlock | null> {
      // One statement, so that the block and its transactions are of the same branch.
      const found = await sql<BlockRow>`
        select c.height as "tipHeight", b.hash, b.parent_hash as "parentHash", b.mined_at as "minedAt",
          array(
            select t.hash from simulated_transactions t
            where t.gate_id = ${planned(gateId)} and t.height = ${planned(height)} and t.state = 'mined'
            order by t.fee_rate desc, t.arrival
          ) as transactions
        from simulated_chains c
        left join simulated_blocks b on b.gate_id = c.gate_id and b.height = ${planned(height)}
        where c.gate_id = ${planned(gateId)}`.maybeOne(db)
      if (found === null || height < 0n || height > found.tipHeight) return null
      const { hash, parentHash, minedAt, transactions } = found
      if (hash === null || parentHash === null || minedAt === null) throw pruned(gateId, height)
      return { ref: { height, hash }, parentHash, minedAt, outputs: await paidBy(gateId, transactions) }
    },

    /** The blocks from `first` to at most `last`, of one branch. Empty above the tip; a pruned block is an outage here too. */
    async blocks(gateId: string, first: bigint, last: bigint): Promise<SimulatedBlock[]> {
      const end = last - first < blocksAtOnce ? last : first + blocksAtOnce - 1n
      const rows = await sql<BlockRow & { height: bigint }>`
        select asked.height, c.height as "tipHeight", b.hash, b.parent_hash as "parentHash", b.mined_at as "minedAt",
          array(
            select t.hash from simulated_transactions t
            where t.gate_id = ${planned(gateId)} and t.height = asked.height and t.state = 'mined'
            order by t.fee_rate desc, t.arrival
          ) as transactions
        from simulated_chains c
        cross join generate_series(${first}::bigint, ${end}::bigint) as asked (height)
        left join simulated_blocks b on b.gate_id = c.gate_id and b.height = asked.height
        where c.gate_id = ${planned(gateId)} and asked.height <= c.height
        order by asked.height`.rows(db)
      const outputs = Map.groupBy(
        await paidBy(
          gateId,
          rows.flatMap(({ transactions }) => transactions),
        ),
        ({ txHash }) => txHash,
      )
      return rows.map(({ height, hash, parentHash, minedAt, transactions }) => {
        if (hash === null || parentHash === null || minedAt === null) throw pruned(gateId, height)
        return {
          ref: { height, hash },
          parentHash,
          minedAt,
          outputs: transactions.flatMap((transaction) => outputs.get(transaction) ?? []),
        }
      })
    },

    /** What the transactions in the mempool pay, in the order in which they are mined. */
    async waiting(gateId: string): Promise<Transfer[]> {
      const rows = await sql<{ hash: string }>`
        select hash from simulated_transactions where gate_id = ${planned(gateId)} and state = 'waiting'
        order by fee_rate desc, arrival`.rows(db)
      return paidBy(
        gateId,
        rows.map(({ hash }) => hash),
      )
    },

    /** The tip, and what the transactions in the mempool pay, of one moment. */
    async look(gateId: string): Promise<{ tip: BlockRef; waiting: Transfer[] }> {
      const seen = await sql<{ height: bigint; hash: string; transactions: string[] }>`
        select height, hash,
          array(
            select t.hash from simulated_transactions t
            where t.gate_id = ${planned(gateId)} and t.state = 'waiting'
            order by t.fee_rate desc, t.arrival
          ) as transactions
        from simulated_chains where gate_id = ${planned(gateId)}`.maybeOne(db)
      if (seen === null) return { tip: await readChain(db, gateId), waiting: [] }
      const { height, hash, transactions } = seen
      return { tip: { height, hash }, waiting: await paidBy(gateId, transactions) }
    },

    /** The bytes of these transactions, by hash, where they have any. */
    async bytesOf(gateId: string, hashes: readonly string[]): Promise<Map<string, Uint8Array>> {
      const rows = await sql<{ hash: string; bytes: Buffer }>`
        select hash, bytes from simulated_transactions
        where gate_id = ${planned(gateId)} and hash = any(${[...hashes]}::text[]) and bytes is not null`.rows(
        db,
      )
      return new Map(rows.map(({ hash, bytes }) => [hash, bytes]))
    },

    /** Whether a waiting or mined transaction has used this. */
    async isUsed(gateId: string, use: string): Promise<boolean> {
      const found = await sql`
        select from simulated_uses where gate_id = ${gateId} and use = ${use} and not gone`.run(db)
      return found > 0
    },

    async transaction(gateId: string, hash: string): Promise<SimulatedTransaction | null> {
      const row = await sql<Omit<SimulatedTransaction, 'outputs'>>`
        select hash, fee_units as "feeUnits",
          array(
            select use from simulated_uses u where u.gate_id = ${gateId} and u.tx_hash = ${hash} order by use
          ) as uses,
          state, height
        from simulated_transactions where gate_id = ${gateId} and hash = ${hash}`.maybeOne(db)
      if (row === null) return null
      return { ...row, outputs: await paidBy(gateId, [hash]) }
    },

    /**
     * Adds a transaction to the mempool and returns its hash. It replaces a waiting one that spends the same coin for a
     * lower fee. It is refused if that one pays at least as much, or if the coin is spent in a block.
     */
    async submit(
      gateId: string,
      { coin, feeUnits, outputs, makeTransaction }: SimulatedSubmission,
    ): Promise<string> {
      if (outputs.length === 0 || outputs.length > maxOutputs)
        throw new RangeError(
          `A simulated transaction must have 1 to ${maxOutputs} outputs, not ${outputs.length}.`,
        )
      return changing(gateId, async (tx) => {
        const uses = [coin ?? randomUUID()]
        const admission = await admit(tx, gateId, uses, feeUnits)
        if (admission instanceof SimulationRefusal) throw admission
        await end(tx, gateId, admission.ends)
        const { hash, bytes } = makeTransaction(outputs)
        await insertTransaction(tx, gateId, {
          hash,
          bytes,
          feeUnits,
          feeRate: feeUnits,
          uses,
          outputs,
          executed: null,
        })
        await announceArrival(tx, gateId, admission.first)
        return hash
      })
    },

    /** Mines `count` blocks, the first ones with the waiting transactions, highest fee first. Returns the new tip. */
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
     * Mines one block if `everySeconds` have passed since this last did, and the first transaction in the mempool has been
     * visible for a moment. Of several callers, one mines; the others get null. Uses the database's clock.
     */
    async mineIfDue(gateId: string, everySeconds: number): Promise<BlockRef | null> {
      return atomically(db, async (tx) => {
        const row = await sql<BlockRef>`
          update simulated_chains set next_block_at = clock_timestamp() + ${everySeconds} * interval '1 second'
          where gate_id = ${gateId} and next_block_at <= clock_timestamp()
          returning height, hash`.maybeOne(tx)
        // The row just updated stays locked to the end of the transaction.
        return row === null ? null : mineOn(tx, gateId, row, 1, maxTransactionsInBlock)
      })
    },

    /**
     * Replaces the last `depth` blocks with `depth` + 1 new ones and returns the new tip. Blocks keep their times. Dropped
     * transactions, waiting or in a replaced block, never return by themselves, and neither do those that spend their
     * outputs. All others of the replaced blocks are mined again at the same height, unless `others` says to mine each one
     * block later, or to return them to the mempool. A transaction whose nonce or balance no longer fits returns to the
     * mempool in any case. With `forGood` dropped transactions cannot be sent again, so the fate of those that spend their
     * outputs is final; otherwise they can.
     */
    async reorganise(
      gateId: string,
      depth: number,
      drop: readonly string[],
      { others = 'same_height', forGood = false }: { others?: OtherTransactions; forGood?: boolean } = {},
    ): Promise<BlockRef> {
      requireInteger('blocks to replace', depth, 1, maxReorganisedBlocks)
      return changing(gateId, async (tx, tip) => {
        const fork = tip.height - BigInt(depth)
        if (fork < 0n)
          throw new SimulationRefusal('too_deep', `The chain has only ${tip.height} blocks to replace.`)
        await endAbove(tx, gateId, fork, drop)
        if (forGood)
          await sql`insert into simulated_ruled_out (gate_id, tx_hash, height)
            select ${gateId}, hash, ${tip.height + 1n} from unnest(${[...drop]}::text[]) as dropped (hash)
            on conflict (gate_id, tx_hash) do nothing`.run(tx)
        if (others === 'next_height')
          await sql`update simulated_transactions set height = height + 1
            where gate_id = ${gateId} and state = 'mined' and height > ${fork}`.run(tx)
        if (others === 'mempool')
          await sql`update simulated_transactions set state = 'waiting', height = null
            where gate_id = ${gateId} and state = 'mined' and height > ${fork}`.run(tx)
        await returnImpossible(tx, gateId, fork)
        const parent = await sql<{ hash: string }>`
          select hash from simulated_blocks where gate_id = ${gateId} and height = ${fork}`.maybeOne(tx)
        if (parent === null) throw new Error(`Block ${fork} of ${gateId} was pruned too early.`)
        return addBranch(tx, gateId, { height: fork, hash: parent.hash }, tip.height + 1n)
      })
    },

    /** Removes a transaction, and those that spend its outputs, from the mempool. False when it is not there. */
    async drop(gateId: string, hash: string): Promise<boolean> {
      return changing(gateId, async (tx) => {
        const found = await sql`
          select from simulated_transactions
          where gate_id = ${gateId} and hash = ${hash} and state = 'waiting'`.run(tx)
        if (found === 0) return false
        await end(tx, gateId, [hash])
        await announce(tx, gateId)
        return true
      })
    },

    /**
     * Deletes blocks more than 500 below both the tip and the followed height, except those in which a signed transaction
     * was mined or ruled out. All transactions and their outputs stay: coins can be spent, and accounts pay from their
     * balance, however old. Returns how many blocks it deleted.
     */
    async prune(gateId: string, followedHeight: bigint): Promise<number> {
      if (followedHeight <= keptBlocks) return 0
      return changing(gateId, async (tx, tip) => {
        const oldest = (followedHeight < tip.height ? followedHeight : tip.height) - keptBlocks
        return sql`
          delete from simulated_blocks b where gate_id = ${gateId} and height < ${oldest}
            and not exists (select from simulated_transactions t
              where t.gate_id = b.gate_id and t.height = b.height and t.state = 'mined' and t.executed)
            and not exists (select from simulated_ruled_out r
              where r.gate_id = b.gate_id and r.height = b.height)`.run(tx)
      })
    },

    ...simulatedSpendsOn(db),
  }
}

export type SimulatedChains = ReturnType<typeof simulatedChainsOn>

/** A single chain, for its gate to read and to send to. */
export function simulatedChainOf(chains: SimulatedChains, gateId: string) {
  return {
    tip: () => chains.tip(gateId),
    block: (height: bigint) => chains.block(gateId, height),
    blocks: (first: bigint, last: bigint) => chains.blocks(gateId, first, last),
    waiting: () => chains.waiting(gateId),
    look: () => chains.look(gateId),
    bytesOf: (hashes: readonly string[]) => chains.bytesOf(gateId, hashes),
    paid: (coins: Parameters<SimulatedChains['paid']>[1]) => chains.paid(gateId, coins),
    execute: async (execution: SimulatedExecution) =>
      (await chains.execute(gateId, execution))?.message ?? null,
    fate: (candidates: Parameters<SimulatedChains['fate']>[1]) => chains.fate(gateId, candidates),
    nextNonce: (address: string) => chains.nextNonce(gateId, address),
    deepNonce: (address: string, confirmations: number) => chains.deepNonce(gateId, address, confirmations),
    nonceUse: (address: string, nonce: bigint) => chains.nonceUse(gateId, address, nonce),
    balance: (address: string, currency: string) => chains.balance(gateId, address, currency),
  }
}

type BlockRow = {
  tipHeight: bigint
  hash: string | null
  parentHash: string | null
  minedAt: Date | null
  transactions: string[]
}

function pruned(gateId: string, height: bigint): OutageError {
  return new OutageError(`The simulated chain ${gateId} no longer has block ${height}.`)
}

function requireInteger(what: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`The number of ${what} must be ${least} to ${most}, not ${value}.`)
}
