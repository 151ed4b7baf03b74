import type { Asker } from './client.ts'
import type { Findings } from './findings.ts'
import type { Measures } from './measures.ts'
import type { Asset, Chains, Merchant } from './model.ts'
import type { Randomness } from './randomness.ts'

/** One run: its randomness, the model of everything it has done, and its findings. */
export type Fuzz = {
  readonly random: Randomness
  readonly findings: Findings
  readonly measures: Measures
  readonly assets: readonly Asset[]
  /** By `BTC/USD`. */
  readonly rates: ReadonlyMap<string, string>
  readonly chains: Chains
  readonly merchants: readonly Merchant[]
  /** A key of the live environment, which must see nothing of this run. */
  readonly live: Asker | null
  /** For each asset, the largest deposit that was dust and the smallest that was not. */
  readonly dust: Map<Asset, { dust: bigint; real: bigint | null }>
  /** How often processes of the service were killed. */
  kills: number
}

export function anyone({ random, merchants }: Fuzz): Merchant {
  const merchant = random.pick(merchants)
  if (merchant === undefined) throw new Error('There are no merchants.')
  return merchant
}

export function assetOf({ assets }: Fuzz, currency: string, network: string): Asset {
  const asset = assets.find((each) => each.currency === currency && each.network === network)
  if (asset === undefined) throw new Error(`There is no ${currency} on ${network}.`)
  return asset
}

// These need fewer blocks and are reorganised sooner than others, so more happens on them.
const favourites = ['bitcoin', 'litecoin', 'xrp', 'ethereum']

/** An asset on a network that is online for the merchant, with a preference for the busy networks. */
export function onlineAsset(
  { assets, random }: Fuzz,
  merchant: Merchant,
  isWanted: (asset: Asset) => boolean = () => true,
): Asset | undefined {
  const online = assets.filter((asset) => !merchant.offline.has(asset.network) && isWanted(asset))
  if (online.length === 0) return undefined
  const favoured = online.filter(({ network }) => favourites.includes(network))
  return random.pick(random.hits(0.6) && favoured.length > 0 ? favoured : online)
}

/** A multiple of an asset's smallest amount, often with odd digits after it. */
export function someAmount({ random }: Fuzz, asset: Asset, least: number, most: number): bigint {
  let units = asset.minimum * BigInt(random.int(least, most))
  if (random.hits(0.7))
    units +=
      (BigInt(random.int(0, 1e9)) * 10n ** BigInt(Math.max(0, asset.decimals - 9))) %
      10n ** BigInt(asset.decimals)
  if (random.hits(0.3)) units += BigInt(random.int(0, 999))
  return units
}

export function someKey({ random, findings: { step } }: Fuzz): string | undefined {
  return random.hits(0.5) ? `k-${random.seed}-${step}-${random.int(0, 1e9)}` : undefined
}
