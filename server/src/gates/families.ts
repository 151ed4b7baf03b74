import type { AssetRegistry } from '../domain/assets.ts'
import type { Environment } from '../domain/environment.ts'
import type { BitcoinChain } from '../domain/networks/bitcoin-rules.ts'
import type { Network } from '../domain/networks/network.ts'
import type { TokenProgram } from '../domain/solana-transaction.ts'
import { testAssets } from '../simulator/gate/test-assets.ts'
import { testFamily } from '../simulator/gate/test-families.ts'
import { bitcoinFamily } from './bitcoin/family.ts'
import { canonicalAddress } from './evm/address.ts'
import { evmFamily } from './evm/family.ts'
import type { TransactionKind } from './evm/sign.ts'
import type { Family } from './family.ts'
import type { GateAsset } from './gate.ts'
import { decodePublicKey } from './solana/address.ts'
import { solanaFamily } from './solana/family.ts'
import { keyOf, type WalletKeys } from './wallet-keys.ts'
import { xrpFamily } from './xrp/family.ts'
import { readContract } from './xrp/issued-currency.ts'

/** A token that the operator lists for a gate. */
type ListedToken = { readonly code: string; readonly contract: string; readonly program?: TokenProgram }

/** The chain of a gate, where it is not the usual one of its environment. */
export type GateChain =
  | { readonly kind: 'bitcoin'; readonly written: BitcoinChain }
  | {
      readonly kind: 'evm'
      /** EIP-155. */
      readonly chainId: number
      /** Null: the network's known tokens in the live environment, none in the test environment. */
      readonly tokens: readonly ListedToken[] | null
      /** EIP-1559, unless the chain accepts only legacy transactions. */
      readonly transactions?: TransactionKind
      /** Whether the chain charges a data fee besides gas (OP stack). */
      readonly hasDataFee: boolean
    }
  | {
      readonly kind: 'solana'
      /** Null: the network's known tokens in the live environment, none in the test environment. */
      readonly tokens: readonly ListedToken[] | null
    }
  /** Addresses of the XRP Ledger are the same on all its networks. */
  | {
      readonly kind: 'xrp'
      /** None but these: our account must trust each issuer first, and that takes some of its XRP. */
      readonly tokens: readonly ListedToken[]
    }

/**
 * A network's addresses and transactions in an environment, for the wallet with these public keys. `chain` is set where a
 * gate is not on the usual chain of its environment.
 */
export function familyOf(
  network: Network,
  environment: Environment,
  keys: WalletKeys,
  registry: AssetRegistry,
  chain?: GateChain,
): Family {
  if (chain?.kind === 'bitcoin' && network.family === 'bitcoin')
    return bitcoinFamily({ network, chain: chain.written, accountKey: keyOf(keys, network) })
  if (chain?.kind === 'evm') {
    const assets = assetsOf(network, environment, registry, chain)
    const { chainId, transactions = 'eip1559' } = chain
    return evmFamily({
      chainId,
      transactions,
      accountKey: keyOf(keys, network),
      refused: contractsOf(assets),
    })
  }
  if (chain?.kind === 'solana') {
    const assets = assetsOf(network, environment, registry, chain)
    return solanaFamily({ assets, hotAddress: keys.solana ?? null })
  }
  if (chain?.kind === 'xrp') {
    const assets = assetsOf(network, environment, registry, chain)
    return xrpFamily({ environment, account: keyOf(keys, network), assets })
  }
  return environment === 'test' ? testFamily(network, keys, registry) : liveFamily(network, keys, registry)
}

/** The assets of a network in an environment. */
export function assetsOf(
  network: Network,
  environment: Environment,
  registry: AssetRegistry,
  chain?: GateChain,
): GateAsset[] {
  const known = registry.flatMap(({ code, assets }) =>
    assets.filter((asset) => asset.network.id === network.id).map((asset) => ({ ...asset, currency: code })),
  )
  if (chain?.kind === 'evm') return onChain(known, environment, chain.tokens, canonicalAddress)
  if (chain?.kind === 'solana') return onChain(known, environment, chain.tokens, canonicalMint)
  if (chain?.kind === 'xrp') return onChain(known, environment, chain.tokens, canonicalIssued)
  return environment === 'test'
    ? testAssets(registry, network)
    : known.filter(({ isTestOnly = false }) => !isTestOnly)
}

function onChain(
  known: readonly GateAsset[],
  environment: Environment,
  listed: readonly ListedToken[] | null,
  canonical: (address: string) => string | null,
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
    const contractAddress = canonical(token.contract)
    if (contractAddress === null)
      throw new Error(`The contract of ${token.code}, ${token.contract}, is not an address.`)
    const { tokenProgram: _, ...rest } = asset
    return [{ ...rest, contractAddress, ...(token.program !== undefined && { tokenProgram: token.program }) }]
  })
}

function canonicalMint(address: string): string | null {
  return decodePublicKey(address) === null ? null : address
}

function canonicalIssued(contract: string): string | null {
  return readContract(contract) === null ? null : contract
}

function contractsOf(assets: readonly GateAsset[]): string[] {
  return assets.flatMap(({ contractAddress }) => contractAddress ?? [])
}

function liveFamily(network: Network, keys: WalletKeys, registry: AssetRegistry): Family {
  const assets = assetsOf(network, 'live', registry)
  const refused = contractsOf(assets)
  switch (network.family) {
    case 'bitcoin':
      return bitcoinFamily({ network, chain: 'main', accountKey: keyOf(keys, network) })
    case 'evm':
      return evmFamily({ chainId: network.live.chainId, accountKey: keyOf(keys, network), refused })
    case 'solana':
      return solanaFamily({ assets, hotAddress: keys.solana ?? null })
    case 'xrp':
      return xrpFamily({ environment: 'live', account: keyOf(keys, network), assets })
  }
}
