import type { AssetRegistry } from '../../domain/assets.ts'
import { fiatCodes } from '../../domain/fiat.ts'
import { fixedRate } from '../../domain/fixed-rates.ts'
import type { Quote } from '../../domain/quote.ts'
import { type RatePolicy, type SettledRate, settleRate } from '../../domain/rates.ts'
import { FeedOutageError, type RateFeed } from '../../outbound/rate-feeds/feed.ts'
import type { StoredRate } from '../../store/rates.ts'
import type { App } from '../app.ts'

export type RefreshOutcome = 'not_due' | { readonly quotes: number; readonly refused: readonly string[] }

/**
 * Fetches the quotes of one source when it is due and settles every pair again. Of several workers only one fetches; no
 * transaction is open while the source answers. On an outage, postpones the source if it asked for that, and throws.
 */
export async function refreshSource(
  app: Pick<App, 'store' | 'transaction' | 'assets' | 'now'>,
  feed: RateFeed,
  options: { sources: readonly string[]; policy: RatePolicy; everyMs: number; signal: AbortSignal },
): Promise<RefreshOutcome> {
  if (!(await app.store.rates.claimSource(feed.name, options.everyMs))) return 'not_due'
  const quotes = await ask(app, feed, options.signal)
  return app.transaction(async (tx) => {
    await tx.rates.saveQuotes(feed.name, quotes)
    const previous = await tx.rates.readRates()
    const { settled, refused } = settleAll(
      app.assets,
      await tx.rates.readQuotes(options.sources),
      previous,
      options.policy,
      app.now(),
    )
    await tx.rates.saveRates(settled)
    return { quotes: quotes.length, refused }
  })
}

async function ask(
  app: Pick<App, 'store' | 'assets' | 'now'>,
  feed: RateFeed,
  signal: AbortSignal,
): Promise<Quote[]> {
  try {
    return await feed.fetchQuotes({
      currencies: app.assets,
      fiatCurrencies: fiatCodes,
      now: app.now(),
      signal,
    })
  } catch (error) {
    if (error instanceof FeedOutageError && error.retryAfterMs !== null) {
      await app.store.rates.postponeSource(feed.name, error.retryAfterMs)
    }
    throw error
  }
}

function settleAll(
  assets: AssetRegistry,
  quotes: readonly Quote[],
  previous: readonly StoredRate[],
  policy: RatePolicy,
  now: Date,
): { settled: StoredRate[]; refused: string[] } {
  const pair = (of: { currency: string; fiatCurrency: string }) => `${of.currency}/${of.fiatCurrency}`
  const last = new Map(previous.map((rate) => [pair(rate), rate]))
  const settled: StoredRate[] = []
  const refused: string[] = []
  for (const [name, ofPair] of Map.groupBy(quotes, pair)) {
    const [{ currency, fiatCurrency }] = ofPair as [Quote, ...Quote[]]
    const before = last.get(name)
    const previousRate: SettledRate | null = before === undefined ? null : { ...before, stale: false }
    const known = assets.find(({ code }) => code === currency)
    const book = fixedRate(known?.sandboxPrice ?? null, fiatCurrency)
    const outcome = settleRate(ofPair, book, previousRate, policy, now)
    if (outcome.rate === null) refused.push(`${name}: ${outcome.reason}`)
    else if (!outcome.stale) settled.push({ ...outcome, currency, fiatCurrency })
  }
  return { settled, refused }
}
