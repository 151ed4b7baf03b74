import type { Asset } from '../domain/assets.ts'
import type { Block, BlockRef, Transfer } from '../domain/chain.ts'
import type { Environment } from '../domain/environment.ts'
import { OutageError } from '../domain/errors.ts'
import type { GateId, Network } from '../domain/networks.ts'
import type { Family } from './family.ts'

/** A currency as this gate's network knows it in this environment. */
export type GateAsset = Asset & { readonly currency: string }

/** Says which addresses are ours. A gate asks once a block, whatever the block's size and however many addresses we have. */
export type WatchedAddresses = {
  among(addresses: readonly string[]): Promise<ReadonlySet<string>>
}

/** For looking at blocks themselves, whoever they pay. */
export const nobody: WatchedAddresses = { among: async () => new Set() }

/**
 * One network in one environment: its addresses, and its chain as one node sees it right now. Pull-only; it keeps
 * nothing of its own between calls, so the follower may stop, start and repeat as it likes. What cannot be answered in
 * bounded time is a `GateOutageError`.
 */
export type Gate = Family & {
  readonly id: GateId
  readonly network: Network
  readonly environment: Environment
  readonly assets: readonly GateAsset[]
  /** Set when its chain is the simulator's, which test helpers may drive. */
  readonly simulated: { makeTransactionHash(): string } | null
  /** The newest block. */
  tip(): Promise<BlockRef>
  /** The block at this height on the node's present branch; null when the branch does not reach so high. */
  block(height: bigint, watched: WatchedAddresses): Promise<Block | null>
  /** Transfers to us that no block holds yet. What is missing from one answer to the next was mined, replaced or dropped. */
  pending(watched: WatchedAddresses): Promise<readonly Transfer[]>
}

/** The gate does not answer, or not in a way that can be believed. */
export class GateOutageError extends OutageError {}
