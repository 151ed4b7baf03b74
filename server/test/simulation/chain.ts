import type { BlockRef, Transfer } from '../../src/domain/chain.ts'
import { type PlacedUses, placedUses } from '../../src/domain/simulated-nonces.ts'
import type { Uses } from '../../src/domain/uses.ts'
import type { SimulatedChain } from '../../src/simulator/gate/gate.ts'
import type { Executable } from '../../src/simulator/gate/signed-bytes.ts'
import type { Random } from './random.ts'
import {
  admitted,
  blockOrder,
  type ChainSpend,
  fateOf,
  minedBalance,
  nextNonce,
  paidCoins,
  usesOfTransaction,
  withSpenders,
} from './spending.ts'

export type Output = Omit<Transfer, 'txHash' | 'outputIndex'>

export type ChainTransaction = {
  readonly hash: string
  readonly coin: string
  /** The value by which rivals are compared. */
  readonly fee: bigint
  /** Set if it was read from signed bytes. */
  readonly spend: ChainSpend | null
  readonly outputs: readonly Output[]
  state: 'waiting' | 'mined' | 'gone'
  height: bigint | null
  /** Whether a reorganisation, a replacement or a drop has ever touched it. */
  disturbed: boolean
  /** How often it became deep enough: it may be credited that many times, and no more. */
  timesDeep: number
  isDeep: boolean
}

type Block = { readonly ref: BlockRef; readonly parentHash: string; readonly minedAt: Date }

/**
 * A chain in memory with a mempool, replacement by fee and reorganisations. The service's own simulated networks are in the
 * database and have tests of their own; this one is fast, and records what only an observer can know.
 */
export class MemoryChain {
  readonly transactions: ChainTransaction[] = []
  readonly #blocks: Block[] = []
  readonly #random: Random
  readonly #now: () => Date
  readonly #confirmations: number

  constructor(options: { random: Random; now: () => Date; confirmations: number; height: number }) {
    this.#random = options.random
    this.#now = options.now
    this.#confirmations = options.confirmations
    this.#grow(options.height + 1)
  }

  get tip(): BlockRef {
    return this.#at(this.#blocks.length - 1).ref
  }

  /** Every block, lowest first. */
  get refs(): readonly BlockRef[] {
    return this.#blocks.map(({ ref }) => ref)
  }

  /** The chain as a node shows it. */
  readonly shown: SimulatedChain = {
    tip: async () => this.tip,
    block: async (height) => {
      const block = this.#blocks[Number(height)]
      if (block === undefined) return null
      return { ...block, outputs: this.#transfers((transaction) => transaction.height === height) }
    },
    waiting: async () => this.#transfers(({ state }) => state === 'waiting'),
    // Nothing that this chain pays us is spent, so no bytes are asked for.
    bytesOf: async () => new Map(),
    paid: async (coins) => paidCoins(this.transactions, coins),
    execute: async (executable) => this.execute(executable),
    fate: async (candidates) =>
      fateOf(
        this.transactions,
        candidates.map(({ hash, uses }) => ({ hash, uses: this.#placed(uses) })),
        (height) => this.#at(Number(height)).ref,
      ),
    nextNonce: async (address) => nextNonce(this.transactions, address),
    balance: async (address, currency) => minedBalance(this.transactions, { address, currency }),
  }

  /** Puts a transaction into the mempool; null if its coin is spent or the transaction it would replace pays as much. */
  submit(hash: string, coin: string, fee: bigint, outputs: readonly Output[]): ChainTransaction | null {
    const rival = this.transactions.find(
      (each) => each.state !== 'gone' && usesOfTransaction(each).includes(coin),
    )
    if (rival !== undefined) {
      if (rival.state === 'mined' || fee <= rival.fee) return null
      this.#end(rival)
    }
    return this.#add({ hash, coin, fee, spend: null, outputs })
  }

  /**
   * Accepts a signed transaction into the mempool. Returns null if it is there or was known already, otherwise the reason.
   */
  execute(executable: Executable): string | null {
    const { hash, outputs, feeRate: fee } = executable
    const known = this.transactions.find((each) => each.hash === hash)
    if (known !== undefined && known.state !== 'gone') return null
    const spend = { ...executable, uses: this.#placed(executable.uses) }
    const ends = admitted(this.transactions, spend)
    if (typeof ends === 'string') return ends
    for (const each of ends) this.#end(each)
    if (known !== undefined) known.state = 'waiting'
    else this.#add({ hash, coin: hash, fee, spend, outputs })
    return null
  }

  #placed(uses: Uses): PlacedUses {
    return placedUses(uses, (account) => nextNonce(this.transactions, account))
  }

  drop(transaction: ChainTransaction): void {
    if (transaction.state === 'waiting') this.#end(transaction)
  }

  /** Mines blocks, the first with the pending transactions, or with as many as it may hold. */
  mine(count: number, maxTransactions: number, minedAt = this.#now()): void {
    const height = this.tip.height + 1n
    const waiting = this.transactions.filter(({ state }) => state === 'waiting')
    const mined = this.transactions.filter(({ state }) => state === 'mined')
    const ranked = waiting.sort((a, b) => Number(b.fee - a.fee))
    for (const transaction of blockOrder(mined).fill(ranked, maxTransactions)) {
      transaction.state = 'mined'
      transaction.height = height
    }
    this.#grow(
      count,
      Array.from({ length: count }, () => minedAt),
    )
    this.#observe()
  }

  /** Transactions in the last `depth` blocks. */
  above(depth: number): ChainTransaction[] {
    const fork = this.tip.height - BigInt(depth)
    return this.transactions.filter(({ height }) => height !== null && height > fork)
  }

  /**
   * Replaces the last blocks, by one block more unless `growth` says otherwise, and gives their transactions another fate.
   */
  reorganise(
    depth: number,
    drop: readonly ChainTransaction[],
    others: 'same_height' | 'next_height' | 'mempool',
    growth: number,
  ): void {
    const replaced = this.above(depth)
    const times = this.#blocks.splice(-depth).map(({ minedAt }) => minedAt)
    this.#grow(depth + growth, times)
    const later = others === 'next_height' ? 1n : 0n
    for (const transaction of replaced) {
      const height = (transaction.height ?? 0n) + later
      // A transaction that spends a dropped one may be gone with it.
      if (transaction.state === 'gone') continue
      if (drop.includes(transaction)) this.#end(transaction)
      else if (others === 'mempool' || height > this.tip.height) this.#unmine(transaction)
      else transaction.height = height
      if (others !== 'same_height') transaction.disturbed = true
    }
    this.#returnImpossible()
    // On a lower chain everything is less deep.
    if (growth < 0) for (const transaction of this.transactions) transaction.disturbed = true
    this.#observe()
  }

  /** Returns transactions to the mempool that lost the coins, the nonce or the balance that they need. */
  #returnImpossible(): void {
    const mined = this.transactions.filter(({ state }) => state === 'mined')
    if (mined.every(({ spend }) => spend === null)) return
    const order = blockOrder([])
    const byHeight = Map.groupBy(mined, ({ height }) => height ?? 0n)
    for (const [, block] of [...byHeight].sort(([a], [b]) => Number(a - b))) {
      const stay = new Set(order.fill(block, block.length))
      for (const transaction of block) if (!stay.has(transaction)) this.#unmine(transaction)
    }
  }

  #add(given: Pick<ChainTransaction, 'hash' | 'coin' | 'fee' | 'spend' | 'outputs'>): ChainTransaction {
    const state = { state: 'waiting' as const, height: null, disturbed: false, timesDeep: 0, isDeep: false }
    const transaction: ChainTransaction = { ...given, ...state }
    this.transactions.push(transaction)
    return transaction
  }

  #at(index: number): Block {
    return this.#blocks[index] as Block
  }

  /** Ends a transaction and those that spend its outputs. */
  #end(transaction: ChainTransaction): void {
    for (const each of withSpenders(this.transactions, [transaction])) {
      each.state = 'gone'
      each.height = null
      each.disturbed = true
    }
  }

  #unmine(transaction: ChainTransaction): void {
    transaction.state = 'waiting'
    transaction.height = null
    transaction.disturbed = true
  }

  #grow(count: number, times: readonly Date[] = []): void {
    for (let added = 0; added < count; added++) {
      const parent = this.#blocks.at(-1)?.ref.hash ?? ''
      const ref = { height: BigInt(this.#blocks.length), hash: this.#random.bytes(8).toString('hex') }
      this.#blocks.push({ ref, parentHash: parent, minedAt: times[added] ?? this.#now() })
    }
  }

  #observe(): void {
    for (const transaction of this.transactions) {
      const { state, height } = transaction
      const depth = state === 'mined' && height !== null ? this.tip.height - height + 1n : 0n
      const isDeep = depth >= BigInt(this.#confirmations)
      if (isDeep && !transaction.isDeep) transaction.timesDeep++
      transaction.isDeep = isDeep
    }
  }

  #transfers(which: (transaction: ChainTransaction) => boolean): Transfer[] {
    return this.transactions
      .filter(which)
      .flatMap(({ hash, outputs }) =>
        outputs.map((output, outputIndex) => ({ ...output, txHash: hash, outputIndex })),
      )
  }
}
