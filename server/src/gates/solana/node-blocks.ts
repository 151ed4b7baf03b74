import { GateOutageError } from '../gate.ts'
import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'
import { type NodeBlock, type NodeHeader, readBlock, readHeader } from './node-answers.ts'

/** How sure the network is of a block: two thirds of the stake have voted for it, or it can no longer be replaced. */
export type Commitment = 'confirmed' | 'finalized'

/**
 * How much of a transaction the node sends: its accounts and balances, which is all that we need, or everything, for nodes
 * that do not know better.
 */
export type Details = 'accounts' | 'full'

/** Why a node shows no block in a slot: there is none (or not yet), or it no longer keeps it. */
export type Missing = 'absent' | 'pruned'

// Agave's `rpc_custom_error.rs`.
const cleanedUp = -32_001
const absent: ReadonlySet<number> = new Set([
  -32_004, // not available
  -32_007, // skipped, or missing since the node has started from a newer snapshot
  -32_009, // skipped, or missing in long-term storage
  -32_014, // its status is not available yet
])
const withoutHistory = -32_011
const unsupportedVersion = -32_015
// Legacy transactions, and those with address tables.
const newestVersion = 0

/** The block in a slot, without its transactions. */
export function askHeader(rpc: NodeRpc, slot: number, commitment: Commitment): Promise<NodeHeader | Missing> {
  return askBlockAs(rpc, slot, { commitment, transactionDetails: 'none' }, readHeader)
}

/** The block in a slot, with what `select` keeps of its transactions. */
export function askBlock<T>(
  rpc: NodeRpc,
  slot: number,
  commitment: Commitment,
  details: Details,
  select: (block: NodeBlock) => T,
): Promise<T | Missing> {
  return askBlockAs(rpc, slot, optionsFor(commitment, details), (answer) => select(readBlock(answer, slot)))
}

/** How a node is to show a block. */
export type BlockOptions = {
  readonly commitment: Commitment
  readonly transactionDetails: Details | 'none'
  readonly encoding?: 'json' | 'base64'
}

/** How the gate asks for a block with these details. */
export function optionsFor(commitment: Commitment, details: Details): BlockOptions {
  const encoding = details === 'full' ? ({ encoding: 'json' } as const) : {}
  return { commitment, transactionDetails: details, ...encoding }
}

/** The answer for the block in a slot, as `read` reads it. */
export async function askBlockAs<T>(
  rpc: NodeRpc,
  slot: number,
  wanted: BlockOptions,
  read: (answer: unknown, slot: number) => T,
): Promise<T | Missing> {
  const options = { ...wanted, rewards: false, maxSupportedTransactionVersion: newestVersion }
  try {
    const answer = await rpc.call('getBlock', slot, options)
    return answer === null ? 'absent' : read(answer, slot)
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error
    if (absent.has(error.code)) return 'absent'
    if (error.code === cleanedUp) return 'pruned'
    if (error.code === withoutHistory)
      throw new GateOutageError(
        'The node keeps no transactions, so it cannot show payments. Start it with --enable-rpc-transaction-history, or use ' +
          'another.',
        { cause: error },
      )
    if (error.code === unsupportedVersion)
      throw new GateOutageError(
        `The block in slot ${slot} contains a newer kind of transaction than this version of Sluice can read. Update Sluice.`,
        { cause: error },
      )
    throw error
  }
}
