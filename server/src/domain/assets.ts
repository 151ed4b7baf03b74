import type { ConfirmationTier } from './confirmations.ts'
import type { CurrencyFacts } from './currencies.ts'
import { parseDecimal } from './money.ts'
import type { Network } from './networks/network.ts'
import type { TokenProgram } from './solana-transaction.ts'

/** A currency on one network: what an amount there means. */
export type Asset = {
  readonly network: Network
  readonly decimals: number
  /** The token's contract or mint in the live environment; null for the native currency. */
  readonly contractAddress: string | null
  /** On Solana, the program that keeps the token; the original one when left out. */
  readonly tokenProgram?: TokenProgram
  /** The smallest invoice or payout, in units. */
  readonly minUnits: bigint
  /** A deposit below this goes to suspense and counts for no invoice, so that strangers cannot disturb one. */
  readonly dustUnits: bigint
  /** Set when the asset exists only in the test environment. */
  readonly isTestOnly?: boolean
}

/** A currency and its asset on each of its networks. */
export type Currency = CurrencyFacts & { readonly assets: readonly Asset[] }

/** Every currency the service knows, sorted by code. It includes each network's native currency. */
export type AssetRegistry = readonly Currency[]

/** The currencies of these networks. Throws when the networks' records contradict each other. */
export function registryOf(networks: readonly Network[]): AssetRegistry {
  const placed = networks.flatMap((network) => [
    { facts: network.native.currency, asset: assetOn(network, network.native, null) },
    ...network.tokens.map((token) => ({
      facts: token.currency,
      asset: {
        ...assetOn(network, token, token.contract),
        ...(token.program !== undefined && { tokenProgram: token.program }),
      },
    })),
  ])
  return [...Map.groupBy(placed, ({ facts }) => facts.code)]
    .map(([code, places]): Currency => {
      const [facts, other] = new Set(places.map((place) => place.facts))
      if (facts === undefined || other !== undefined)
        throw new Error(`${code} is defined twice. Define a currency of several networks in currencies.ts.`)
      return { ...facts, assets: inOrder(facts, places) }
    })
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
}

/** The networks of a registry, by their ids. */
export function networksIn(registry: AssetRegistry): Network[] {
  const all = registry.flatMap(({ assets }) => assets.map(({ network }) => [network.id, network] as const))
  return [...new Map(all).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** The network with this id. An unknown id is a bug: ids from outside are checked before. */
export function networkIn(registry: AssetRegistry, id: string): Network {
  for (const { assets } of registry) for (const { network } of assets) if (network.id === id) return network
  throw new Error(`There is no network ${id}.`)
}

/** What each network is called, by its id. */
export function networkNames(registry: AssetRegistry): Record<string, string> {
  return Object.fromEntries(
    registry.flatMap(({ assets }) => assets.map(({ network }) => [network.id, network.name] as const)),
  )
}

/** The registry with the operator's own confirmation depths and tiers, by network. */
export function withConfirmations(
  registry: AssetRegistry,
  depths: Readonly<Record<string, number>>,
  tiers: Readonly<Record<string, readonly ConfirmationTier[]>> = {},
): AssetRegistry {
  return registry.map((currency) => ({
    ...currency,
    assets: currency.assets.map((asset) => ({
      ...asset,
      network: {
        ...asset.network,
        confirmations: depths[asset.network.id] ?? asset.network.confirmations,
        confirmationTiers: tiers[asset.network.id] ?? asset.network.confirmationTiers,
      },
    })),
  }))
}

/** The asset that a request's currency and optional network name, or why they name none. */
export type AssetChoice =
  | { readonly currency: Currency; readonly asset: Asset }
  | { readonly problem: 'unknown_currency' }
  | { readonly problem: 'network_required' | 'unknown_network'; readonly networks: readonly string[] }

/**
 * A currency code in upper case. Only ASCII letters change: some other letters have an ASCII letter as their upper
 * case, and must not match a code.
 */
export function upperCode(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}

/** Finds the asset that a request names. Codes are case-insensitive. */
export function chooseAsset(registry: AssetRegistry, code: string, network: string | null): AssetChoice {
  const currency = registry.find((each) => each.code === upperCode(code))
  if (currency === undefined) return { problem: 'unknown_currency' }
  const networks = currency.assets.map((asset) => asset.network.id)
  const wanted =
    network?.toLowerCase() ?? currency.defaultNetwork ?? (networks.length === 1 ? networks[0] : null)
  if (wanted === null) return { problem: 'network_required', networks }
  const asset = currency.assets.find((each) => each.network.id === wanted)
  return asset === undefined ? { problem: 'unknown_network', networks } : { currency, asset }
}

/** The currency that a network's fees are paid in, and its asset on that network. */
export function nativeCurrencyOn(
  registry: AssetRegistry,
  network: string,
): { currency: Currency; asset: Asset } {
  for (const currency of registry) {
    const asset = currency.assets.find((each) => each.network.id === network && each.contractAddress === null)
    if (asset !== undefined) return { currency, asset }
  }
  throw new Error(`The registry has no native currency for ${network}.`)
}

/** The number of decimals for a currency's total over all its networks: the largest among them. */
export function balanceDecimals(registry: AssetRegistry, code: string): number {
  const currency = registry.find((each) => each.code === code)
  if (currency === undefined) throw new Error(`The registry does not know ${code}.`)
  return Math.max(...currency.assets.map(({ decimals }) => decimals))
}

function assetOn(
  network: Network,
  { decimals, min, dust }: Network['native'] | Network['tokens'][number],
  contractAddress: string | null,
): Asset {
  const minUnits = parseDecimal(min, decimals)
  const dustUnits = parseDecimal(dust, decimals)
  if (minUnits === null || dustUnits === null)
    throw new Error(`The minimum amounts of ${network.id} must be decimals with up to ${decimals} places.`)
  return { network, decimals, contractAddress, minUnits, dustUnits }
}

function inOrder(facts: CurrencyFacts, places: readonly { readonly asset: Asset }[]): Asset[] {
  const first = facts.kind === 'native' ? [facts.defaultNetwork] : facts.shownFirst
  const assets = places.map(({ asset }) => asset).toSorted((a, b) => (a.network.id < b.network.id ? -1 : 1))
  const leading = first.flatMap((id) => assets.filter(({ network }) => network.id === id))
  return [...leading, ...assets.filter((asset) => !leading.includes(asset))]
}
