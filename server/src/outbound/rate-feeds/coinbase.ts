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

/** Each currency is a call of its own, so there is a bound on how many are asked for at once. */
const maxCoinbaseCurrencies = 40

/**
 * Coinbase's exchange rates (https://docs.cdp.coinbase.com/coinbase-app/track-apis/exchange-rates), one call a
 * currency. A currency it does not know costs only its own quotes; it fails when no currency gives an answer.
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
  // Coinbase has answered with the rates of USD when it overlooked the parameter.
  if (member(data, 'currency') !== asked) {
    throw new FeedOutageError(name, `answered for another currency than ${asked}.`)
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

/** Of several failures the one that asks for the longest wait, for the caller to honour. */
function longestWait(failures: readonly FeedOutageError[]): FeedOutageError | undefined {
  return failures.toSorted((a, b) => (b.retryAfterMs ?? -1) - (a.retryAfterMs ?? -1))[0]
}
