/** A decimal in units of 18 places, so that amounts of any currency can be compared. */
export function units(amount: string): bigint {
  const sign = amount.startsWith('-') ? -1n : 1n
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.')
  return sign * BigInt(whole + fraction.padEnd(18, '0'))
}

export function cents(amount: string): bigint {
  return BigInt(amount.replace('.', ''))
}
