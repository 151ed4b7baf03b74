import { type AssetRegistry, currencies } from '../domain/assets.ts'
import type { Environment } from '../domain/environment.ts'
import type { TokenEntry } from '../domain/listed-tokens.ts'
import { liveChainIds, type Network } from '../domain/networks.ts'
import { type BitcoinChain, type BitcoinCoin, chainRules } from './bitcoin/chain-rules.ts'
import { bitcoinFamily } from './bitcoin/family.ts'
import { canonicalAddress } from './evm/address.ts'
import { evmFamily } from './evm/family.ts'
import type { TransactionKind } from './evm/sign.ts'
import type { Family } from './family.ts'
import type { GateAsset } from './gate.ts'
import { testAssets } from './simulated/test-assets.ts'
import { type TestPublicKeys, testFamily } from './simulated/test-families.ts'
import { solanaFamily } from './solana/family.ts'
import { xrpFamily } from './xrp/family.ts'

/** A wallet's public keys by network, as they are published. */
export type WalletKeys = Readonly<Record<string, string | null>>

/** The chain that a gate is on, where that is not its environment's usual one. */
export type GateChain =
  | { readonly kind: 'bitcoin'; readonly written: BitcoinChain }
  | {
      readonly kind: 'evm'
      /** EIP-155. */
      readonly chainId: number
      /** Null: those that the network is known to have in the live environment, none in the other. */
      readonly tokens: readonly TokenEntry[] | null
      /** EIP-1559 unless the chain takes only what was before. */
      readonly transactions?: TransactionKind
    }

/**
 * A network's addresses and transactions in an environment, for the wallet with these public keys; `chain` says on which,
 * where a gate is on another than the environment's usual one.
 */
export function familyOf(
  network: Network,
  environment: Environment,
  keys: WalletKeys,
  registry: AssetRegistry = currencies,
  chain?: GateChain,
): Family {
  const accountKey = () => keyOf(keys, network.id)
  if (chain?.kind === 'bitcoin')
    return bitcoinFamily({ coin: coinOf(network), chain: chain.written, accountKey: accountKey() })
  if (chain?.kind === 'evm') {
    const assets = assetsOf(network, environment, registry, chain)
    const { chainId, transactions = 'eip1559' } = chain
    return evmFamily({ chainId, transactions, accountKey: accountKey(), refused: contractsOf(assets) })
  }
  return environment === 'test'
    ? testFamily(network, testPublicKeys(keys), registry)
    : liveFamily(network, keys, registry)
}

/** What a network carries in an environment. */
export function assetsOf(
  network: Network,
  environment: Environment,
  registry: AssetRegistry = currencies,
  chain?: GateChain,
): GateAsset[] {
  const known = registry.flatMap(({ code, assets }) =>
    assets.filter((asset) => asset.network.id === network.id).map((asset) => ({ ...asset, currency: code })),
  )
  if (chain?.kind === 'evm') return onEvmChain(known, environment, chain.tokens)
  return environment === 'test'
    ? testAssets(registry, network)
    : known.filter(({ isTestOnly = false }) => !isTestOnly)
}

function onEvmChain(
  known: readonly GateAsset[],
  environment: Environment,
  listed: readonly TokenEntry[] | null,
): GateAsset[] {
  if (listed === null)
    return known.filter(
      ({ contractAddress, isTestOnly = false }) =>
        contractAddress === null || (environment === 'live' && !isTestOnly),
    )
  return known.flatMap((asset) => {
    if (asset.contractAddress === null) return [asset]
    const token = listed.find(({ code }) => code === asset.currency)
    if (token === undefined) return []
    const contractAddress = canonicalAddress(token.contract)
    if (contractAddress === null)
      throw new Error(`The contract of ${token.code}, ${token.contract}, is no address.`)
    return [{ ...asset, contractAddress }]
  })
}

function contractsOf(assets: readonly GateAsset[]): string[] {
  return assets.flatMap(({ contractAddress }) => contractAddress ?? [])
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
  const refused = contractsOf(assetsOf(network, 'live', registry))
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
