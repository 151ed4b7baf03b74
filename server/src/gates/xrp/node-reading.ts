import type { Block, BlockRef, Transfer } from '../../domain/chain.ts'
import type { GateId } from '../../domain/networks/network.ts'
import { type EndpointAddress, type Endpoints, nodeEndpoints } from '../endpoints.ts'
import { type NodeGate, noAddresses, type WatchedAddresses } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { type BlockReader, readAhead } from '../read-ahead.ts'
import { askLedger, askValidated, maxLedgerIndex, missing, type NodeLedger } from './node-ledgers.ts'
import { askServer, xrpChain } from './node-server.ts'

export type XrpReadingOptions = {
  readonly id: GateId
  /** The number of the network of the XRP Ledger; 0 is the main one. */
  readonly networkId: number
  readonly endpoints: readonly EndpointAddress[]
  /** How many of the servers must agree before anything is credited. */
  readonly agreement: number
  /** What a validated ledger has brought. */
  readonly arrivals: (ledger: NodeLedger, watched: WatchedAddresses) => Promise<readonly Transfer[]>
}

/** What a gate reads from its servers, and the servers themselves for the rest of the gate. */
export type XrpReading = Pick<NodeGate, 'chain' | 'checkChain' | 'tip' | 'block'> & {
  readonly nodes: Endpoints
  /** The newest validated ledger of one server, which must be in sync. */
  newest(rpc: NodeRpc): Promise<BlockRef>
}

// A ledger takes up to a megabyte.
const maxAhead = 8
// How often a server is asked whether it keeps up with the network.
const healthEveryMs = 20_000

/** Reads the XRP Ledger over `server_info` and `ledger`. It follows validated ledgers only, and those are never replaced. */
export function xrpReading(options: XrpReadingOptions): XrpReading {
  const { id, networkId, arrivals } = options
  const nodes = nodeEndpoints({
    name: id,
    chain: xrpChain(networkId),
    endpoints: options.endpoints,
    agreement: options.agreement,
  })
  const readers = new WeakMap<NodeRpc, BlockReader>()
  const askedHealth = new WeakMap<NodeRpc, number>()
  let lastTip: BlockRef = { height: 0n, hash: '' }

  async function newest(rpc: NodeRpc): Promise<BlockRef> {
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

  async function ledger(rpc: NodeRpc, height: bigint, watched: WatchedAddresses): Promise<Block | null> {
    if (height > maxLedgerIndex) return null
    if (height > lastTip.height && height > (await newest(rpc)).height) return null
    if (watched === noAddresses) {
      const header = await askLedger(rpc, height, 'header')
      return header === null ? null : blockOf(header, [])
    }
    return readerOf(rpc).read(height, lastTip.height, watched)
  }

  function readerOf(rpc: NodeRpc): BlockReader {
    const known = readers.get(rpc)
    if (known !== undefined) return known
    const made = readAhead((from, count, watched) => {
      const heights = Array.from({ length: count }, (_, at) => from + BigInt(at))
      return Promise.all(heights.map((height) => read(rpc, height, watched)))
    }, maxAhead)
    readers.set(rpc, made)
    return made
  }

  async function read(rpc: NodeRpc, height: bigint, watched: WatchedAddresses): Promise<Block> {
    const found = await askLedger(rpc, height, 'transactions')
    if (found === null) return missing(height, (await askServer(rpc)).held)
    return blockOf(found, await arrivals(found, watched))
  }

  return {
    nodes,
    newest,
    chain: `xrp ${networkId}`,
    checkChain: () => nodes.check(),
    tip: () => nodes.ask(newest),
    block: (height, watched) =>
      nodes.agree(
        (rpc) => ledger(rpc, height, watched),
        (found) => found !== null && found.transfers.length > 0,
      ),
  }
}

function blockOf({ height, hash, parentHash, minedAt }: NodeLedger, transfers: readonly Transfer[]): Block {
  return { height, hash, parentHash, minedAt, transfers }
}
