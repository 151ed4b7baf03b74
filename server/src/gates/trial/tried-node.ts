import type { Block, BlockRef, Transfer } from '../../domain/chain.ts'
import type { Lie } from '../../domain/gate-trial.ts'
import type { NodeGate } from '../gate.ts'
import type { NodeRpc, RpcCall } from '../json-rpc.ts'

/** A call that a gate makes. */
export type NeededCall = {
  readonly call: RpcCall
  /** What Sluice needs it for, to complete "It is needed …". */
  readonly need: string
  /** Whether the arguments are made up, so that a refusal is the right answer. */
  readonly mayRefuse?: boolean
  /** Whether Sluice works without it, only less well. */
  readonly isOptional?: boolean
}

/** How far a node is, as it says itself. */
export type Standing = {
  /** A sentence. */
  readonly says: string
  /** What is wrong, and what to do; null if nothing is. */
  readonly problem: { readonly says: string; readonly todo: string } | null
}

/** What a gate reads of its chain, which takes no wallet. */
export type TriedGate = Pick<NodeGate, 'chain' | 'checkChain' | 'tip' | 'block' | 'blocks' | 'feeRate'>

/**
 * A server of one family, as `sluice gate try` asks it. Most is asked through the real gate; the rest is what only the family
 * can ask. Every function may throw an `UntrueAnswer`, an `Untestable`, an outage or a refusal.
 */
export type TriedNode = {
  /** The gate on this server alone, without a wallet, and with bounds of fees that hide nothing. */
  readonly gate: TriedGate
  readonly rpc: NodeRpc
  /** What the server says of its chain, and what it must say; asked once the gate has refused it. */
  whichChain(): Promise<Lie>
  /** The software, as the server calls it. */
  software(): Promise<string>
  standing(): Promise<Standing>
  /** How old the newest block may be; null where nothing is made for days, as on a chain for tests. */
  readonly maxTipAgeMs: number | null
  /** Every call that the gate makes, at this tip. None may change anything. */
  needs(tip: BlockRef): readonly NeededCall[] | Promise<readonly NeededCall[]>
  /** Recomputes the hash of a block, and what depends on it, from the bytes. Returns what was proved, as a noun. */
  prove(block: Block): Promise<string>
  /** The same block, by its hash. */
  byHash(hash: string): Promise<Omit<Block, 'transfers'>>
  /** What the transaction of a transfer, asked for alone, pays to its address, and the call; null if it does not know it. */
  alone(transfer: Transfer, block: Block): Promise<{ readonly call: string; readonly units: bigint | null }>
  /** Asks for a made-up transaction and block. Returns what was asked, as a noun. */
  unknown(tip: BlockRef): Promise<string>
  /** How many blocks back a server must reach, so that Sluice can catch up after it was stopped for a while. */
  reach(headers: readonly Block[]): { readonly blocks: bigint; readonly inWords: string }
  /** Reads an old block as Sluice would. Returns what else is to be said, as a sentence or nothing; null if it has none. */
  readFar(height: bigint, tip: BlockRef): Promise<string | null>
  /** What the server says about how far back it keeps blocks, if that covers this height; null if it does not. */
  claimsToKeep(height: bigint): Promise<{ readonly call: string; readonly said: string } | null>
  /** The operator's ceiling of fees, and the unit of both. */
  readonly fees: { readonly ceiling: bigint; readonly unit: string }
}
