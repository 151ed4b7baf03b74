import { type AssetRegistry, networksIn } from '../domain/assets.ts'
import type { Network } from '../domain/networks/network.ts'
import { type GateConfig, type GateEntry, gateProblems, readGates } from '../settings/gate-config.ts'
import { maxNodes } from '../settings/rpc-urls.ts'
import { SettingsError } from '../settings/settings.ts'

/** The servers to try, as the operator names them. */
export type WantedTrial = {
  readonly network: string
  /** None: those of the gate in the settings. */
  readonly urls: readonly string[]
  /** The chain they must be on; null for the live one. */
  readonly chain: string | null
  readonly cookieFile: string | null
  readonly blocks: number
}

const liveCluster = 'mainnet-beta'
/** How messages about a gate's settings call the options of the command. */
const options: readonly (readonly [RegExp, string])[] = [
  [/^\/gates\/\d+\/rpc_cookie_file /, '--cookie-file '],
  [/^\/gates\/\d+\/rpc_url /, '--url '],
  [/^\/gates\/\d+\/(chain|chain_id|cluster|network_id) /, '--chain '],
  [/^\/gates\/\d+/, 'The server '],
]

/** A gate for each server alone, checked as the gates of the configuration are. */
export function trialConfigs(
  registry: AssetRegistry,
  wanted: WantedTrial,
  configured: readonly GateConfig[],
): GateConfig[] {
  const networks = networksIn(registry)
  const network = networks.find(({ id }) => id === wanted.network)
  if (network === undefined) {
    const known = networks.map(({ id }) => id)
    throw new SettingsError(`There is no network ${wanted.network}. Name one of ${known.join(', ')}.`)
  }
  if (wanted.urls.length > maxNodes) throw new SettingsError(`Name at most ${maxNodes} servers.`)
  if (wanted.urls.length === 0) return eachAlone(network, wanted, configured)
  const entries = wanted.urls.map((url) => entryFor(network, wanted, url))
  // One by one: in a configuration, a network has one gate in each environment.
  const problems = entries.flatMap((entry) => gateProblems(registry, [entry]))
  if (problems.length > 0)
    throw new SettingsError(
      [...new Set(problems)]
        .map((problem) => options.reduce((text, [from, to]) => text.replace(from, to), problem))
        .join('\n'),
    )
  return readGates(networks, entries)
}

function entryFor(network: Network, { chain, cookieFile }: WantedTrial, rpc_url: string): GateEntry {
  const named = { network: network.id, rpc_url }
  if (network.family !== 'bitcoin' && cookieFile !== null)
    throw new SettingsError('--cookie-file is for nodes of Bitcoin and Litecoin.')
  switch (network.family) {
    case 'bitcoin':
      return {
        ...named,
        kind: 'bitcoin',
        environment: (chain ?? 'main') === 'main' ? 'live' : 'test',
        chain: chain ?? 'main',
        ...(cookieFile !== null && { rpc_cookie_file: cookieFile }),
      }
    case 'evm': {
      const chainId = chain === null ? network.live.chainId : Number(chain)
      if (!Number.isSafeInteger(chainId) || chainId < 1)
        throw new SettingsError('--chain must be the id of a chain (EIP-155), such as 1 or 11155111.')
      const environment = chainId === network.live.chainId ? 'live' : 'test'
      return { ...named, kind: 'evm', environment, chain_id: chainId }
    }
    case 'solana': {
      const cluster = chain ?? liveCluster
      return { ...named, kind: 'solana', environment: cluster === liveCluster ? 'live' : 'test', cluster }
    }
    case 'xrp': {
      const networkId = chain === null ? network.live.networkId : Number(chain)
      if (!Number.isSafeInteger(networkId) || networkId < 0)
        throw new SettingsError('--chain must be the number of a network of the XRP Ledger, such as 0 or 1.')
      const environment = networkId === network.live.networkId ? 'live' : 'test'
      return { ...named, kind: 'xrp', environment, network_id: networkId }
    }
  }
}

/** The servers of the gates of a network in the settings: of the one on this chain, or of the only one. */
function eachAlone(
  network: Network,
  { chain }: WantedTrial,
  configured: readonly GateConfig[],
): GateConfig[] {
  const own = configured.filter(
    (config) => config.network === network.id && (chain === null || chainOf(config) === chain),
  )
  const [gate, other] = own
  if (gate === undefined || other !== undefined)
    throw new SettingsError(
      gate === undefined
        ? `The configuration has no gate of ${network.name}${chain === null ? '' : ` on ${chain}`}. Name a server: --url http://…`
        : `The configuration has several gates of ${network.name}. Name the --chain of one: ${own.map(chainOf).join(', ')}`,
    )
  if (gate.kind === 'bitcoin') return [gate]
  return gate.rpcUrls().map((url) => ({ ...gate, agreement: 1, rpcUrls: () => [url] }))
}

/** What a gate calls the chain that its servers must be on. */
export function chainOf(config: GateConfig): string {
  switch (config.kind) {
    case 'bitcoin':
      return config.chain
    case 'evm':
      return String(config.chainId)
    case 'solana':
      return config.cluster
    case 'xrp':
      return String(config.networkId)
  }
}
