/** A decimal of the contract as an integer with this many digits after the point. */
function units(decimal: string, digits: number): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(decimal) ?? []
  const value = BigInt(`${whole}${fraction.padEnd(digits, '0')}`)
  return sign === '-' ? -value : value
}

const digitsOf = (decimal: string) => decimal.split('.')[1]?.length ?? 0

/** The exact difference of two decimals. */
export function difference(from: string, less: string): string {
  const digits = Math.max(digitsOf(from), digitsOf(less))
  const value = units(from, digits) - units(less, digits)
  return textOf(value, digits)
}

function textOf(value: bigint, digits: number): string {
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const fraction = text.slice(text.length - digits).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** The exact sum of decimals. */
export function sumOf(decimals: readonly string[]): string {
  const digits = Math.max(0, ...decimals.map(digitsOf))
  return textOf(
    decimals.reduce((sum, each) => sum + units(each, digits), 0n),
    digits,
  )
}

/** The product of two decimals, rounded down to this number of digits. */
export function productOf(one: string, other: string, digits: number): string {
  const [a, b] = [digitsOf(one), digitsOf(other)]
  const value = units(one, a) * units(other, b)
  return textOf((value * 10n ** BigInt(digits)) / 10n ** BigInt(a + b), digits)
}

/** How often a decimal above 0 is in another, rounded down to this number of digits. */
export function quotientOf(whole: string, part: string, digits: number): string {
  const [a, b] = [digitsOf(whole), digitsOf(part)]
  return textOf((units(whole, a) * 10n ** BigInt(b + digits)) / (units(part, b) * 10n ** BigInt(a)), digits)
}

/** Below, equal to or above 0, as the first is less than, equal to or more than the second. */
export function compareDecimals(one: string, other: string): number {
  const digits = Math.max(digitsOf(one), digitsOf(other))
  const [a, b] = [units(one, digits), units(other, digits)]
  return a < b ? -1 : a > b ? 1 : 0
}

/** What share one decimal is of another, 0 to 1; only for drawing. */
export function shareOf(part: string, whole: string): number {
  const digits = Math.max(digitsOf(part), digitsOf(whole))
  const all = units(whole, digits)
  if (all <= 0n) return 0
  const thousandths = (units(part, digits) * 10_000n) / all
  return Math.min(1, Math.max(0, Number(thousandths) / 10_000))
}

/** The growth in per cent, only for display; null if there was nothing before. */
export function changeInPercent(before: string, now: string): number | null {
  const digits = Math.max(digitsOf(before), digitsOf(now))
  const base = units(before, digits)
  if (base <= 0n) return null
  return Number(((units(now, digits) - base) * 100n) / base)
}
