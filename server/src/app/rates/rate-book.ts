import { fixedQuotes, fixedSource } from '../../domain/fixed-rates.ts'
import { isStale, type RatePolicy, type SettledRate } from '../../domain/rates.ts'
import type { StoredRate } from '../../store/rates.ts'

export type BookedRate = SettledRate & { readonly currency: string; readonly fiatCurrency: string }

/** Where the process reads exchange rates: sorted by currency, then fiat currency. */
export type RateBook = { list(): Promise<readonly BookedRate[]> }

const reloadAfterMs = 2_000

/** The sandbox's book: rates that never change, good for tests and never for live money. */
export function fixedRateBook(currencies: readonly string[], now: () => Date): RateBook {
  const byPair = (a: BookedRate, b: BookedRate) =>
    compare(a.currency, b.currency) || compare(a.fiatCurrency, b.fiatCurrency)
  return {
    async list() {
      return fixedQuotes(now())
        .filter(({ currency }) => currencies.includes(currency))
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
  }
}

/**
 * The book the workers keep in the database, read at most every other second. While the database is away the last
 * reading is served on; its rates grow stale by themselves.
 */
export function storedRateBook(options: {
  read: () => Promise<StoredRate[]>
  policy: RatePolicy
  now: () => Date
  onReadFailed: (error: unknown) => void
}): RateBook {
  let rates: readonly StoredRate[] | null = null
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function reload(): Promise<void> {
    const startedAt = options.now().getTime()
    rates = await options.read()
    readAt = startedAt
  }

  return {
    async list() {
      const nowMs = options.now().getTime()
      if (nowMs - readAt > reloadAfterMs || nowMs < readAt) {
        reading ??= reload().finally(() => {
          reading = null
        })
        if (rates === null) await reading
        else await reading.catch(options.onReadFailed)
      }
      return (rates ?? []).map((rate) => ({ ...rate, stale: isStale(rate, options.policy, options.now()) }))
    },
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
