import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import { fixedSource } from '../../domain/fixed-rates.ts'
import { fiatForUnits } from '../../domain/pricing.ts'
import type { ClockOwner } from '../../domain/test-clock.ts'
import type { App } from '../app.ts'
import type { BookedRate } from './rate-book.ts'

/** The rate to price with in this environment now, or null: stale rates are never used, fixed rates never in live. */
export async function usableRate(
  app: Pick<App, 'rates'>,
  environment: Environment,
  currency: string,
  fiatCurrency: string,
): Promise<BookedRate | null> {
  const rate = await app.rates.find(currency, fiatCurrency)
  return rate === null || rate.stale || (environment === 'live' && isFixed(rate)) ? null : rate
}

/** The rates that a merchant's invoices are priced with now. */
export type Pricing = {
  /** The rate to price with, or null. */
  rate(currency: string, fiatCurrency: string): Promise<BookedRate | null>
  /** Why there is no rate, and what to do. */
  unavailable(currency: string | null, fiatCurrency: string): ServiceError
}

/**
 * Prices by the merchant's clock, which is this far ahead: a rate that was read before a move is older by that move. It is
 * fresh again when the sources have been read again. Values that are only shown keep the real age.
 */
export async function pricingOf(
  app: Pick<App, 'rates' | 'now' | 'store'>,
  owner: ClockOwner,
  aheadMs: number,
): Promise<Pricing> {
  const { maxAgeMs } = app.rates
  const nowMs = app.now().getTime()
  // A rate that was read before these moves is stale without them.
  const moves =
    aheadMs === 0 || maxAgeMs === null
      ? []
      : await app.store.testClocks.movesSince(owner, new Date(nowMs - maxAgeMs))
  const ageMs = ({ updatedAt }: BookedRate) =>
    moves
      .filter(({ movedAt }) => movedAt > updatedAt)
      .reduce((sum, { advancedMs }) => sum + advancedMs, nowMs - updatedAt.getTime())
  return {
    async rate(currency, fiatCurrency) {
      const rate = await usableRate(app, owner.environment, currency, fiatCurrency)
      return rate === null || moves.length === 0 || maxAgeMs === null || ageMs(rate) <= maxAgeMs ? rate : null
    },
    unavailable: (currency, fiatCurrency) =>
      new ServiceError(
        'rate_unavailable',
        `There is no usable exchange rate between ${currency ?? 'any currency'} and ${fiatCurrency} right now. ${
          moves.length === 0
            ? 'Try again later, or create the invoice with a crypto amount.'
            : 'Your test clock was moved since the rates were read, so they are too old. Try again in a minute, when they have been read again.'
        }`,
      ),
  }
}

/** Throws if no currency has a rate for this fiat currency now: the invoice could not be paid. */
export async function refuseWithoutRates(
  app: Pick<App, 'assets'>,
  pricing: Pricing,
  fiatCurrency: string,
): Promise<void> {
  for (const { code } of app.assets) {
    if ((await pricing.rate(code, fiatCurrency)) !== null) return
  }
  throw pricing.unavailable(null, fiatCurrency)
}

/** The value of an amount in the merchant's base currency, in its minor units; null without a rate. */
export async function inBaseCurrency(
  app: Pick<App, 'rates'>,
  environment: Environment,
  amount: { readonly currency: string; readonly units: bigint; readonly decimals: number },
  baseCurrency: string,
): Promise<bigint | null> {
  const rate = await usableRate(app, environment, amount.currency, baseCurrency)
  const minorDigits = fiatMinorDigits(baseCurrency)
  if (rate === null || minorDigits === null) return null
  return fiatForUnits(amount.units, amount.decimals, rate.rate, minorDigits, 'down')
}

function isFixed(rate: BookedRate): boolean {
  return rate.sources.length === 1 && rate.sources[0] === fixedSource
}
