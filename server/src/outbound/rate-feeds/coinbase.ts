import { parseRate, type Quote } from '../../domain/quote.ts'
import {
  excerpt,
  type FeedOptions,
  FeedOutageError,
  first,
  type Json,
  jsonFetcher,
  member,
  onlyFiat,
  type QuoteRequest,
  type RateFeed,
} from './feed.ts'

const name = 'coinbase'
const defaultUrl = 'https://api.coinbase.com'

/** Each currency takes a call of its own, so the number of concurrent calls is bounded. */
const maxCoinbaseCurrencies = 40

/**
 * Coinbase's exchange rates (https://docs.cdp.coinbase.com/coinbase-app/track-apis/exchange-rates), one call per
 * currency. A currency that Coinbase does not know costs only its own quotes. The feed fails when no currency gets an
 * answer.
 */
export function coinbaseFeed(options: FeedOptions = {}): RateFeed {
  return {
    name,
    async fetchQuotes(request) {
      const fetchJson = jsonFetcher(name, defaultUrl, options, request)
      const coins = request.currencies
        .flatMap(({ code, sourceNames: { coinbase: name } }) => (name === null ? [] : [{ code, name }]))
        .slice(0, maxCoinbaseCurrencies)
      const outcomes = await Promise.allSettled(
        coins.map(async (coin) => {
          const path = `/v2/exchange-rates?currency=${encodeURIComponent(coin.name)}`
          return readRates(coin, await fetchJson(path), request)
        }),
      )
      const answers = outcomes.filter((outcome) => outcome.status === 'fulfilled')
      const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
      const notTheFeed = failures.find((reason) => !(reason instanceof FeedOutageError))
      if (notTheFeed !== undefined) throw notTheFeed
      if (answers.length === 0 && failures.length > 0) throw longestWait(failures)
      return answers.flatMap((answer) => answer.value)
    },
  }
}

function readRates(
  { code: currency, name: asked }: { readonly code: string; readonly name: string },
  answer: Json,
  request: QuoteRequest,
): Quote[] {
  const data = member(answer, 'data')
  const rates = member(data, 'rates')
  if (rates === undefined) throw new FeedOutageError(name, `gave no rates for ${asked}: ${refusal(answer)}.`)
  // Coinbase has been seen to ignore the parameter and answer with the rates of USD.
  if (member(data, 'currency') !== asked) {
    throw new FeedOutageError(name, `answered for a currency other than ${asked}.`)
  }
  return onlyFiat(request.fiatCurrencies).flatMap((fiatCurrency): Quote[] => {
    const text = member(rates, fiatCurrency)
    const rate = typeof text === 'string' ? parseRate(text) : null
    return rate === null ? [] : [{ source: name, currency, fiatCurrency, rate, fetchedAt: request.now }]
  })
}

function refusal(answer: Json): string {
  const message = member(first(member(answer, 'errors')), 'message')
  return typeof message === 'string' ? excerpt(message) : 'no reason given'
}

/** The failure that asks for the longest wait, so that the caller can honour it. */
function longestWait(failures: readonly FeedOutageError[]): FeedOutageError | undefined {
  return failures.toSorted((a, b) => (b.retryAfterMs ?? -1) - (a.retryAfterMs ?? -1))[0]
}
