import type { Block, BlockRef, Transfer } from '../../domain/chain.ts'
import type { GateId } from '../../domain/networks/network.ts'
import { type ChainCheck, type EndpointAddress, type Endpoints, nodeEndpoints } from '../endpoints.ts'
import {
  type GateAsset,
  type NodeGate,
  noAddresses,
  type WatchedAddresses,
  WrongChainError,
} from '../gate.ts'
import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'
import { unfinalTransfers } from '../node-unfinal.ts'
import { type BlockReader, readAhead } from '../read-ahead.ts'
import { unbelievable } from '../unbelievable.ts'
import { type NodeBlock, readKey, readLamports } from './node-answers.ts'
import { askBlock, askHeader, type Commitment, type Details } from './node-blocks.ts'
import { PrunedError, readRun } from './node-runs.ts'
import { type SlotIndex, slotIndex } from './node-slots.ts'
import { type SelectedBlock, selectGainers, transfersIn } from './node-transfers.ts'

export type SolanaReadingOptions = {
  readonly id: GateId
  readonly assets: readonly GateAsset[]
  /** The answer of `getGenesisHash` on the right chain; null where it is not known, as on a chain made for a test. */
  readonly genesis: string | null
  /** The answers on chains that it must never be. */
  readonly wrongGenesis?: readonly string[]
  readonly endpoints: readonly EndpointAddress[]
  /** How many of the nodes must agree before anything is credited. */
  readonly agreement: number
  /** Up to which block the chain is followed. Confirmed blocks may still be replaced. */
  readonly commitment: Commitment
  /** Whether payments in blocks that are confirmed but not final are shown as pending. Every block is then fetched twice. */
  readonly showsUnfinal: boolean
  readonly details?: Details
  /** What else to leave out of a block, besides what gained nothing. */
  readonly narrow?: (block: SelectedBlock) => SelectedBlock
  readonly lookEveryMs?: number
}

/** What a gate reads from its nodes, and the nodes themselves for the rest of the gate. */
export type SolanaReading = Pick<NodeGate, 'checkChain' | 'tip' | 'block' | 'pending'> &
  Required<Pick<NodeGate, 'look' | 'nativeBalance'>> &
  Pick<NodeGate, 'lookEveryMs'> & {
    /** Null until a node has shown it. */
    chain(): string | null
    readonly nodes: Endpoints
  }

const maxHeight = 2n ** 48n
// A block takes three or four megabytes.
const maxAhead = 4
// How often a node is asked whether it keeps up with the others.
const healthEveryMs = 60_000
const methodNotFound = -32_601

/**
 * Reads a Solana chain over its nodes' JSON-RPC: `getGenesisHash`, `getHealth`, `getSlot`, `getBlocks`, `getBlock` and
 * `getBalance`. A block's height is the number of blocks below it, without empty slots (decision 0037).
 */
export function solanaReading(options: SolanaReadingOptions): SolanaReading {
  const { id, assets, commitment, details = 'accounts', narrow = (block) => block } = options
  const nodes = nodeEndpoints({
    name: id,
    chain: solanaChain(options.genesis, options.wrongGenesis),
    endpoints: options.endpoints,
    agreement: options.agreement,
  })
  const gainers = selectGainers(assets)
  const select = (block: NodeBlock) => narrow(gainers(block))
  const readers = new WeakMap<NodeRpc, BlockReader>()
  const followed = new WeakMap<NodeRpc, SlotIndex>()
  const confirmed = new WeakMap<NodeRpc, SlotIndex>()
  const askedHealth = new WeakMap<NodeRpc, number>()
  const unfinal = unfinalTransfers({
    async read(rpc, heights) {
      const blocks = await readRun(
        kept(confirmed, rpc, () => slotIndex(rpc, 'confirmed')),
        heights,
        (slot) => askBlock(rpc, slot, 'confirmed', details, select),
      )
      return blocks.map((block) => ({ block }))
    },
    transfersIn: (_, blocks, watched) =>
      transfersIn(
        assets,
        blocks.map(({ block }) => block),
        watched,
      ),
  })

  const indexOf = (rpc: NodeRpc) => kept(followed, rpc, () => slotIndex(rpc, commitment))

  async function tip(rpc: NodeRpc): Promise<BlockRef> {
    await checkHealth(rpc)
    return refOf(await indexOf(rpc).newest())
  }

  /** A node that is far behind may show its last block as the newest for hours. */
  async function checkHealth(rpc: NodeRpc): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - (askedHealth.get(rpc) ?? Number.NEGATIVE_INFINITY) <= healthEveryMs) return
    try {
      if ((await rpc.call('getHealth')) !== 'ok') unbelievable('it does not say whether it is healthy')
    } catch (error) {
      if (!(error instanceof RpcRefusal) || error.code !== methodNotFound) throw error
    }
    askedHealth.set(rpc, nowMs)
  }

  async function block(rpc: NodeRpc, height: bigint, watched: WatchedAddresses): Promise<Block | null> {
    if (height > maxHeight) return null
    const index = indexOf(rpc)
    if (height > (index.top?.height ?? -1n) && height > (await tip(rpc)).height) return null
    if (watched === noAddresses) return header(rpc, index, height)
    const last = index.top?.height ?? height
    return readerOf(rpc, index).read(height, last, watched)
  }

  /** Null also below the oldest block that the node keeps: a caller that asks for no payments misses none. */
  async function header(rpc: NodeRpc, index: SlotIndex, height: bigint): Promise<Block | null> {
    try {
      const [found] = await readRun(index, [height], (slot) => askHeader(rpc, slot, commitment))
      return found === undefined ? null : blockOf(found, [])
    } catch (error) {
      if (error instanceof PrunedError) return null
      throw error
    }
  }

  function readerOf(rpc: NodeRpc, index: SlotIndex): BlockReader {
    return kept(readers, rpc, () =>
      readAhead(async (from, count, watched) => {
        const heights = Array.from({ length: count }, (_, at) => from + BigInt(at))
        const blocks = await readRun(index, heights, (slot) =>
          askBlock(rpc, slot, commitment, details, select),
        )
        const transfers = await transfersIn(assets, blocks, watched)
        return blocks.map((each, at) => blockOf(each, transfers[at] ?? []))
      }, maxAhead),
    )
  }

  async function look(rpc: NodeRpc, watched: WatchedAddresses) {
    const end = await tip(rpc)
    if (!options.showsUnfinal || commitment === 'confirmed') return { tip: end, pending: [] }
    const newest = await kept(confirmed, rpc, () => slotIndex(rpc, 'confirmed')).newest()
    // Of several nodes under one address, the one that answered last may be behind.
    if (newest.height < end.height) return { tip: end, pending: null }
    return { tip: end, pending: await unfinal(rpc, end, refOf(newest), watched) }
  }

  return {
    nodes,
    ...(options.lookEveryMs !== undefined && { lookEveryMs: options.lookEveryMs }),
    chain() {
      const genesis = nodes.genesis()
      return genesis === null ? null : `solana ${genesis}`
    },
    checkChain: () => nodes.check(),
    tip: () => nodes.ask(tip),
    look: (watched) => nodes.ask((rpc) => look(rpc, watched)),
    block: (height, watched) =>
      nodes.agree(
        (rpc) => block(rpc, height, watched),
        (found) => found !== null && found.transfers.length > 0,
      ),
    // Nodes pass transactions on to the next leader and keep no pool of them: there is nothing before a block.
    pending: async (watched) => (await nodes.ask((rpc) => look(rpc, watched))).pending ?? [],
    nativeBalance: (address) =>
      nodes.ask(async (rpc) => {
        const answer = (await rpc.call('getBalance', address, { commitment })) as { value?: unknown } | null
        return readLamports(answer?.value)
      }),
  }
}

/** Solana's chains have no id but the hash of their beginning. */
export function solanaChain(genesis: string | null, wrong: readonly string[] = []): ChainCheck {
  return {
    called: 'Solana chain',
    async genesisOf(rpc, node) {
      const found = readKey(await rpc.call('getGenesisHash'), 'it does not say which chain it is on')
      if (genesis !== null && found !== genesis)
        throw new WrongChainError(
          `${node} is on the chain with genesis ${found}, but it must be on the one with ${genesis}. Point rpc_url at the ` +
            'right node, or correct "cluster".',
        )
      if (wrong.includes(found))
        throw new WrongChainError(
          `${node} is on a public cluster (genesis ${found}), but it must be on a chain of its own. Point rpc_url at the right ` +
            'node, or correct "cluster".',
        )
      return found
    },
  }
}

function kept<T>(all: WeakMap<NodeRpc, T>, rpc: NodeRpc, make: () => T): T {
  const known = all.get(rpc)
  if (known !== undefined) return known
  const made = make()
  all.set(rpc, made)
  return made
}

function refOf({ height, hash }: BlockRef): BlockRef {
  return { height, hash }
}

function blockOf(
  { height, hash, parentHash, minedAt }: Omit<Block, 'transfers'>,
  transfers: readonly Transfer[],
): Block {
  return { height, hash, parentHash, minedAt, transfers }
}
