import type { ConfirmationTier } from './confirmations.ts'
import { divide, parseDecimal } from './money.ts'
import { type Network, networks } from './networks.ts'

/** A currency on one network: what an amount there means. */
export type Asset = {
  readonly network: Network
  readonly decimals: number
  /** The token's contract or mint in the live environment; null for a network's own coin. */
  readonly contractAddress: string | null
  /** The smallest invoice or payout, in units. */
  readonly minUnits: bigint
  /** A deposit below this is nobody's payment: it goes to suspense, so that strangers cannot disturb an invoice. */
  readonly dustUnits: bigint
  /** Set when only the test environment has it. */
  readonly isTestOnly?: boolean
}

export type Currency = {
  readonly code: string
  readonly name: string
  readonly kind: 'native' | 'token'
  /** The network meant when a request names none; null where it must name one. */
  readonly defaultNetwork: string | null
  readonly assets: readonly Asset[]
}

export type AssetRegistry = readonly Currency[]

// Far below what anyone would pay, far above what it costs to annoy.
const dustShare = 100n

type Placed = {
  readonly on: string
  readonly decimals: number
  readonly min: string
  readonly contract?: string
  /** Where the network itself has a limit; otherwise a hundredth of the minimum. */
  readonly dust?: string
}

const native = (code: string, name: string, ...placed: readonly [Placed, ...Placed[]]): Currency => ({
  code,
  name,
  kind: 'native',
  defaultNetwork: placed[0].on,
  assets: placed.map(asset),
})

// The same token on several networks is several assets: nobody may guess which one the payer holds.
const token = (code: string, name: string, ...placed: readonly Placed[]): Currency => ({
  code,
  name,
  kind: 'token',
  defaultNetwork: null,
  assets: placed.map(asset),
})

/** Every currency the service knows, sorted by code. A new one on a known network family is one line here. */
export const currencies: AssetRegistry = [
  native('AVAX', 'Avalanche', { on: 'avalanche', decimals: 18, min: '0.005' }),
  native('BNB', 'BNB', { on: 'bsc', decimals: 18, min: '0.0005' }),
  native('BTC', 'Bitcoin', { on: 'bitcoin', decimals: 8, min: '0.00001', dust: '0.00000546' }),
  native(
    'ETH',
    'Ether',
    { on: 'ethereum', decimals: 18, min: '0.0001' },
    { on: 'arbitrum', decimals: 18, min: '0.00001' },
    { on: 'base', decimals: 18, min: '0.00001' },
    { on: 'optimism', decimals: 18, min: '0.00001' },
  ),
  native('LTC', 'Litecoin', { on: 'litecoin', decimals: 8, min: '0.001', dust: '0.0000546' }),
  native('POL', 'Polygon', { on: 'polygon', decimals: 18, min: '0.1' }),
  native('SOL', 'Solana', { on: 'solana', decimals: 9, min: '0.001' }),
  token(
    'USDC',
    'USD Coin',
    { on: 'ethereum', decimals: 6, min: '1', contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
    { on: 'solana', decimals: 6, min: '0.1', contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
    { on: 'arbitrum', decimals: 6, min: '0.1', contract: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831' },
    { on: 'avalanche', decimals: 6, min: '0.1', contract: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E' },
    { on: 'base', decimals: 6, min: '0.1', contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
    { on: 'bsc', decimals: 18, min: '0.1', contract: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d' },
    { on: 'optimism', decimals: 6, min: '0.1', contract: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85' },
    { on: 'polygon', decimals: 6, min: '0.1', contract: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
  ),
  token(
    'USDT',
    'Tether USD',
    { on: 'ethereum', decimals: 6, min: '1', contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7' },
    { on: 'solana', decimals: 6, min: '0.1', contract: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' },
    { on: 'avalanche', decimals: 6, min: '0.1', contract: '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7' },
    { on: 'bsc', decimals: 18, min: '0.1', contract: '0x55d398326f99059fF775485246999027B3197955' },
    { on: 'polygon', decimals: 6, min: '0.1', contract: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F' },
  ),
  native('XRP', 'XRP', { on: 'xrp', decimals: 6, min: '0.1' }),
]

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

/** What a request means by a currency and perhaps a network, or why it means nothing. */
export type AssetChoice =
  | { readonly currency: Currency; readonly asset: Asset }
  | { readonly problem: 'unknown_currency' }
  | { readonly problem: 'network_required' | 'unknown_network'; readonly networks: readonly string[] }

/**
 * A code of a request in the case in which we write it. Letters beyond ASCII stay what they are: some have an ASCII
 * letter as their upper case, and are no part of a code.
 */
export function upperCode(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}

/** Finds an asset by the codes of a request, whose case does not matter. */
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

/** The currency that a network's fees are paid in, and what it is there. */
export function nativeCurrencyOn(
  registry: AssetRegistry,
  network: string,
): { currency: Currency; asset: Asset } {
  for (const currency of registry) {
    const asset = currency.assets.find((each) => each.network.id === network && each.contractAddress === null)
    if (asset !== undefined) return { currency, asset }
  }
  throw new Error(`The registry has no coin of ${network} itself.`)
}

/** In how many decimals a currency's sum over its networks is counted: the largest among them. */
export function balanceDecimals(registry: AssetRegistry, code: string): number {
  const currency = registry.find((each) => each.code === code)
  if (currency === undefined) throw new Error(`The registry does not know ${code}.`)
  return Math.max(...currency.assets.map(({ decimals }) => decimals))
}

function asset({ on, decimals, min, contract, dust }: Placed): Asset {
  const network = networks.find(({ id }) => id === on)
  const minUnits = parseDecimal(min, decimals)
  const dustUnits =
    dust === undefined ? divide(minUnits ?? 0n, dustShare, 'up') : parseDecimal(dust, decimals)
  if (network === undefined || minUnits === null || dustUnits === null)
    throw new Error(`The registry line for ${on} is wrong.`)
  return { network, decimals, contractAddress: contract ?? null, minUnits, dustUnits }
}
