import { parseRate, type Quote } from '../../domain/quote.ts'
import { type FeedOptions, FeedOutageError, type Json, jsonFetcher, member, type RateFeed } from './feed.ts'

const name = 'binance'
const defaultUrl = 'https://api.binance.com'

/** The fiat currencies Binance quotes coins in directly. USD is not among them, and USDT is not USD. */
const quotedIn: readonly string[] = [
  'EUR',
  'TRY',
  'BRL',
  'JPY',
  'PLN',
  'ARS',
  'MXN',
  'ZAR',
  'UAH',
  'RON',
  'CZK',
  'COP',
]

/**
 * Fetches all symbols at once: with `symbols`, one unknown name fails the whole call with -1121, and both calls cost
 * the same weight of 4. The answer is about 150 kB. Only trading symbols: delisted ones keep their last price for years
 * (BTCGBP still shows its price of 2023), and the answer has no timestamp that would reveal it.
 */
const tradingPricesPath = '/api/v3/ticker/price?symbolStatus=TRADING'

/** Binance's price ticker (https://developers.binance.com/docs/binance-spot-api-docs/rest-api/market-data-endpoints). */
export function binanceFeed(options: FeedOptions = {}): RateFeed {
  return {
    name,
    async fetchQuotes(request) {
      const fiatCurrencies = request.fiatCurrencies.filter((code) => quotedIn.includes(code))
      if (fiatCurrencies.length === 0) return []
      const prices = readPrices(await jsonFetcher(name, defaultUrl, options, request)(tradingPricesPath))
      return request.currencies.flatMap(({ code: currency, sourceNames: { binance: symbol } }) =>
        fiatCurrencies.flatMap((fiatCurrency): Quote[] => {
          const rate = symbol === null ? null : parseRate(prices.get(`${symbol}${fiatCurrency}`) ?? '')
          return rate === null ? [] : [{ source: name, currency, fiatCurrency, rate, fetchedAt: request.now }]
        }),
      )
    },
  }
}

function readPrices(answer: Json): Map<string, string> {
  if (!Array.isArray(answer)) throw new FeedOutageError(name, 'answered without a list of prices.')
  const prices = new Map<string, string>()
  for (const row of answer) {
    const symbol = member(row, 'symbol')
    const price = member(row, 'price')
    if (typeof symbol === 'string' && typeof price === 'string') prices.set(symbol, price)
  }
  return prices
}
