import { divide } from '../../domain/money.ts'
import { parseRate, type Quote } from '../../domain/quote.ts'
import {
  excerpt,
  type FeedOptions,
  FeedOutageError,
  first,
  type Json,
  jsonFetcher,
  member,
  type QuoteRequest,
  type RateFeed,
} from './feed.ts'

const name = 'kraken'
const defaultUrl = 'https://api.kraken.com'

/** Above this spread the order book is too thin for its midpoint to mean anything. */
const maxSpreadBps = 200n

const unknownPair = 'EQuery:Unknown asset pair'

/**
 * Kraken's public ticker (https://docs.kraken.com/api/docs/rest-api/get-ticker-information). While bid and ask are
 * close, the quote is their midpoint, because it is current: the last trade of a quiet pair may be hours old, and the
 * ticker does not say when it was. With a wider spread the quote is the last trade, if there was one in the last 24
 * hours.
 */
export function krakenFeed(options: FeedOptions = {}): RateFeed {
  return {
    name,
    async fetchQuotes(request) {
      const wanted = wantedPairs(request)
      if (wanted.size === 0) return []
      const fetchJson = jsonFetcher(name, defaultUrl, options, request)
      const some = await fetchJson(`/0/public/Ticker?pair=${[...wanted.keys()].join(',')}`)
      // One delisted pair fails the whole list. In that case ask for every pair, so that one pair does not cost us all
      // others.
      const answer = errorsOf(some).includes(unknownPair) ? await fetchJson('/0/public/Ticker') : some
      const errors = errorsOf(answer)
      if (errors.length > 0) throw new FeedOutageError(name, `refused: ${excerpt(errors.join(', '))}.`)
      const tickers = member(answer, 'result')
      if (tickers === undefined) throw new FeedOutageError(name, 'answered without a result.')
      return [...wanted].flatMap(([pair, { currency, fiatCurrency }]): Quote[] => {
        const rate = readTicker(member(tickers, pair))
        return rate === null ? [] : [{ source: name, currency, fiatCurrency, rate, fetchedAt: request.now }]
      })
    },
  }
}

function wantedPairs(request: QuoteRequest): Map<string, { currency: string; fiatCurrency: string }> {
  const wanted = new Map<string, { currency: string; fiatCurrency: string }>()
  for (const { code: currency, sourceNames } of request.currencies) {
    for (const pair of sourceNames.kraken ?? []) {
      const fiatCurrency = pair.slice(-3)
      if (request.fiatCurrencies.includes(fiatCurrency)) wanted.set(pair, { currency, fiatCurrency })
    }
  }
  return wanted
}

/** Kraken reports failures with HTTP 200 and a list. Entries that start with W are warnings beside a good result. */
function errorsOf(answer: Json): string[] {
  const errors = member(answer, 'error')
  if (!Array.isArray(errors)) return []
  return errors.filter((error) => typeof error === 'string').filter((error) => !error.startsWith('W'))
}

function readTicker(ticker: Json | undefined): bigint | null {
  const ask = readPrice(first(member(ticker, 'a')))
  const bid = readPrice(first(member(ticker, 'b')))
  if (ask !== null && bid !== null && bid <= ask && (ask - bid) * 10_000n <= bid * maxSpreadBps) {
    return divide(ask + bid, 2n, 'down')
  }
  const trades = member(ticker, 't')
  const lastDayTrades = Array.isArray(trades) ? trades[1] : undefined
  return lastDayTrades === '0' ? null : readPrice(first(member(ticker, 'c')))
}

function readPrice(price: Json | undefined): bigint | null {
  return typeof price === 'string' ? parseRate(price) : null
}
