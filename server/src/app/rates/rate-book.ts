import type { CurrencyFacts } from '../../domain/currencies.ts'
import { fixedFiatCurrencies, fixedQuotes, fixedRate, fixedSource } from '../../domain/fixed-rates.ts'
import { isStale, type RatePolicy, type SettledRate } from '../../domain/rates.ts'
import type { StoredRate } from '../../store/rates.ts'

export type BookedRate = SettledRate & { readonly currency: string; readonly fiatCurrency: string }

/** Where the process reads exchange rates. */
export type RateBook = {
  /** Sorted by currency, then fiat currency. */
  list(): Promise<readonly BookedRate[]>
  find(currency: string, fiatCurrency: string): Promise<BookedRate | null> | BookedRate | null
  /** Whether the book has any rate for this fiat currency, usable or not; null when the book is empty. */
  knowsFiat(fiatCurrency: string): Promise<boolean | null> | boolean | null
  /** The age from which a rate is stale; null where rates never are. */
  readonly maxAgeMs: number | null
}

const reloadAfterMs = 2_000

/** The sandbox's book: rates that never change, for tests only, never for live money. */
export function fixedRateBook(
  currencies: readonly Pick<CurrencyFacts, 'code' | 'sandboxPrice'>[],
  now: () => Date,
): RateBook {
  const byPair = (a: BookedRate, b: BookedRate) =>
    compare(a.currency, b.currency) || compare(a.fiatCurrency, b.fiatCurrency)
  return {
    find(currency, fiatCurrency) {
      const known = currencies.find(({ code }) => code === currency)
      const rate = fixedRate(known?.sandboxPrice ?? null, fiatCurrency)
      if (rate === null) return null
      return { currency, fiatCurrency, rate, sources: [fixedSource], updatedAt: now(), stale: false }
    },
    knowsFiat: (fiatCurrency) => fixedFiatCurrencies.includes(fiatCurrency),
    async list() {
      return fixedQuotes(currencies, now())
        .map(({ currency, fiatCurrency, rate, fetchedAt }) => ({
          currency,
          fiatCurrency,
          rate,
          sources: [fixedSource],
          updatedAt: fetchedAt,
          stale: false,
        }))
        .sort(byPair)
    },
    maxAgeMs: null,
  }
}

/**
 * The book that the workers keep in the database, read at most every other second. During a database outage the last
 * reading stays in use; its rates go stale by themselves.
 */
export function storedRateBook(options: {
  read: () => Promise<StoredRate[]>
  policy: RatePolicy
  now: () => Date
  onReadFailed: (error: unknown) => void
}): RateBook {
  let rates: readonly StoredRate[] | null = null
  let byPair: ReadonlyMap<string, StoredRate> = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function reload(): Promise<void> {
    const startedAt = options.now().getTime()
    rates = await options.read()
    byPair = new Map(rates.map((rate) => [`${rate.currency} ${rate.fiatCurrency}`, rate]))
    readAt = startedAt
  }

  async function upToDate(): Promise<readonly StoredRate[]> {
    const nowMs = options.now().getTime()
    if (nowMs - readAt > reloadAfterMs || nowMs < readAt) {
      reading ??= reload().finally(() => {
        reading = null
      })
      if (rates === null) await reading
      else await reading.catch(options.onReadFailed)
    }
    return rates ?? []
  }

  const booked = (rate: StoredRate): BookedRate => ({
    ...rate,
    stale: isStale(rate, options.policy, options.now()),
  })

  return {
    maxAgeMs: options.policy.maxAgeMs,
    list: async () => (await upToDate()).map(booked),
    async find(currency, fiatCurrency) {
      await upToDate()
      const rate = byPair.get(`${currency} ${fiatCurrency}`)
      return rate === undefined ? null : booked(rate)
    },
    async knowsFiat(fiatCurrency) {
      const all = await upToDate()
      return all.length === 0 ? null : all.some((rate) => rate.fiatCurrency === fiatCurrency)
    },
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
