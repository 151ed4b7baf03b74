import type { AssetRegistry } from '../domain/assets.ts'
import type { GateConfig } from '../domain/gate-config.ts'
import { type GateId, keychainOf, type Network } from '../domain/networks.ts'
import type { BitcoinChain } from '../gates/bitcoin/chain-rules.ts'
import { type NodeChain, nodeChainOf } from '../gates/bitcoin/node-chains.ts'
import { type NodeGate, nodeGate, WrongChainError } from '../gates/bitcoin/node-gate.ts'
import { nodeRpc } from '../gates/bitcoin/rpc.ts'
import { assetsOf, coinOf, familyOf, type WalletKeys } from '../gates/families.ts'
import { GateOutageError } from '../gates/gate.ts'
import type { Log } from '../log.ts'
import { SettingsError } from '../settings.ts'
import type { Closers } from './closers.ts'

/** How the addresses of configured gates are written, where not as usual in their environment. */
export function writtenChains(gates: readonly GateConfig[], networks: readonly Network[]) {
  const written = new Map<GateId, BitcoinChain>()
  for (const config of gates) {
    const network = networks.find(({ id }) => id === config.network)
    if (network !== undefined) written.set(config.id, chainOf(network, config).written)
  }
  return written
}

/** The gate that the operator has configured on a real node. */
export function openNodeGate(
  config: GateConfig,
  known: Network,
  keys: WalletKeys,
  registry: AssetRegistry,
  closers: Closers,
): NodeGate {
  const { environment, rpcUrl, rpcCookieFile, fees } = config
  const chain = chainOf(known, config)
  const network = {
    ...known,
    confirmations: config.confirmations ?? known.confirmations,
    confirmationTiers: config.confirmationTiers ?? known.confirmationTiers,
  }
  const rpc = nodeRpc({ url: rpcUrl(), cookieFile: rpcCookieFile })
  closers.add(async () => rpc.close())
  return nodeGate({
    ...{ network, environment, chain, rpc, fees },
    keychain: keychainFor(network, config, chain),
    assets: assetsOf(network, environment, registry).map((asset) => ({ ...asset, network })),
    family: familyOf(network, environment, keys, registry, chain.written),
  })
}

/** Refuses to start on a node that is on another chain. One that does not answer is asked again before it is believed. */
export async function checkNodes(gates: readonly NodeGate[], log: Log): Promise<void> {
  await Promise.all(
    gates.map(async (gate) => {
      try {
        await gate.checkChain()
      } catch (error) {
        if (error instanceof WrongChainError) throw new SettingsError(error.message)
        if (!(error instanceof GateOutageError)) throw error
        log.warn(
          { gate: gate.id, err: error },
          'the node does not answer: the network is offline until it does',
        )
      }
    }),
  )
}

// Addresses of a test chain and of its simulation are not the same, or not for the same payers: each has its own pool.
function keychainFor(network: Network, { environment }: GateConfig, { name }: NodeChain): string {
  const usual = keychainOf(network, environment)
  return environment === 'live' ? usual : `${usual}-${name}`
}

function chainOf(network: Network, { chain }: GateConfig): NodeChain {
  const found = nodeChainOf(coinOf(network), chain)
  if (found === null) throw new Error(`${network.name} has no chain ${chain}.`)
  return found
}
