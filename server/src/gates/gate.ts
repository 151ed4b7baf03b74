import type { Asset } from '../domain/assets.ts'
import type { Block, BlockRef, Transfer } from '../domain/chain.ts'
import type { Environment } from '../domain/environment.ts'
import { OutageError } from '../domain/errors.ts'
import type { GateId, Network } from '../domain/networks/network.ts'
import type { Fate, SignedTransaction, SpendPlan } from '../domain/spends.ts'
import type { Family, Spending } from './family.ts'

/** How money leaves where coins are spent, and where accounts pay. */
export type CoinSpending = Extract<Spending, { readonly kind: 'coins' }>
export type AccountSpending = Extract<Spending, { readonly kind: 'account' }>

/** A currency as this gate's network knows it in this environment. */
export type GateAsset = Asset & { readonly currency: string }

/** Says which addresses are ours. A gate asks once a block, whatever the block's size and however many addresses we have. */
export type WatchedAddresses = {
  among(addresses: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * The same where case means nothing: given in lower case, answered as we write them. To write every stranger's address
   * in EIP-55 form takes longer than all else about a block.
   */
  amongLower(addresses: readonly string[]): Promise<ReadonlySet<string>>
}

/** For looking at blocks themselves, whoever they pay. */
export const nobody: WatchedAddresses = { among: async () => new Set(), amongLower: async () => new Set() }

/** An output by its place, and what it is worth. */
export type Output = { readonly txHash: string; readonly outputIndex: number; readonly units: bigint }

/** Which outputs nobody has spent, by `coinName`, all as of one block. */
export type Unspent = {
  /** The hash of the chain's newest block then. */
  readonly tipHash: string
  /** Neither a block nor what waits for one spends them. */
  readonly free: ReadonlySet<string>
  /** A transaction that waits spends them. */
  readonly beingSpent: ReadonlySet<string>
}

/**
 * One network in one environment: its addresses, and its chain as one node sees it right now. Pull-only; it keeps
 * nothing between calls that its node could not tell again, so the follower may stop, start and repeat as it likes. What
 * cannot be answered in bounded time is a `GateOutageError`.
 */
export type Gate = Family & {
  readonly id: GateId
  readonly network: Network
  readonly environment: Environment
  /** Whose keys make its deposit addresses: gates that share a keychain never give out the same address twice. */
  readonly keychain: string
  /**
   * Which chain it shows: under a gate's id a database follows one for good. Null until its node has said so, where only
   * the node can.
   */
  readonly chain: string | null
  readonly assets: readonly GateAsset[]
  /** Set when its chain is the simulator's, which test helpers may drive. */
  readonly simulated: { makeTransactionHash(): string } | null
  /** The newest block. */
  tip(): Promise<BlockRef>
  /** The block at this height on the node's present branch; null when the branch does not reach so high. */
  block(height: bigint, watched: WatchedAddresses): Promise<Block | null>
  /** Transfers to us that no block holds yet. What is missing from one answer to the next was mined, replaced or dropped. */
  pending(watched: WatchedAddresses): Promise<readonly Transfer[]>
  /**
   * The newest block, and what waits on top of exactly that, all in one question; for gates whose node can be asked so. Null
   * where what waits is of another moment.
   */
  look?(
    watched: WatchedAddresses,
  ): Promise<{ readonly tip: BlockRef; readonly pending: readonly Transfer[] | null }>
  /** How long its chain can be left alone between two looks while nothing happens, in milliseconds; a second if it says nothing. */
  readonly lookEveryMs?: number
  /** What a unit of a transaction's size or work costs now, in the network's own coin, within the operator's bounds. */
  feeRate(): Promise<bigint>
  /** Why the network takes nothing at the most that the operator allows, in words; null when it does. Left out where it always does. */
  tooDear?(): Promise<string | null>
  /**
   * Hands signed bytes to the network; safe to repeat. Null when it took them or has them already; otherwise why it
   * refused, which proves nothing about what comes. An outage says even less: it may have taken them.
   */
  broadcast(transaction: SignedTransaction): Promise<string | null>
  /**
   * Looks outputs up among those that nobody has spent, as many at once as `maxOutputs`. Null where the chain cannot be asked:
   * there nothing can be recovered from it.
   */
  readonly unspent: {
    readonly maxOutputs: number
    look(outputs: readonly Output[]): Promise<Unspent>
  } | null
  /** What has become of transactions that were signed for one spend, all of which use the same coins or number. */
  fate(candidates: readonly { readonly hash: string; readonly plan: SpendPlan }[]): Promise<Fate>
  /** How many transactions of this account are in blocks: the number its next one must have. Zero where coins are spent. */
  nextNonce(address: string): Promise<bigint>
  /** What an account has of the network's own coin at the newest block; for networks of accounts. */
  nativeBalance?(address: string): Promise<bigint>
  /**
   * Tries a transfer without sending it, at the newest block and whatever gas costs: how much work it takes, or why the network
   * would refuse it, in its words. For networks that run programs, where a receiver or a token may refuse.
   */
  simulateTransfer?(from: string, to: string, asset: GateAsset, units: bigint): Promise<TransferSimulation>
  /**
   * The most that the network takes for the room of a transfer on another chain, in its own coin and apart from the work; with
   * a margin, as its price moves. For networks that write what they do down elsewhere (OP stack).
   */
  dataFee?(asset: GateAsset): Promise<bigint>
  /**
   * What these addresses have of the network's own coin after a block, each of them; for networks where coins can arrive
   * without a trace in the block's transactions. Null when the node no longer (or not yet) knows that block's state.
   */
  balances?(addresses: readonly string[], block: BlockRef): Promise<ReadonlyMap<string, bigint> | null>
}

/** A gate on a real node. */
export type NodeGate = Gate & {
  /**
   * Asks the node which chain it is on; a `WrongChainError` that names both when it is another.
   */
  checkChain(): Promise<void>
}

/**
 * What came of trying a transfer. `mostGas`: what it takes if, before it is mined, whoever has some of a token gives it away; left
 * out where that makes no difference.
 */
export type TransferSimulation =
  | { readonly gas: bigint; readonly mostGas?: bigint }
  | { readonly refused: string }

/** The network's own coin, in which its fees are paid. */
export function nativeOf(assets: readonly GateAsset[]): GateAsset {
  const native = assets.find(({ contractAddress }) => contractAddress === null)
  if (native === undefined) throw new Error('The network has no coin of its own.')
  return native
}

/** Where payouts of an account network leave from, if deposits have addresses apart from it. */
export function hotAddressOf({ spending }: Pick<Gate, 'spending'>): string | null {
  return spending.kind === 'account' && !spending.depositsAreHot ? spending.hotAddress : null
}

/** The gate does not answer, or not in a way that can be believed. */
export class GateOutageError extends OutageError {}

/** What waits is much, and not all of it is read yet: the next call goes on. Blocks can be read meanwhile. */
export class StillReadingError extends GateOutageError {}

/** The node is on another chain than it should be. Nothing that it says may be used. */
export class WrongChainError extends GateOutageError {}
