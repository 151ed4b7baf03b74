/** Decimal strings, exactly: money never passes through a float. */

type Decimal = { readonly units: bigint; readonly scale: number }

const longest = 60

/** The decimal in a string. Throws a `TypeError` unless it is one, without sign or exponent. */
function parse(text: string): Decimal {
  if (text.length > longest || !/^\d+(\.\d+)?$/.test(text))
    throw new TypeError(`${JSON.stringify(text.slice(0, longest))} is not a decimal amount.`)
  const [whole = '', fraction = ''] = text.split('.')
  return { units: BigInt(whole + fraction), scale: fraction.length }
}

function print({ units, scale }: Decimal): string {
  const digits = units.toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale)
  return scale === 0 ? whole : `${whole}.${fraction}`
}

/** Rounds half up to a number of decimals, which the result has all of. */
export function rounded(text: string, decimals: number): string {
  const { units, scale } = parse(text)
  if (scale <= decimals) return print({ units: units * 10n ** BigInt(decimals - scale), scale: decimals })
  const unit = 10n ** BigInt(scale - decimals)
  return print({ units: (units + unit / 2n) / unit, scale: decimals })
}

/** Below zero if the first is smaller, zero if both are equal. */
export function compare(first: string, second: string): number {
  const a = parse(first)
  const b = parse(second)
  const difference = a.units * 10n ** BigInt(b.scale) - b.units * 10n ** BigInt(a.scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The sum of both, without trailing zeros. */
export function sum(first: string, second: string): string {
  const a = parse(first)
  const b = parse(second)
  const units = a.units * 10n ** BigInt(b.scale) + b.units * 10n ** BigInt(a.scale)
  return trimmed(print({ units, scale: a.scale + b.scale }))
}

/** `whole` times `part` over `of`, rounded down to a number of decimals, without trailing zeros. */
export function portion(whole: string, part: string, of: string, decimals: number): string {
  const a = parse(whole)
  const b = parse(part)
  const c = parse(of)
  if (c.units === 0n) throw new TypeError('A portion of nothing is not defined.')
  const scaled = a.units * b.units * 10n ** BigInt(c.scale + decimals)
  return trimmed(print({ units: scaled / (c.units * 10n ** BigInt(a.scale + b.scale)), scale: decimals }))
}

/** An integer of a currency's minor units, as a decimal: 1050 with two digits is `10.50`. */
export function decimalOfMinor(minor: number | bigint, digits: number): string {
  if (typeof minor === 'number' && !Number.isSafeInteger(minor))
    throw new TypeError(`${minor} is not a whole number of minor units.`)
  const units = BigInt(minor)
  if (units < 0n) throw new TypeError('An amount below zero cannot be paid.')
  return print({ units, scale: digits })
}

function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
