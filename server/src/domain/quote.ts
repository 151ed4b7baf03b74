/** A rate is the price of one whole unit of a currency in fiat, as an integer in units of 10^-rateDecimals, never a float. */
export const rateDecimals = 18

/** The largest plausible rate: 10^15 in fiat. */
export const maxRate = 10n ** 15n * 10n ** BigInt(rateDecimals)

/** The rate that one source gives. `fetchedAt` is the source's own timestamp of the price where that is older. */
export type Quote = {
  readonly source: string
  readonly currency: string
  readonly fiatCurrency: string
  readonly rate: bigint
  readonly fetchedAt: Date
}

/** The longest number that is read from a response: Coinbase sends about forty digits. */
const maxNumberLength = 80

// An exponent of at most three digits keeps `1e999999` from becoming a number of a million digits.
const numberPattern = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,3}))?$/

/**
 * The rate in a decimal text; exponent notation is allowed. Exact to 18 decimals, further ones are cut off (rounded
 * down). Null when the text is not a plain number, not above zero, or above `maxRate`.
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
