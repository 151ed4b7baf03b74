/** A currency's name at each rate source; null where we do not ask that source. */
export type SourceNames = {
  /** Kraken's pairs. The last three letters are the fiat currency; old listings carry X and Z prefixes. */
  readonly kraken: readonly string[] | null
  readonly coinbase: string | null
  /** The first part of Binance's symbols; the fiat currency follows. */
  readonly binance: string | null
  readonly coingecko: string | null
}

type Facts = {
  readonly code: string
  readonly name: string
  /**
   * A round price in USD for a sandbox without internet access. As a last resort it also detects inverted quotes, so it
   * may be out of date but must stay on the right side of 1. Null: no price.
   */
  readonly sandboxPrice: string | null
  readonly sourceNames: SourceNames
}

/** A currency in which networks charge their fees. */
export type NativeCurrency = Facts & {
  readonly kind: 'native'
  /** The network used when a request names none. Lists show it first. */
  readonly defaultNetwork: string
}

/** The same token on several networks is several assets: we must never guess which one the payer holds. */
export type TokenCurrency = Facts & {
  readonly kind: 'token'
  readonly defaultNetwork: null
  /** Whether it stands for a US dollar. */
  readonly isDollar: boolean
  /** The networks that lists show first, in this order; the others follow, sorted by id. */
  readonly shownFirst: readonly string[]
}

/** What is true of a currency on all its networks. A currency of a single network is defined in that network's file. */
export type CurrencyFacts = NativeCurrency | TokenCurrency

/** How many decimals of an amount the forms of exchanges and wallets take, even where the network has more. */
export function enterableDecimals(currency: CurrencyFacts): number {
  return currency.kind === 'token' && currency.isDollar ? 6 : 8
}

export const ether: NativeCurrency = {
  code: 'ETH',
  name: 'Ether',
  kind: 'native',
  defaultNetwork: 'ethereum',
  sandboxPrice: '2500',
  sourceNames: {
    kraken: ['XETHZUSD', 'XETHZEUR', 'XETHZGBP', 'XETHZCAD', 'XETHZJPY', 'ETHAUD', 'ETHCHF'],
    coinbase: 'ETH',
    binance: 'ETH',
    coingecko: 'ethereum',
  },
}

export const usdCoin: TokenCurrency = {
  code: 'USDC',
  name: 'USD Coin',
  kind: 'token',
  defaultNetwork: null,
  isDollar: true,
  shownFirst: ['ethereum', 'solana'],
  sandboxPrice: '1',
  sourceNames: {
    kraken: ['USDCUSD', 'USDCEUR', 'USDCGBP', 'USDCCAD', 'USDCAUD', 'USDCCHF'],
    coinbase: 'USDC',
    binance: 'USDC',
    coingecko: 'usd-coin',
  },
}

export const tether: TokenCurrency = {
  code: 'USDT',
  name: 'Tether USD',
  kind: 'token',
  defaultNetwork: null,
  isDollar: true,
  shownFirst: ['ethereum', 'solana'],
  sandboxPrice: '1',
  sourceNames: {
    kraken: ['USDTZUSD', 'USDTEUR', 'USDTGBP', 'USDTCAD', 'USDTJPY', 'USDTAUD', 'USDTCHF'],
    coinbase: 'USDT',
    binance: 'USDT',
    coingecko: 'tether',
  },
}

export const rippleUsd: TokenCurrency = {
  code: 'RLUSD',
  name: 'Ripple USD',
  kind: 'token',
  defaultNetwork: null,
  isDollar: true,
  shownFirst: ['xrp'],
  sandboxPrice: '1',
  sourceNames: { kraken: null, coinbase: 'RLUSD', binance: 'RLUSD', coingecko: 'ripple-usd' },
}
