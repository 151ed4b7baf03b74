import { parseRate, type Quote } from '../../domain/quote.ts'
import {
  excerpt,
  type FeedOptions,
  FeedOutageError,
  type Json,
  jsonFetcher,
  member,
  onlyFiat,
  type QuoteRequest,
  type RateFeed,
} from './feed.ts'

const name = 'coingecko'
const defaultUrl = 'https://api.coingecko.com'

/**
 * CoinGecko's simple price (https://docs.coingecko.com/reference/simple-price), one call for everything. It reports
 * when a price was last updated, so a currency that it has stopped following becomes stale.
 */
export function coingeckoFeed(options: FeedOptions = {}): RateFeed {
  return {
    name,
    async fetchQuotes(request) {
      const coins = request.currencies.flatMap(({ code, sourceNames: { coingecko: id } }) =>
        id === null ? [] : [{ code, id }],
      )
      const fiatCurrencies = onlyFiat(request.fiatCurrencies)
      if (coins.length === 0 || fiatCurrencies.length === 0) return []
      const query = new URLSearchParams({
        ids: coins.map(({ id }) => id).join(','),
        vs_currencies: fiatCurrencies.join(',').toLowerCase(),
        include_last_updated_at: 'true',
        precision: 'full',
      })
      const answer = await jsonFetcher(name, defaultUrl, options, request)(`/api/v3/simple/price?${query}`)
      const errorCode = member(member(answer, 'status'), 'error_code')
      if (errorCode !== undefined)
        throw new FeedOutageError(name, `refused with error ${excerpt(String(errorCode))}.`)
      return coins.flatMap(({ code, id }) => readCoin(code, member(answer, id), fiatCurrencies, request))
    },
  }
}

function readCoin(
  currency: string,
  coin: Json | undefined,
  fiatCurrencies: readonly string[],
  request: QuoteRequest,
): Quote[] {
  const fetchedAt = readTime(member(coin, 'last_updated_at'), request.now)
  if (fetchedAt === null) return []
  return fiatCurrencies.flatMap((fiatCurrency): Quote[] => {
    const text = member(coin, fiatCurrency.toLowerCase())
    const rate = typeof text === 'string' ? parseRate(text) : null
    return rate === null ? [] : [{ source: name, currency, fiatCurrency, rate, fetchedAt }]
  })
}

/** The time of the price, from seconds since 1970, but never later than `now`. Null when it cannot be read. */
function readTime(seconds: Json | undefined, now: Date): Date | null {
  if (typeof seconds !== 'string' || !/^[0-9]{1,11}$/.test(seconds)) return null
  return new Date(Math.min(Number(seconds) * 1000, now.getTime()))
}
