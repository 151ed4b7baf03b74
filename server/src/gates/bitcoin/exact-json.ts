// A JSON number that is an amount, by Bitcoin Core's field names. Quotes inside JSON strings are escaped, so this matches
// field names only.
const amounts = /"(value|feerate|mempoolminfee|minrelaytxfee)":\s*(-?[0-9][0-9.eE+-]*)/g
const numberPattern = /^([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,3}))?$/
const maxLength = 60

/**
 * Parses a node's answer and keeps every amount as text, so that none passes through a float. Other numbers are parsed by
 * JSON; `count` checks that one was not rounded.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text.replaceAll(amounts, '"$1":"$2"'))
}

/** The amount in units of 10^-decimals; null when it is not an amount, is negative, or is finer than that. */
export function exactUnits(value: unknown, decimals: number): bigint | null {
  if (typeof value !== 'string' || value.length > maxLength) return null
  const match = numberPattern.exec(value)
  if (match === null) return null
  const [, whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction)
  // How many places the decimal point moves to the right to give units.
  const places = decimals - fraction.length + Number(exponent)
  if (places >= 0) return places > maxLength ? null : digits * 10n ** BigInt(places)
  const divisor = 10n ** BigInt(-places)
  return digits % divisor === 0n ? digits / divisor : null
}

/** A non-negative integer that JSON has not rounded; null for anything else. */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}
