import { divide } from './money.ts'
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

/** What units of an asset are worth in fiat, in minor units, rounded down. */
export function fiatForUnits(units: bigint, decimals: number, rate: bigint, minorDigits: number): bigint {
  return divide(units * rate * 10n ** BigInt(minorDigits), 10n ** BigInt(decimals + rateDecimals), 'down')
}
