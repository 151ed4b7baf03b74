import type { Block, BlockRef, Transfer } from '../../domain/chain.ts'
import type { Environment } from '../../domain/environment.ts'
import { gateId, type Network } from '../../domain/networks/network.ts'
import type { SignedTransaction } from '../../domain/spends.ts'
import { type EndpointAddress, nodeEndpoints } from '../endpoints.ts'
import type { Family } from '../family.ts'
import {
  type Gate,
  type GateAsset,
  GateOutageError,
  type NodeGate,
  noAddresses,
  type WatchedAddresses,
} from '../gate.ts'
import { type NodeRpc, type RpcCall, RpcRefusal, resultOf } from '../json-rpc.ts'
import { unfinalTransfers } from '../node-unfinal.ts'
import { type BlockReader, readAhead } from '../read-ahead.ts'
import { unbelievable } from '../unbelievable.ts'
import { evmChain } from './chain-check.ts'
import { hashOf, hexOf } from './hex.ts'
import { readBlock, readHash, readHeight, readQuantity } from './node-answers.ts'
import { nodeBalances } from './node-balances.ts'
import { quantity, readContents } from './node-blocks.ts'
import { nodeDataFee } from './node-data-fee.ts'
import { isKnown, nodeFate } from './node-fate.ts'
import { type GasBounds, gasTooDear, nodeFeeRate, nodeSigningTerms } from './node-fees.ts'
import { nodeNonceUse } from './node-nonce-use.ts'
import { nodePending, pendingCall, readPending } from './node-pending.ts'
import { receiptProof } from './node-receipts.ts'
import { nodeSimulation } from './node-simulation.ts'
import { transfersIn } from './node-transfers.ts'

export type EvmNodeGateOptions = {
  readonly network: Network
  readonly environment: Environment
  readonly keychain: string
  readonly assets: readonly GateAsset[]
  readonly family: Family
  /** EIP-155. */
  readonly chainId: number
  readonly endpoints: readonly EndpointAddress[]
  /** How many of the nodes must agree before anything is credited. */
  readonly agreement: number
  /** Up to which block the chain is followed: the newest, the newest safe or the newest finalized one. */
  readonly tag: 'latest' | 'safe' | 'finalized'
  /** Whether to look for payments that are in no block yet. */
  readonly showsPending: boolean
  readonly lookEveryMs?: number
  readonly fees: GasBounds
  /** Whether the chain charges an L1 data fee besides gas (OP stack). */
  readonly hasDataFee?: boolean
}

const maxHeight = 2n ** 48n
// Enough to avoid a round trip per block. A full block takes a megabyte, and nodes limit an answer to about 25 MB.
const maxAhead = 8
// How often a node is asked whether it is still downloading the chain. Rarely is enough: a synced node does not start again
// unless it has fallen behind.
const syncingEveryMs = 60_000
// A node that is further behind than this is still downloading.
const maxBehind = 100n

/**
 * The gate of a network on nodes that speak Ethereum's JSON-RPC (EIP-1474). They need no tracing and no index, but the state
 * of the blocks that are read, to check which tokens have arrived.
 */
export function evmNodeGate(options: EvmNodeGateOptions): NodeGate {
  const { network, environment, keychain, assets, family, chainId, tag, fees } = options
  const id = gateId(network.id, environment)
  const nodes = nodeEndpoints({
    name: id,
    chain: evmChain(chainId),
    endpoints: options.endpoints,
    agreement: options.agreement,
  })
  const contracts = assets.flatMap(({ contractAddress }) => contractAddress ?? [])
  const listed = new Set(contracts.map((contract) => contract.toLowerCase()))
  const readers = new WeakMap<NodeRpc, BlockReader>()
  const waiting = nodePending(assets)
  const unfinal = unfinalTransfers({
    read: (rpc, heights) => readContents(rpc, heights, listed),
    transfersIn: (rpc, blocks, watched) => transfersIn(rpc, assets, blocks, watched),
  })
  const askedSyncing = new WeakMap<NodeRpc, number>()
  let lastTip: BlockRef = { height: 0n, hash: '' }

  /** The end of the followed chain, its newest block, and the answers to further calls, in one request. */
  async function endsOf(rpc: NodeRpc, ...more: readonly RpcCall[]) {
    const isDue = performance.now() - (askedSyncing.get(rpc) ?? Number.NEGATIVE_INFINITY) > syncingEveryMs
    const calls: RpcCall[] = [['eth_getBlockByNumber', tag, false]]
    if (tag !== 'latest') calls.push(['eth_getBlockByNumber', 'latest', false])
    calls.push(...more)
    if (isDue) calls.push(['eth_syncing'])
    const answers = await rpc.batch(calls)
    const next = () => answers[at++]
    let at = 0
    const end = resultOf(next())
    if (end === null)
      throw new GateOutageError(`The node of ${network.name} does not know yet which block is ${tag}.`)
    const { height, hash } = readBlock(end)
    const tip = { height, hash }
    const newest: BlockRef = tag === 'latest' ? tip : readBlock(resultOf(next()))
    const others = more.map(next)
    const syncing = isDue ? next() : undefined
    if (syncing !== undefined && 'result' in syncing) refuseDownloading(syncing.result)
    if (isDue) askedSyncing.set(rpc, performance.now())
    lastTip = tip
    return { tip, newest, others }
  }

  const tipOf = async (rpc: NodeRpc): Promise<BlockRef> => (await endsOf(rpc)).tip

  function refuseDownloading(answer: unknown): void {
    if (typeof answer !== 'object' || answer === null) return
    const { currentBlock, highestBlock } = answer as Record<string, unknown>
    if (currentBlock === undefined || highestBlock === undefined) return
    if (readHeight(currentBlock) + maxBehind < readHeight(highestBlock))
      throw new GateOutageError(`The node of ${network.name} is still downloading the chain.`)
  }

  async function block(rpc: NodeRpc, height: bigint, watched: WatchedAddresses): Promise<Block | null> {
    if (height > maxHeight) return null
    // Blocks above the followed tip may still be replaced.
    if (tag !== 'latest' && height > lastTip.height && height > (await tipOf(rpc)).height) return null
    if (watched === noAddresses) {
      const header = await rpc.call('eth_getBlockByNumber', quantity(height), false)
      return header === null ? null : blockOf(readBlock(header, { height }), [])
    }
    return readerOf(rpc).read(height, lastTip.height, watched)
  }

  function readerOf(rpc: NodeRpc): BlockReader {
    const known = readers.get(rpc)
    if (known !== undefined) return known
    const proveReceipts = receiptProof(rpc)
    const made = readAhead(async (from, count, watched) => {
      const heights = Array.from({ length: count }, (_, at) => from + BigInt(at))
      const contents = await readContents(rpc, heights, listed, lastTip)
      const transfers = await transfersIn(rpc, assets, contents, watched)
      await proveReceipts(contents)
      return contents.map(({ block }, at) => blockOf(block, transfers[at] ?? []))
    }, maxAhead)
    readers.set(rpc, made)
    return made
  }

  /** The end of the chain and the pending transfers on top of it; `pending` is null where they belong to another block. */
  async function look(rpc: NodeRpc, watched: WatchedAddresses, isExact: boolean) {
    const { tip, newest, others } = await endsOf(rpc, ...(options.showsPending ? [pendingCall] : []))
    const transactions = readPending(others[0], isExact ? newest : undefined)
    if (transactions === null) return { tip, pending: null }
    const mined = tag === 'latest' ? [] : await unfinal(rpc, tip, newest, watched)
    const inBlocks = new Set(mined.map(({ txHash }) => txHash))
    const unmined = await waiting(rpc, transactions, watched)
    return { tip, pending: [...mined, ...unmined.filter(({ txHash }) => !inBlocks.has(txHash))] }
  }

  async function broadcast(rpc: NodeRpc, { hash, bytes }: SignedTransaction): Promise<string | null> {
    try {
      if (readHash(await rpc.call('eth_sendRawTransaction', hexOf(bytes))) !== hash)
        return unbelievable('it names a different transaction from the one sent')
      return null
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error
      // The node may already have it, pending or mined, and each implementation reports that differently.
      return (await isKnown(rpc, hash)) ? null : refusalOf(error)
    }
  }

  async function nextNonce(rpc: NodeRpc, address: string): Promise<bigint> {
    return readQuantity(await rpc.call('eth_getTransactionCount', address, tag))
  }

  return {
    ...family,
    id,
    network,
    environment,
    keychain,
    assets,
    ...(options.lookEveryMs !== undefined && { lookEveryMs: options.lookEveryMs }),
    // A chain id does not identify a chain: local test chains are created again and again with the same id.
    get chain() {
      const genesis = nodes.genesis()
      return genesis === null ? null : `evm ${chainId} ${genesis}`
    },
    simulated: null,
    unspent: null,
    transactions: null,
    checkChain: () => nodes.check(),
    tip: () => nodes.ask(tipOf),
    look: (watched) => nodes.ask((rpc) => look(rpc, watched, true)),
    block: (height, watched) =>
      nodes.agree(
        (rpc) => block(rpc, height, watched),
        (found) => found !== null && found.transfers.length > 0,
      ),
    pending: async (watched) => (await nodes.ask((rpc) => look(rpc, watched, false))).pending ?? [],
    feeRate: () => nodes.ask((rpc) => nodeFeeRate(rpc, fees)),
    tooDear: () => nodes.ask((rpc) => gasTooDear(rpc, fees, network.name)),
    async broadcast(transaction) {
      const named = hashOf(transaction.bytes)
      if (named !== transaction.hash) return `Its hash is ${named}, not ${transaction.hash}.`
      return nodes.ask((rpc) => broadcast(rpc, transaction))
    },
    fate: (candidates) => nodes.ask((rpc) => nodeFate(rpc, candidates, tipOf)),
    nextNonce: (address) => nodes.ask((rpc) => nextNonce(rpc, address)),
    nonceUse: (address, nonce, hints) =>
      nodes.ask((rpc) => nodeNonceUse(rpc, { address, nonce, hints }, tipOf)),
    signingTerms: (address) => nodes.ask((rpc) => nodeSigningTerms(rpc, address, fees)),
    nativeBalance: (address) =>
      nodes.ask(async (rpc) => readQuantity(await rpc.call('eth_getBalance', address, tag))),
    simulateTransfer: (from, to, asset, units) =>
      nodes.ask((rpc) => nodeSimulation(rpc, from, to, asset, units)),
    ...(options.hasDataFee && {
      dataFee: (asset) => nodes.ask((rpc) => nodeDataFee(rpc, asset)),
    }),
    balances: (addresses, at) =>
      nodes.agree(
        (rpc) => nodeBalances(rpc, addresses, at),
        (found) => found !== null,
      ),
  } satisfies Gate & NodeGate
}

function blockOf(
  { height, hash, parentHash, minedAt }: Omit<Block, 'transfers'>,
  transfers: readonly Transfer[],
): Block {
  return { height, hash, parentHash, minedAt, transfers }
}

function refusalOf(error: RpcRefusal): string {
  const known = knownRefusals.find(([pattern]) => pattern.test(error.message))
  return known === undefined ? `The node refused it: ${error.message}` : `${known[1]} (${error.message})`
}

const knownRefusals: readonly (readonly [RegExp, string])[] = [
  [/nonce too low|old nonce/i, 'Another transaction of its account has used its nonce'],
  [/nonce too high|nonce gap/i, 'Earlier transactions of its account are missing'],
  [/replacement|underpriced.*replace/i, 'It must pay a higher fee to replace the pending transaction'],
  [
    /underpriced|fee too low|max fee per gas less|fee cap/i,
    'Its fee is below what the node currently requires',
  ],
  [/insufficient funds/i, 'Its account cannot cover the amount and the fee'],
  [/intrinsic gas|gas limit/i, 'Its gas limit is too low or too high for the network'],
  [/invalid sender|chain ?id/i, 'It is signed for another chain'],
  [/txpool is full|limit exceeded|too many/i, 'The node has too many pending transactions'],
]
