/** What the sources of rates call a currency; null where a source is not asked for it. */
export type SourceNames = {
  /** Kraken's pairs. Their last three letters say in which fiat currency: old listings carry X and Z prefixes. */
  readonly kraken: readonly string[] | null
  readonly coinbase: string | null
  /** What Binance's symbols begin with; the fiat currency follows. */
  readonly binance: string | null
  readonly coingecko: string | null
}

type Facts = {
  readonly code: string
  readonly name: string
  /**
   * A round price in USD for a sandbox without network. It also tells an inverted quote from an upright one when there is
   * nothing better, so it may be old but must stay on the right side of 1. Null: there is none.
   */
  readonly sandboxPrice: string | null
  readonly sourceNames: SourceNames
}

/** The coin that networks take their fees in. */
export type NativeCurrency = Facts & {
  readonly kind: 'native'
  /** The network meant when a request names none; lists show it first. */
  readonly defaultNetwork: string
}

/** The same token on several networks is several assets: nobody may guess which one the payer holds. */
export type TokenCurrency = Facts & {
  readonly kind: 'token'
  readonly defaultNetwork: null
  /** The networks that lists show first, in this order; the others follow by their ids. */
  readonly shownFirst: readonly string[]
}

/** What is true of a currency on all its networks. One that a single network has stands in that network's file. */
export type CurrencyFacts = NativeCurrency | TokenCurrency

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
  shownFirst: ['ethereum', 'solana'],
  sandboxPrice: '1',
  sourceNames: {
    kraken: ['USDTZUSD', 'USDTEUR', 'USDTGBP', 'USDTCAD', 'USDTJPY', 'USDTAUD', 'USDTCHF'],
    coinbase: 'USDT',
    binance: 'USDT',
    coingecko: 'tether',
  },
}
