import { divide, type Rounding } from './money.ts'
import { rateDecimals } from './quote.ts'

/** What an amount of fiat is in units of an asset, rounded up: the merchant never gets less than was asked for. */
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
 * What units of one coin are in units of another, both at their rates in the same fiat currency; rounded up, so that what
 * is set aside in the other covers them.
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

/** What units of an asset are worth in fiat, in minor units. */
export function fiatForUnits(
  units: bigint,
  decimals: number,
  rate: bigint,
  minorDigits: number,
  rounding: Rounding,
): bigint {
  return divide(units * rate * 10n ** BigInt(minorDigits), 10n ** BigInt(decimals + rateDecimals), rounding)
}
