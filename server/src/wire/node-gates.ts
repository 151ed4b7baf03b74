import { type AssetRegistry, networkIn } from '../domain/assets.ts'
import type { Environment } from '../domain/environment.ts'
import { type GateId, keychainOf, type Network } from '../domain/networks/network.ts'
import { checkGenesis } from '../gates/bitcoin/check-genesis.ts'
import { type NodeChain, nodeChainOf } from '../gates/bitcoin/node-chains.ts'
import { nodeGate } from '../gates/bitcoin/node-gate.ts'
import { nodeRpc } from '../gates/bitcoin/rpc.ts'
import { type EndpointAddress, nodeEndpoints } from '../gates/endpoints.ts'
import { canonicalAddress } from '../gates/evm/address.ts'
import { evmChain } from '../gates/evm/chain-check.ts'
import { evmNodeGate } from '../gates/evm/node-gate.ts'
import { evmRpc } from '../gates/evm/rpc.ts'
import { assetsOf, familyOf, type GateChain } from '../gates/families.ts'
import type { Family } from '../gates/family.ts'
import { type GateAsset, GateOutageError, type NodeGate, WrongChainError } from '../gates/gate.ts'
import { type NodeRpc, type NodeRpcOptions, RpcRefusal } from '../gates/json-rpc.ts'
import { decodePublicKey } from '../gates/solana/address.ts'
import { solanaNodeGate } from '../gates/solana/node-gate.ts'
import { solanaChain } from '../gates/solana/node-reading.ts'
import { solanaRpc } from '../gates/solana/node-rpc.ts'
import type { WalletKeys } from '../gates/wallet-keys.ts'
import { readContract } from '../gates/xrp/issued-currency.ts'
import { xrpNodeGate } from '../gates/xrp/node-gate.ts'
import { xrpRpc } from '../gates/xrp/node-rpc.ts'
import { xrpChain } from '../gates/xrp/node-server.ts'
import type { Log } from '../log.ts'
import type { BitcoinGateConfig } from '../settings/bitcoin-gate-config.ts'
import type { EvmGateConfig } from '../settings/evm-gate-config.ts'
import type { GateConfig } from '../settings/gate-config.ts'
import type { TokenEntry } from '../settings/listed-tokens.ts'
import { SettingsError } from '../settings/settings.ts'
import { localCluster, type SolanaGateConfig } from '../settings/solana-gate-config.ts'
import type { XrpGateConfig } from '../settings/xrp-gate-config.ts'
import { Closers } from './closers.ts'

const severalTimeoutMs = 4_000
// If there are other endpoints, do not wait long for one that throttles us.
const severalWaitMs = 1_000

/** What was counted about the nodes of a gate since the process began. */
export type NodeCounts = {
  requests: number
  /** Calls in these requests. */
  calls: number
  /** How often a node could not be used. */
  failures: number
  /** How often a node gave another answer than the node asked before it. */
  disagreements: number
}

/** Counts for a gate whose nodes were not asked anything yet. */
export function noCounts(): NodeCounts {
  return { requests: 0, calls: 0, failures: 0, disagreements: 0 }
}

function countRequest(counts: NodeCounts): (calls: number) => void {
  return (calls) => {
    counts.requests++
    counts.calls += calls
  }
}

/** The chains of the configured gates. */
export function gateChains(
  registry: AssetRegistry,
  gates: readonly GateConfig[],
): ReadonlyMap<GateId, GateChain> {
  return new Map(gates.map((config) => [config.id, chainOf(registry, config)]))
}

/** The gate that the operator has configured on real nodes. */
export function openNodeGate(
  config: GateConfig,
  known: Network,
  keys: WalletKeys,
  registry: AssetRegistry,
  closers: Closers,
  counts: NodeCounts,
  log: Log,
): NodeGate {
  const { environment } = config
  const network = {
    ...known,
    confirmations: config.confirmations ?? known.confirmations,
    confirmationTiers: config.confirmationTiers ?? known.confirmationTiers,
  }
  const chain = chainOf(registry, config)
  const common = {
    network,
    environment,
    assets: assetsOf(network, environment, registry, chain).map((asset) => ({ ...asset, network })),
    family: familyOf(network, environment, keys, registry, chain),
  }
  switch (config.kind) {
    case 'bitcoin':
      return openBitcoinGate(nodeChain(registry, config), config, common, closers, counts)
    case 'evm':
      return openEvmGate(config, common, closers, counts)
    case 'solana':
      return openSolanaGate(config, common, closers, counts, log)
    case 'xrp':
      return openXrpGate(config, common, closers, counts)
  }
}

type Common = {
  readonly network: Network
  readonly environment: Environment
  readonly assets: readonly GateAsset[]
  readonly family: Family
}

function openBitcoinGate(
  chain: NodeChain,
  config: BitcoinGateConfig,
  common: Common,
  closers: Closers,
  counts: NodeCounts,
): NodeGate {
  const rpc = openRpc(config, closers, counts)
  return nodeGate({ ...common, chain, rpc, fees: config.fees, keychain: keychainFor(common, chain) })
}

function openRpc(
  { rpcUrl, rpcCookieFile }: BitcoinGateConfig,
  closers: Closers,
  counts: NodeCounts = noCounts(),
): NodeRpc {
  const rpc = nodeRpc({ url: rpcUrl(), cookieFile: rpcCookieFile, onRequest: countRequest(counts) })
  closers.add(async () => rpc.close())
  return rpc
}

function openEvmGate(config: EvmGateConfig, common: Common, closers: Closers, counts: NodeCounts): NodeGate {
  const { chainId, agreement, tag, showsPending, fees, hasDataFee } = config
  const lookEveryMs = config.pollSeconds * 1000
  const endpoints = openEndpoints(evmRpc, config, closers, counts)
  return evmNodeGate({
    ...common,
    chainId,
    endpoints,
    agreement,
    tag,
    showsPending,
    fees,
    hasDataFee,
    lookEveryMs,
    // All networks of the family share it, real or simulated, so no address is handed out twice.
    keychain: keychainOf(common.network, common.environment),
  })
}

function openSolanaGate(
  config: SolanaGateConfig,
  common: Common,
  closers: Closers,
  counts: NodeCounts,
  log: Log,
): NodeGate {
  const { agreement, commitment, showsUnfinal, prices, id } = config
  return solanaNodeGate({
    ...common,
    ...clusterOf(common.network, config),
    endpoints: openEndpoints(solanaRpc, config, closers, counts),
    agreement,
    commitment,
    showsUnfinal,
    prices,
    lookEveryMs: config.pollSeconds * 1000,
    keychain: keychainOf(common.network, common.environment),
    warn: (reason) => log.warn({ gate: id, reason }, 'a nonce account of the hot wallet cannot be used'),
  })
}

function openXrpGate(config: XrpGateConfig, common: Common, closers: Closers, counts: NodeCounts): NodeGate {
  const { networkId, agreement, showsPending, fees } = config
  return xrpNodeGate({
    ...common,
    networkId,
    endpoints: openEndpoints(xrpRpc, config, closers, counts),
    agreement,
    showsPending,
    fees,
    lookEveryMs: config.pollSeconds * 1000,
    keychain: keychainOf(common.network, common.environment),
  })
}

/** By what the nodes of a cluster are known. A chain made for a test is known by being none of the public ones. */
export function clusterOf(network: Network, { cluster }: SolanaGateConfig) {
  const clusters = network.family === 'solana' ? network.clusters : {}
  if (cluster === localCluster)
    return { genesis: null, wrongGenesis: Object.values(clusters).map(({ genesis }) => genesis) }
  const genesis = clusters[cluster]?.genesis
  if (genesis === undefined) throw new Error(`${network.id} has no cluster ${cluster}.`)
  return { genesis, wrongGenesis: [] }
}

function openEndpoints(
  rpcTo: (options: NodeRpcOptions) => NodeRpc,
  config: EvmGateConfig | SolanaGateConfig | XrpGateConfig,
  closers: Closers,
  counts: NodeCounts = noCounts(),
): EndpointAddress[] {
  const urls = config.rpcUrls()
  // An endpoint that never answers must leave time to ask the others.
  const bounds = urls.length > 1 ? { timeoutMs: severalTimeoutMs, maxWaitMs: severalWaitMs } : {}
  return urls.map((url) => {
    const rpc = rpcTo({ url, onRequest: countRequest(counts), ...bounds })
    closers.add(async () => rpc.close())
    return {
      place: new URL(url).host,
      rpc,
      onFailure: () => counts.failures++,
      onDisagreement: () => counts.disagreements++,
    }
  })
}

/**
 * Refuses to start on nodes of another chain when the gate itself cannot be created yet because its wallet's keys are
 * not known. An operator who points live at a test chain should learn it now, not when the wallet exists.
 */
export async function checkChains(
  registry: AssetRegistry,
  configs: readonly GateConfig[],
  log: Log,
): Promise<void> {
  await Promise.all(
    configs.map(async (config) => {
      const closers = new Closers()
      try {
        await refusing(config.id, log, () => checkChainOf(registry, config, closers))
      } finally {
        await closers.close()
      }
    }),
  )
}

/** Throws unless the nodes of a gate are on its chain, and at least one answers. */
export async function checkChainOf(
  registry: AssetRegistry,
  config: GateConfig,
  closers: Closers,
): Promise<void> {
  if (config.kind === 'bitcoin')
    return checkGenesis(openRpc(config, closers), config.id, nodeChain(registry, config))
  const { id, agreement } = config
  if (config.kind === 'evm') {
    const endpoints = openEndpoints(evmRpc, config, closers)
    await nodeEndpoints({ name: id, chain: evmChain(config.chainId), endpoints, agreement }).check()
    return
  }
  if (config.kind === 'xrp') {
    const endpoints = openEndpoints(xrpRpc, config, closers)
    await nodeEndpoints({ name: id, chain: xrpChain(config.networkId), endpoints, agreement }).check()
    return
  }
  const { genesis, wrongGenesis } = clusterOf(networkIn(registry, config.network), config)
  const endpoints = openEndpoints(solanaRpc, config, closers)
  await nodeEndpoints({ name: id, chain: solanaChain(genesis, wrongGenesis), endpoints, agreement }).check()
}

/** Refuses to start on a node of another chain. A node that does not answer is checked later, before it is trusted. */
export async function checkNodes(gates: readonly NodeGate[], log: Log): Promise<void> {
  await Promise.all(gates.map((gate) => refusing(gate.id, log, () => gate.checkChain())))
}

async function refusing(gateId: string, log: Log, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (error instanceof WrongChainError) throw new SettingsError(error.message)
    if (!(error instanceof GateOutageError) && !(error instanceof RpcRefusal)) throw error
    log.warn({ gate: gateId, err: error }, 'the node does not answer: the network is offline until it does')
  }
}

// Addresses of a test chain and of its simulation differ, or belong to different payers, so each has its own pool.
function keychainFor({ network, environment }: Common, { name }: NodeChain): string {
  const usual = keychainOf(network, environment)
  return environment === 'live' ? usual : `${usual}-${name}`
}

export function chainOf(registry: AssetRegistry, config: GateConfig): GateChain {
  if (config.kind === 'bitcoin') return { kind: 'bitcoin', written: nodeChain(registry, config).written }
  if (config.kind === 'xrp') {
    const { tokens, id } = config
    const wrong = tokens.find(({ contract }) => readContract(contract) === null)
    if (wrong !== undefined)
      throw misspelt(
        id,
        wrong,
        'it is not a code and the address of an issuer. Copy the whole address again.',
      )
    return { kind: 'xrp', tokens }
  }
  if (config.kind === 'solana') {
    const { tokens, id } = config
    const wrong = tokens?.find(({ contract }) => decodePublicKey(contract) === null)
    if (wrong !== undefined)
      throw misspelt(id, wrong, 'it is not the address of a mint. Copy the whole address again.')
    return { kind: 'solana', tokens }
  }
  const { chainId, tokens, transactions, hasDataFee, id } = config
  const wrong = tokens?.find(({ contract }) => canonicalAddress(contract) === null)
  if (wrong !== undefined)
    throw misspelt(
      id,
      wrong,
      'the case of its letters does not match (EIP-55). Copy the whole address again.',
    )
  return { kind: 'evm', chainId, tokens, transactions, hasDataFee }
}

function misspelt(id: GateId, { code, contract }: TokenEntry, why: string): SettingsError {
  return new SettingsError(
    `SLUICE_CONFIG: the contract of ${code} in the gate ${id}, ${contract}, is misspelt: ${why}`,
  )
}

export function nodeChain(registry: AssetRegistry, { network: id, chain }: BitcoinGateConfig): NodeChain {
  const network = networkIn(registry, id)
  const found = network.family === 'bitcoin' ? nodeChainOf(network, chain) : null
  if (found === null) throw new Error(`${id} has no chain ${chain}.`)
  return found
}
