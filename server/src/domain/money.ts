/**
 * Amounts are integers in an asset's smallest unit (`bigint`). Decimal strings exist only at the edges,
 * and this file is the only place that turns one into the other.
 */

const decimalPattern = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/

/** The longest decimal string a caller may send. */
const maxDecimalLength = 50

/** The decimal's value in units of 10^-decimals, or null when it is not a plain decimal or is finer than that. */
export function parseDecimal(text: string, decimals: number): bigint | null {
  if (text.length > maxDecimalLength) return null
  const match = decimalPattern.exec(text)
  if (match === null) return null
  const fraction = match[2] ?? ''
  if (fraction.length > decimals) return null
  return BigInt(`${match[1]}${fraction.padEnd(decimals, '0')}`)
}

/** The same with any number of digits: what is finer than a unit is rounded as the caller chooses. */
export function parseDecimalTo(text: string, decimals: number, rounding: Rounding): bigint | null {
  const digits = text.split('.')[1]?.length ?? 0
  if (digits <= decimals) return parseDecimal(text, decimals)
  const fine = parseDecimal(text, digits)
  return fine === null ? null : divide(fine, 10n ** BigInt(digits - decimals), rounding)
}

/** Canonical decimal: no exponent, no trailing zeros. `formatDecimal(1000000n, 8)` is `0.01`. */
export function formatDecimal(units: bigint, decimals: number): string {
  const [whole, fraction] = splitUnits(units, decimals)
  const significant = fraction.replace(/0+$/, '')
  return significant === '' ? whole : `${whole}.${significant}`
}

/** Decimal that always shows all its digits, as is usual for fiat. `formatFixed(4990n, 2)` is `49.90`. */
export function formatFixed(units: bigint, decimals: number): string {
  const [whole, fraction] = splitUnits(units, decimals)
  return decimals === 0 ? whole : `${whole}.${fraction}`
}

export type Rounding = 'up' | 'down'

/** Division of non-negative integers. The caller chooses the rounding. */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (divisor <= 0n || dividend < 0n)
    throw new RangeError('divide takes a non-negative dividend and a positive divisor')
  return rounding === 'down' ? dividend / divisor : (dividend + divisor - 1n) / divisor
}

function splitUnits(units: bigint, decimals: number): [whole: string, fraction: string] {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return [sign + digits.slice(0, point), digits.slice(point)]
}
