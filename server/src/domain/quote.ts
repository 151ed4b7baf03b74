/** A rate is fiat per one coin, as an integer in units of 10^-rateDecimals. It is never a float. */
export const rateDecimals = 18

/** The largest rate that is believed to be one: 10^15 fiat for one coin. */
export const maxRate = 10n ** 15n * 10n ** BigInt(rateDecimals)

/** What one source says one coin is worth. `fetchedAt` is the source's own time of the price where it gives an older one. */
export type Quote = {
  readonly source: string
  readonly currency: string
  readonly fiatCurrency: string
  readonly rate: bigint
  readonly fetchedAt: Date
}

/** Longest number read from an answer: Coinbase sends some forty digits. */
const maxNumberLength = 80

// An exponent of three digits at most keeps `1e999999` from becoming a number of a million digits.
const numberPattern = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,3}))?$/

/**
 * The rate a decimal text stands for, exponent notation included. Exact to 18 decimals, further ones are cut off
 * (rounded down). Null when it is no plain number, not above zero, or above `maxRate`.
 */
export function parseRate(text: string): bigint | null {
  if (text.length > maxNumberLength) return null
  const match = numberPattern.exec(text)
  if (match === null) return null
  const fraction = match[2] ?? ''
  const exponent = Number(match[3] ?? '0')
  const digits = BigInt(`${match[1]}${fraction}`)
  const shift = rateDecimals + exponent - fraction.length
  const rate = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  return rate > 0n && rate <= maxRate ? rate : null
}
