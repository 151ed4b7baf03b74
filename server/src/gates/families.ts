import { type AssetRegistry, currencies } from '../domain/assets.ts'
import type { Environment } from '../domain/environment.ts'
import type { Network } from '../domain/networks.ts'
import { type BitcoinChain, type BitcoinCoin, chainRules } from './bitcoin/chain-rules.ts'
import { bitcoinFamily } from './bitcoin/family.ts'
import { evmFamily } from './evm/family.ts'
import type { Family } from './family.ts'
import type { GateAsset } from './gate.ts'
import { testAssets } from './simulated/test-assets.ts'
import { type TestPublicKeys, testFamily } from './simulated/test-families.ts'
import { solanaFamily } from './solana/family.ts'
import { xrpFamily } from './xrp/family.ts'

/** A wallet's public keys by network, as they are published. */
export type WalletKeys = Readonly<Record<string, string | null>>

/** EIP-155 numbers of the live networks. */
const liveChainIds: Readonly<Record<string, number>> = {
  ethereum: 1,
  polygon: 137,
  bsc: 56,
  base: 8453,
  arbitrum: 42_161,
  optimism: 10,
}

/**
 * A network's addresses and transactions in an environment, for the wallet with these public keys; `written` says how,
 * where a gate is on another chain than the environment's usual one.
 */
export function familyOf(
  network: Network,
  environment: Environment,
  keys: WalletKeys,
  registry: AssetRegistry = currencies,
  written?: BitcoinChain,
): Family {
  if (written !== undefined && network.family === 'bitcoin')
    return bitcoinFamily({ coin: coinOf(network), chain: written, accountKey: keyOf(keys, network.id) })
  return environment === 'test'
    ? testFamily(network, testPublicKeys(keys), registry)
    : liveFamily(network, keys, registry)
}

/** What a network carries in an environment. */
export function assetsOf(
  network: Network,
  environment: Environment,
  registry: AssetRegistry = currencies,
): GateAsset[] {
  if (environment === 'test') return testAssets(registry, network)
  return registry.flatMap(({ code, assets }) =>
    assets.filter((asset) => asset.network.id === network.id).map((asset) => ({ ...asset, currency: code })),
  )
}

export function testPublicKeys(keys: WalletKeys): TestPublicKeys {
  return {
    bitcoin: keyOf(keys, 'bitcoin'),
    litecoin: keyOf(keys, 'litecoin'),
    evm: keyOf(keys, 'ethereum'),
    xrp: keyOf(keys, 'xrp'),
    solana: keys.solana ?? null,
  }
}

function liveFamily(network: Network, keys: WalletKeys, registry: AssetRegistry): Family {
  const refused = assetsOf(network, 'live', registry).flatMap(({ contractAddress }) => contractAddress ?? [])
  switch (network.family) {
    case 'bitcoin':
      return bitcoinFamily({ coin: coinOf(network), chain: 'main', accountKey: keyOf(keys, network.id) })
    case 'evm':
      return evmFamily({ chainId: liveChainId(network), accountKey: keyOf(keys, network.id), refused })
    case 'solana':
      return solanaFamily({ refused, hotAddress: keys.solana ?? null })
    case 'xrp':
      return xrpFamily({ environment: 'live', account: keyOf(keys, network.id) })
  }
}

/** The rules that a network of the Bitcoin kind follows. */
export function coinOf({ id }: Network): BitcoinCoin {
  if (!Object.hasOwn(chainRules, id)) throw new Error(`The rules of ${id} are not known.`)
  return id as BitcoinCoin
}

function liveChainId({ id }: Network): number {
  const chainId = liveChainIds[id]
  if (chainId === undefined) throw new Error(`No chain id is known for ${id}.`)
  return chainId
}

function keyOf(keys: WalletKeys, network: string): string {
  const found = keys[network]
  if (found == null) throw new Error(`The wallet has no public key for ${network}.`)
  return found
}
