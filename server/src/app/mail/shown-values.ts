/** A time to the minute, in UTC, as a language writes it. */
export function shownTime(locale: string, at: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: 'UTC',
  })
  return `${format.format(new Date(at))} UTC`
}

/** A decimal number as a language writes it, with all its digits. */
export function shownNumber(locale: string, digits: string): string {
  const decimals = digits.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(digits as Intl.StringNumericLiteral)
}
