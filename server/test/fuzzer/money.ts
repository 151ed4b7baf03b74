/**
 * Amounts in the contract's format: decimal text outside, whole units inside. Implemented independently, so that it shares
 * no mistakes with the service.
 */
export const canonical = /^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/

export function toUnits(text: string, decimals: number): bigint {
  const isNegative = text.startsWith('-')
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  if (fraction.length > decimals) throw new Error(`${text} has more than ${decimals} decimals`)
  const units = BigInt(whole + fraction.padEnd(decimals, '0'))
  return isNegative ? -units : units
}

export function toText(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Rounded up; the dividend must not be negative. */
export function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}

/** The service's charge: basis points of the amount, rounded up. */
export function chargeOf(amount: bigint, bps: number): bigint {
  return ceilDiv(amount * BigInt(bps), 10_000n)
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, each) => total + each, 0n)
}

/** ISO 4217: the number of digits after the decimal point in a currency's amounts. */
export function fiatDigits(code: string): number {
  const digits: Record<string, number> = {
    JPY: 0,
    KRW: 0,
    CLP: 0,
    VND: 0,
    ISK: 0,
    BHD: 3,
    KWD: 3,
    JOD: 3,
    OMR: 3,
    TND: 3,
  }
  return digits[code] ?? 2
}
