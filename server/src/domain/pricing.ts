import { type CurrencyFacts, enterableDecimals } from './currencies.ts'
import { divide, type Rounding } from './money.ts'
import { rateDecimals } from './quote.ts'

/** Converts a fiat amount to units of an asset, rounded up: the merchant never gets less than the price. */
export function unitsForFiat(
  fiat: { readonly amount: bigint; readonly minorDigits: number },
  rate: bigint,
  decimals: number,
): bigint {
  return divide(
    fiat.amount * 10n ** BigInt(decimals + rateDecimals),
    rate * 10n ** BigInt(fiat.minorDigits),
    'up',
  )
}

/**
 * What a payer is asked for a fiat price, rounded up to the last decimal that wallets and exchanges let people enter:
 * the merchant never gets less than the price, and the payer can send exactly that.
 */
export function askedUnits(
  fiat: { readonly amount: bigint; readonly minorDigits: number },
  rate: bigint,
  currency: CurrencyFacts,
  { decimals }: { readonly decimals: number },
): bigint {
  const enterable = Math.min(decimals, enterableDecimals(currency))
  return unitsForFiat(fiat, rate, enterable) * 10n ** BigInt(decimals - enterable)
}

/**
 * Converts units of one currency to units of another, at their rates in the same fiat currency; rounded up, so that a
 * reserve in the other currency covers the amount.
 */
export function unitsInOther(
  from: { readonly units: bigint; readonly decimals: number; readonly rate: bigint },
  to: { readonly decimals: number; readonly rate: bigint },
): bigint {
  return divide(
    from.units * from.rate * 10n ** BigInt(to.decimals),
    to.rate * 10n ** BigInt(from.decimals),
    'up',
  )
}

/** The fiat value of units of an asset, in minor units. */
export function fiatForUnits(
  units: bigint,
  decimals: number,
  rate: bigint,
  minorDigits: number,
  rounding: Rounding,
): bigint {
  return divide(units * rate * 10n ** BigInt(minorDigits), 10n ** BigInt(decimals + rateDecimals), rounding)
}

// A recorded value is cut to whole minor units. From this many on, what it says of the rate is off by less than one percent.
const telling = 100n

/**
 * The value of units at the rate with which another amount of the same asset was valued, in minor units. Null if that value is too
 * small to say what more than its own amount was worth.
 */
export function valueAsRecorded(
  units: bigint,
  recorded: { readonly amountUnits: bigint; readonly amountInBaseCurrency: bigint },
): bigint | null {
  const { amountUnits, amountInBaseCurrency } = recorded
  if (units > amountUnits && amountInBaseCurrency < telling) return null
  return divide(units * amountInBaseCurrency, amountUnits, 'down')
}
