import { fixedSource } from './fixed-rates.ts'
import { divide } from './money.ts'
import { type Quote, rateDecimals } from './quote.ts'

export type RatePolicy = {
  /** A quote or settled rate older than this is not used for pricing. */
  readonly maxAgeMs: number
  /** A quote dated further in the future than this comes from a broken clock. */
  readonly maxFutureMs: number
  /** How far a quote may be from the median and still agree with it. */
  readonly maxDeviationBps: bigint
  /** How old the previous rate may be to decide between two equal camps. */
  readonly tieBreakMaxAgeMs: number
  /** How old the previous rate may be to confirm a single source, and by what factor the two may differ. */
  readonly previousMaxAgeMs: number
  readonly previousMaxFactor: bigint
  /** By what factor a single source may differ from the fixed book when there is no such previous rate. */
  readonly bookMaxFactor: bigint
}

const minuteMs = 60_000

export const defaultRatePolicy: RatePolicy = {
  maxAgeMs: 10 * minuteMs,
  maxFutureMs: minuteMs,
  maxDeviationBps: 1000n,
  tieBreakMaxAgeMs: 60 * minuteMs,
  previousMaxAgeMs: 24 * 60 * minuteMs,
  previousMaxFactor: 2n,
  bookMaxFactor: 1000n,
}

/** `sources` are the sources that agree with the rate, sorted; `updatedAt` is the time of their newest price. */
export type SettledRate = {
  readonly rate: bigint
  readonly sources: readonly string[]
  readonly updatedAt: Date
  readonly stale: boolean
}

export type UnsettledReason = 'no_quotes' | 'sources_disagree' | 'single_source_unconfirmed'
export type UnsettledRate = { readonly rate: null; readonly reason: UnsettledReason }

const oneBps = 10_000n

/** Below this difference, an inverted and an upright quote are the same price for our purpose. */
const harmlessInversionBps = 200n

/**
 * The rate that the quotes of one pair support: the median of the fresh quotes, if a majority of them is near it. A
 * single source must be confirmed by the previous rate or, failing that, by `book`, the fixed book's rate. Without any
 * fresh quote the previous rate stands, and is stale once it is too old. Each source has one vote, and the order of the
 * quotes never matters. In all other cases there is no rate, with a reason.
 */
export function settleRate(
  quotes: readonly Quote[],
  book: bigint | null,
  previous: SettledRate | null,
  policy: RatePolicy,
  now: Date,
): SettledRate | UnsettledRate {
  assertOnePair(quotes)
  // The fixed book is not a market: it must not confirm a live quote as "the previous rate", nor replace one.
  const last = previous !== null && isFixed(previous) ? null : previous
  const healthy = quotes.filter(
    (quote) => quote.rate > 0n && isWithin(quote.fetchedAt, policy.maxAgeMs, policy, now),
  )
  const fresh = latestBySource(healthy)
  const [only] = fresh
  if (only === undefined) return withoutQuotes(last, policy, now)
  if (fresh.length === 1) {
    return isConfirmed(only, book, last, policy, now)
      ? settled([only], now)
      : { rate: null, reason: 'single_source_unconfirmed' }
  }
  const agreeing = near(fresh, medianRate(fresh), policy)
  // The median of all fresh quotes, not only the agreeing ones: a false quote near the honest ones cannot pull it past them.
  if (agreeing.length * 2 > fresh.length) return settled(agreeing, now, medianRate(fresh))
  const camp = last !== null && isWithin(last.updatedAt, policy.tieBreakMaxAgeMs, policy, now) ? last : null
  const backed = camp === null ? [] : near(fresh, camp.rate, policy)
  if (backed.length * 2 === fresh.length) return settled(backed, now)
  return { rate: null, reason: 'sources_disagree' }
}

/** Whether a settled rate is too old for pricing at `now`. Fixed rates never are. */
export function isStale(
  rate: Pick<SettledRate, 'sources' | 'updatedAt'>,
  policy: RatePolicy,
  now: Date,
): boolean {
  return !isFixed(rate) && !isWithin(rate.updatedAt, policy.maxAgeMs, policy, now)
}

function withoutQuotes(last: SettledRate | null, policy: RatePolicy, now: Date): SettledRate | UnsettledRate {
  if (last === null) return { rate: null, reason: 'no_quotes' }
  return { ...last, stale: isStale(last, policy, now) }
}

function isConfirmed(
  quote: Quote,
  book: bigint | null,
  last: SettledRate | null,
  policy: RatePolicy,
  now: Date,
): boolean {
  if (last !== null && isWithin(last.updatedAt, policy.previousMaxAgeMs, policy, now)) {
    return isUpright(quote.rate, last.rate, policy.previousMaxFactor)
  }
  return book !== null && isUpright(quote.rate, book, policy.bookMaxFactor)
}

/**
 * Whether the rate is within the factor of the reference, and its inverse is not clearly nearer to the reference. The
 * factor alone would accept an inverted cheap currency (0.20 → 5) or stablecoin (USDT/GBP 0.75 → 1.33).
 */
function isUpright(rate: bigint, reference: bigint, factor: bigint): boolean {
  const apart = apartBps(rate, reference)
  if (apart > factor * oneBps) return false
  const inverse = divide(10n ** BigInt(2 * rateDecimals), rate, 'down')
  return apart * oneBps <= apartBps(inverse, reference) * (oneBps + harmlessInversionBps)
}

/** The greater rate divided by the lesser, in basis points, rounded up: 10000 when they are equal. */
function apartBps(a: bigint, b: bigint): bigint {
  const [low, high] = a < b ? [a, b] : [b, a]
  return divide(high * oneBps, low, 'up')
}

function near(quotes: readonly Quote[], rate: bigint, policy: RatePolicy): Quote[] {
  return quotes.filter((quote) => {
    const distance = quote.rate < rate ? rate - quote.rate : quote.rate - rate
    return distance * oneBps <= rate * policy.maxDeviationBps
  })
}

/** The median; for an even number of rates the mean of the middle two, rounded down. */
function medianRate(quotes: readonly Quote[]): bigint {
  const rates = quotes.map((quote) => quote.rate).sort(ascending)
  const low = rates[Math.floor((rates.length - 1) / 2)]
  const high = rates[Math.floor(rates.length / 2)]
  if (low === undefined || high === undefined) throw new RangeError('the median needs at least one quote')
  return divide(low + high, 2n, 'down')
}

function settled(agreeing: readonly Quote[], now: Date, rate = medianRate(agreeing)): SettledRate {
  const youngestMs = Math.max(...agreeing.map((quote) => quote.fetchedAt.getTime()))
  return {
    rate,
    sources: agreeing.map((quote) => quote.source).sort(),
    updatedAt: new Date(Math.min(youngestMs, now.getTime())),
    stale: false,
  }
}

/** One vote per source: its newest quote. Of two equally new quotes the lower one, so that their order does not matter. */
function latestBySource(quotes: readonly Quote[]): Quote[] {
  const latest = new Map<string, Quote>()
  for (const quote of quotes) {
    const held = latest.get(quote.source)
    const youngerMs = held === undefined ? 1 : quote.fetchedAt.getTime() - held.fetchedAt.getTime()
    if (held === undefined || youngerMs > 0 || (youngerMs === 0 && quote.rate < held.rate)) {
      latest.set(quote.source, quote)
    }
  }
  return [...latest.values()]
}

function isWithin(time: Date, maxAgeMs: number, policy: RatePolicy, now: Date): boolean {
  const ageMs = now.getTime() - time.getTime()
  return ageMs <= maxAgeMs && ageMs >= -policy.maxFutureMs
}

function isFixed(rate: Pick<SettledRate, 'sources'>): boolean {
  return rate.sources.length === 1 && rate.sources[0] === fixedSource
}

function assertOnePair(quotes: readonly Quote[]): void {
  const [first] = quotes
  const mixed = quotes.some(
    (quote) => quote.currency !== first?.currency || quote.fiatCurrency !== first.fiatCurrency,
  )
  if (mixed) throw new RangeError('settleRate needs quotes of a single pair')
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
