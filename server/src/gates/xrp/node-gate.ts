import type { Block, BlockRef } from '../../domain/chain.ts'
import type { Environment } from '../../domain/environment.ts'
import { gateId, type Network } from '../../domain/networks/network.ts'
import { say } from '../../domain/reasons/reasons.ts'
import { type EndpointAddress, nodeEndpoints } from '../endpoints.ts'
import type { Family } from '../family.ts'
import { type Gate, type GateAsset, type NodeGate, nativeOf, noAddresses } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { type BlockReader, readAhead } from '../read-ahead.ts'
import { askAccount, nodeSimulation } from './node-accounts.ts'
import { nodeFate } from './node-fate.ts'
import { type FeeBounds, feeAbove, nodeFeeRate } from './node-fees.ts'
import { askLedger, askOpen, askValidated, maxLedgerIndex, missing, type NodeLedger } from './node-ledgers.ts'
import { nodeBroadcast } from './node-sending.ts'
import { askServer, xrpChain } from './node-server.ts'
import { proposedIn, transfersIn } from './node-transfers.ts'
import { nonceOf } from './sign-plan.ts'

export type XrpNodeGateOptions = {
  readonly network: Network
  readonly environment: Environment
  readonly keychain: string
  readonly assets: readonly GateAsset[]
  readonly family: Family
  /** The number of the network of the XRP Ledger; 0 is the main one. */
  readonly networkId: number
  readonly endpoints: readonly EndpointAddress[]
  /** How many of the servers must agree before anything is credited. */
  readonly agreement: number
  /** Whether payments in the open ledger are shown as pending. */
  readonly showsPending: boolean
  readonly lookEveryMs?: number
  readonly fees: FeeBounds
}

// A ledger takes up to a megabyte.
const maxAhead = 8
// How often a server is asked whether it keeps up with the network.
const healthEveryMs = 20_000

/**
 * The gate of the XRP Ledger on rippled or Clio servers: `server_info`, `server_state`, `ledger`, `account_info`, `tx`, `fee` and
 * `submit`. It follows validated ledgers only, and those are never replaced.
 */
export function xrpNodeGate(options: XrpNodeGateOptions): NodeGate {
  const { network, environment, keychain, assets, family, networkId, fees } = options
  if (family.spending.kind !== 'account' || family.spending.hotAddress === null)
    throw new Error('A gate on the XRP Ledger needs a family with one account.')
  const id = gateId(network.id, environment)
  const receiver = { account: family.spending.hotAddress, currency: nativeOf(assets).currency }
  const nodes = nodeEndpoints({
    name: id,
    chain: xrpChain(networkId),
    endpoints: options.endpoints,
    agreement: options.agreement,
  })
  const readers = new WeakMap<NodeRpc, BlockReader>()
  const askedHealth = new WeakMap<NodeRpc, number>()
  let lastTip: BlockRef = { height: 0n, hash: '' }

  async function tip(rpc: NodeRpc): Promise<BlockRef> {
    await checkHealth(rpc)
    const { height, hash } = await askValidated(rpc)
    lastTip = { height, hash }
    return lastTip
  }

  /** A server that is out of sync shows its last validated ledger as the newest for as long as it lasts. */
  async function checkHealth(rpc: NodeRpc): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - (askedHealth.get(rpc) ?? Number.NEGATIVE_INFINITY) <= healthEveryMs) return
    await askServer(rpc)
    askedHealth.set(rpc, nowMs)
  }

  async function ledger(rpc: NodeRpc, height: bigint, watched: Parameters<Gate['block']>[1]) {
    if (height > maxLedgerIndex) return null
    if (height > lastTip.height && height > (await tip(rpc)).height) return null
    if (watched === noAddresses) {
      const header = await askLedger(rpc, height, 'header')
      return header === null ? null : blockOf(header, [])
    }
    return readerOf(rpc).read(height, lastTip.height, watched)
  }

  function readerOf(rpc: NodeRpc): BlockReader {
    const known = readers.get(rpc)
    if (known !== undefined) return known
    const made = readAhead((from, count) => {
      const heights = Array.from({ length: count }, (_, at) => from + BigInt(at))
      return Promise.all(heights.map((height) => read(rpc, height)))
    }, maxAhead)
    readers.set(rpc, made)
    return made
  }

  async function read(rpc: NodeRpc, height: bigint): Promise<Block> {
    const found = await askLedger(rpc, height, 'transactions')
    if (found === null) return missing(height, (await askServer(rpc)).held)
    return blockOf(found, transfersIn(found.transactions, receiver))
  }

  async function look(rpc: NodeRpc) {
    const end = await tip(rpc)
    return { tip: end, pending: options.showsPending ? proposedIn(await askOpen(rpc), receiver) : [] }
  }

  return {
    ...family,
    id,
    network,
    environment,
    keychain,
    assets,
    ...(options.lookEveryMs !== undefined && { lookEveryMs: options.lookEveryMs }),
    chain: `xrp ${networkId}`,
    simulated: null,
    unspent: null,
    transactions: null,
    checkChain: () => nodes.check(),
    tip: () => nodes.ask(tip),
    look: () => nodes.ask(look),
    // Everything sent to our account is ours, whatever the tag: no address has to be looked up.
    block: (height, watched) =>
      nodes.agree(
        (rpc) => ledger(rpc, height, watched),
        (found) => found !== null && found.transfers.length > 0,
      ),
    pending: async () => (await nodes.ask(look)).pending,
    feeRate: () => nodes.ask((rpc) => nodeFeeRate(rpc, fees)),
    async tooDear() {
      const least = await nodes.ask((rpc) => feeAbove(rpc, fees))
      return least === null ? null : say('xrp_too_dear', { network: network.name, least, most: fees.ceiling })
    },
    broadcast: (transaction) => nodes.ask((rpc) => nodeBroadcast(rpc, transaction)),
    // What is ruled out is paid again by another transaction: one server's word may not be enough.
    fate: (candidates) =>
      nodes.agree(
        (rpc) => nodeFate(rpc, candidates),
        ({ kind }) => kind === 'ruled_out',
      ),
    noncesStartAnywhere: true,
    nextNonce: (address) =>
      nodes.ask(async (rpc) => {
        const found = await askAccount(rpc, address)
        return found === null ? 0n : nonceOf(found)
      }),
    nativeBalance: (address) => nodes.ask(async (rpc) => (await askAccount(rpc, address))?.balance ?? 0n),
    simulateTransfer: (from, to, _, units, tag = null) =>
      nodes.ask((rpc) => nodeSimulation(rpc, { from, to, tag, units })),
  } satisfies Gate & NodeGate
}

function blockOf({ height, hash, parentHash, minedAt }: NodeLedger, transfers: Block['transfers']): Block {
  return { height, hash, parentHash, minedAt, transfers }
}
