import { hex } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import type { BlockRef } from '../../domain/chain.ts'
import type { Environment } from '../../domain/environment.ts'
import { divide } from '../../domain/money.ts'
import { gateId, type Network } from '../../domain/networks/network.ts'
import { say } from '../../domain/reasons/reasons.ts'
import type { SignedTransaction } from '../../domain/spends.ts'
import type { Family } from '../family.ts'
import {
  type Gate,
  type GateAsset,
  GateOutageError,
  type NodeGate,
  nativeOf,
  noAddresses,
  WrongChainError,
} from '../gate.ts'
import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { checkGenesis } from './check-genesis.ts'
import { exactUnits } from './exact-json.ts'
import { type NodeBlock, readBlock, readHash, readHeight, transfersIn } from './node-answers.ts'
import type { NodeChain } from './node-chains.ts'
import { nodeFate } from './node-fate.ts'
import { nodeMempool } from './node-mempool.ts'
import { bytesOf, fetchTransactions, fetchWhole, maxTransactionsAtOnce } from './node-transactions.ts'
import { maxOutputsAtOnce, nodeUnspent } from './node-unspent.ts'
import { spendSearch } from './spend-search.ts'

export type FeePolicy = {
  /** Within how many blocks a transaction should be mined. */
  readonly targetBlocks: number
  /** The lowest and the highest fee, in units per virtual byte. */
  readonly floor: bigint
  readonly ceiling: bigint
}

export type NodeGateOptions = {
  readonly network: Network
  readonly environment: Environment
  readonly keychain: string
  readonly assets: readonly GateAsset[]
  readonly family: Family
  readonly chain: NodeChain
  readonly rpc: NodeRpc
  readonly fees: FeePolicy
}

// Bitcoin Core's `rpc/protocol.h`.
const codes = { outOfRange: -8, undecodable: -22, inputs: -25, rejected: -26, inChain: -27 }
const unavailable = -1
// Bitcoin Core's message, since 26, for blocks below a UTXO snapshot (`loadtxoutset`).
const notDownloaded = /not fully downloaded/
const maxHeight = 2n ** 31n - 1n
const maxTries = 5
const decimals = 8
const bytesInRate = 1_000n
// By default `sendrawtransaction` refuses fees above 0.1 BTC (or LTC) per thousand virtual bytes; 0 means no limit.
const nodesCeiling = 10_000n
const noLimit = 0

/**
 * The gate of a network on a node that speaks Bitcoin Core's JSON-RPC, 0.21 or newer. It needs neither the node's wallet
 * nor an index, and works on a pruned node as long as that has the blocks which are still to be read.
 */
export function nodeGate(options: NodeGateOptions): NodeGate {
  const { network, environment, keychain, assets, family, chain, rpc, fees } = options
  const id = gateId(network.id, environment)
  const { currency } = nativeOf(assets)
  const mempool = nodeMempool(rpc, chain, currency)
  const fateOf = nodeFate(rpc, spendSearch(readWhole))
  let isChecked = false

  async function checkChain(): Promise<void> {
    await checkGenesis(rpc, id, chain)
    isChecked = true
  }

  /** Sends no request before the node has shown that it is on the right chain. After an outage it may be a different node. */
  async function asking<T>(work: () => Promise<T>): Promise<T> {
    try {
      if (!isChecked) await checkChain()
      return await work()
    } catch (error) {
      if (error instanceof GateOutageError) isChecked = false
      if (!(error instanceof RpcRefusal)) throw error
      throw new GateOutageError(`The node of ${network.name} refused a request: ${error.message}`, {
        cause: error,
      })
    }
  }

  async function tip(): Promise<BlockRef> {
    const info = (await rpc.call('getblockchaininfo')) as Record<string, unknown> | null
    if (info?.chain !== chain.name)
      throw new WrongChainError(
        `The node of ${id} is on ${info?.chain}, but it must be on ${chain.name}. Point rpc_url at the right node, or correct ` +
          '"chain".',
      )
    // On regtest there may be no block for days, so the flag means nothing there.
    if (info.initialblockdownload === true && chain.name !== 'regtest')
      throw new GateOutageError(`The node of ${network.name} is still downloading the chain.`)
    return { height: readHeight(info.blocks), hash: readHash(info.bestblockhash) }
  }

  async function hashAt(height: bigint): Promise<string | null> {
    try {
      return readHash(await rpc.call('getblockhash', Number(height)))
    } catch (error) {
      if (error instanceof RpcRefusal && error.code === codes.outOfRange) return null
      throw error
    }
  }

  async function readWhole(ref: BlockRef): Promise<NodeBlock> {
    try {
      return readBlock(await rpc.call('getblock', ref.hash, 2), ref)
    } catch (error) {
      if (!(error instanceof RpcRefusal) || error.code !== unavailable) throw error
      if (notDownloaded.test(error.message))
        throw new GateOutageError(`The node of ${network.name} has not downloaded block ${ref.height} yet.`, {
          cause: error,
        })
      throw new GateOutageError(
        `The node of ${network.name} no longer has block ${ref.height} (${error.message}). Configure it to keep more ` +
          'blocks ("prune" in its settings) and download them again ("-reindex"), or use another node.',
        { cause: error },
      )
    }
  }

  const readHeader = async (ref: BlockRef) => readBlock(await rpc.call('getblockheader', ref.hash), ref)

  async function block(height: bigint, watched: Parameters<Gate['block']>[1]): ReturnType<Gate['block']> {
    if (height > maxHeight) return null
    for (let tries = 0; tries < maxTries; tries++) {
      const hash = await hashAt(height)
      if (hash === null) return null
      const found = await (watched === noAddresses ? readHeader : readWhole)({ height, hash })
      // The node left this block between two requests.
      if (!found.isOnBranch) continue
      const { parentHash, minedAt, transactions } = found
      const transfers = await transfersIn(chain, currency, transactions, watched)
      const transactionBytes = bytesOf(transactions, transfers)
      return { height, hash, parentHash, minedAt, transfers, transactionBytes }
    }
    throw new GateOutageError(`The chain of ${network.name} keeps changing while it is read.`)
  }

  async function feeRate(): Promise<bigint> {
    const [estimate, info] = await rpc.batch([['estimatesmartfee', fees.targetBlocks], ['getmempoolinfo']])
    if (estimate === undefined || info === undefined || 'refusal' in estimate || 'refusal' in info)
      return unbelievable('it gives no fee estimate')
    const estimated = (estimate.result as { feerate?: unknown } | null)?.feerate
    // A node that has not seen enough transactions has no estimate. With real money we do not guess.
    if (estimated === undefined && environment === 'live')
      throw new GateOutageError(`The node of ${network.name} has no fee estimate yet.`)
    let rate = estimated === undefined ? fees.floor : rateIn(estimated)
    const taken = rateIn((info.result as { mempoolminfee?: unknown } | null)?.mempoolminfee)
    for (const least of [taken, fees.floor]) if (rate < least) rate = least
    if (rate > fees.ceiling) rate = fees.ceiling
    return rate
  }

  async function tooDear(): Promise<string | null> {
    const info = (await rpc.call('getmempoolinfo')) as { mempoolminfee?: unknown } | null
    const taken = rateIn(info?.mempoolminfee)
    return taken > fees.ceiling
      ? say('coins_too_dear', { network: network.name, least: taken, most: fees.ceiling })
      : null
  }

  async function broadcast({ hash, bytes }: SignedTransaction): Promise<string | null> {
    const named = hashOf(bytes)
    if (named === null) return `These bytes are not a ${network.name} transaction.`
    if (named !== hash) return `Its hash is ${named}, not ${hash}.`
    // No plan pays more than the ceiling, except for a remainder that is too small for change.
    const limit = fees.ceiling < nodesCeiling / 2n ? [] : [noLimit]
    try {
      if ((await rpc.call('sendrawtransaction', hex.encode(bytes), ...limit)) !== hash)
        return unbelievable('it names a different transaction from the one sent')
      return null
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error
      return refusalOf(error)
    }
  }

  return {
    ...family,
    id,
    network,
    environment,
    keychain,
    assets,
    checkChain,
    chain: `${chain.coin} ${chain.name}`,
    simulated: null,
    tip: () => asking(tip),
    block: (height, watched) => asking(() => block(height, watched)),
    pending: (watched) => asking(() => mempool.pending(watched)),
    feeRate: () => asking(feeRate),
    tooDear: () => asking(tooDear),
    broadcast: (transaction) => asking(() => broadcast(transaction)),
    unspent: { maxOutputs: maxOutputsAtOnce, look: (outputs) => asking(() => nodeUnspent(rpc, outputs)) },
    transactions: {
      maxTransactions: maxTransactionsAtOnce,
      fetch: (wanted) => asking(() => fetchTransactions(rpc, wanted)),
      fetchWhole: (wanted) => asking(() => fetchWhole(rpc, wanted)),
    },
    fate: (candidates) => asking(() => fateOf(candidates)),
    nextNonce: async () => 0n,
  }
}

/** Units per virtual byte from BTC (or LTC) per thousand, rounded up: the node accepts nothing below its minimum. */
function rateIn(value: unknown): bigint {
  const units = exactUnits(value, decimals)
  return units === null ? unbelievable('a fee is not an amount') : divide(units, bytesInRate, 'up')
}

function hashOf(bytes: Uint8Array): string | null {
  try {
    return Transaction.fromRaw(bytes).id
  } catch {
    // The decoder throws a different error for each kind of invalid input.
    return null
  }
}

/** Null when the node has it already. */
function refusalOf(error: RpcRefusal): string | null {
  if (error.code === codes.inChain || /txn-already-(known|in-mempool)/.test(error.message)) return null
  if (error.code === codes.undecodable) return 'The node cannot read the transaction.'
  if (error.code !== codes.inputs && error.code !== codes.rejected) throw error
  const known = knownRefusals.find(([pattern]) => pattern.test(error.message))
  return known === undefined ? `The node refused it: ${error.message}` : `${known[1]} (${error.message})`
}

const knownRefusals: readonly (readonly [RegExp, string])[] = [
  [
    /missing-?or-?spent|missing inputs/i,
    'A coin that it spends is missing: it was spent, or is no longer confirmed',
  ],
  [/insufficient fee|rejecting replacement/, 'It must pay a higher fee to replace the pending transaction'],
  [/mempool-conflict/, 'Another pending transaction spends the same coins'],
  [/min relay fee|mempool min fee/, 'Its fee is below what the node currently requires'],
  [/too-long-mempool-chain/, 'It depends on too many pending transactions'],
  [/dust/, 'It pays an amount too small for the network'],
]
