import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import { fixedSource } from '../../domain/fixed-rates.ts'
import { fiatForUnits } from '../../domain/pricing.ts'
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

/** Throws if no currency has a rate for this fiat currency now: the invoice could not be paid. */
export async function refuseWithoutRates(
  app: Pick<App, 'rates' | 'assets'>,
  environment: Environment,
  fiatCurrency: string,
): Promise<void> {
  for (const { code } of app.assets) {
    if ((await usableRate(app, environment, code, fiatCurrency)) !== null) return
  }
  throw rateUnavailable(null, fiatCurrency)
}

export function rateUnavailable(currency: string | null, fiatCurrency: string): ServiceError {
  return new ServiceError(
    'rate_unavailable',
    `There is no usable exchange rate between ${currency ?? 'any currency'} and ${fiatCurrency} right now. Try again later, or create the invoice with a crypto amount.`,
  )
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
