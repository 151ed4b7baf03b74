import { fiatMinorDigits } from '../../domain/fiat.ts'
import { fiatForUnits } from '../../domain/pricing.ts'
import type { DailyFee, FeeKind } from '../../store/reports/daily-figures.ts'

/** The digits that a fee's value has below a minor unit. */
const fineDigits = 6
const fine = 10n ** BigInt(fineDigits)

/** What was paid in fees, in minor units of the base currency. */
export type PaidFees = Readonly<Record<FeeKind, bigint>> & { readonly total: bigint }

/**
 * Values the fees of these days, the first and the last included. Those that were valued in the base currency at the time
 * keep that value; the rest is valued at `rates`, by currency. Each sum is rounded to the nearest minor unit, and what has
 * no rate is left out.
 */
export function sumFees(
  rows: readonly DailyFee[],
  { from, to }: { readonly from: string; readonly to: string },
  baseCurrency: string,
  rates: ReadonlyMap<string, bigint>,
): PaidFees {
  const sums = { platform: 0n, network: 0n }
  for (const row of rows)
    if (row.day >= from && row.day <= to) sums[row.kind] += worthOfFee(row, baseCurrency, rates) ?? 0n
  const { platform, network } = sums
  return { platform: nearest(platform), network: nearest(network), total: nearest(platform + network) }
}

/** The value of a day's fees in millionths of a minor unit; null without a rate. */
export function worthOfFee(
  row: DailyFee,
  baseCurrency: string,
  rates: ReadonlyMap<string, bigint>,
): bigint | null {
  if (row.baseCurrency === baseCurrency) return row.baseMillionths
  if (row.units === 0n) return 0n
  const rate = rates.get(row.currency)
  if (rate === undefined) return null
  const digits = (fiatMinorDigits(baseCurrency) ?? 2) + fineDigits
  const value = fiatForUnits(row.units < 0n ? -row.units : row.units, row.decimals, rate, digits, 'down')
  return row.units < 0n ? -value : value
}

/** Rounded to the nearest minor unit, halves away from zero. */
function nearest(millionths: bigint): bigint {
  const half = millionths < 0n ? -fine / 2n : fine / 2n
  return (millionths + half) / fine
}
