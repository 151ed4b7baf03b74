const second = 1000
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
]
const weekMs = 7 * 24 * 3600 * second

/** How long ago, or in how long: `3 minutes ago`. What is more than a week away is a date, which says more. */
export function relativeTime(language: string, at: string, nowMs: number): string {
  const then = Date.parse(at)
  if (Math.abs(then - nowMs) >= weekMs) return dayText(language, at, nowMs)
  let value = Math.trunc((then - nowMs) / second)
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size || unit === 'day')
      return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(value, unit)
    value = Math.trunc(value / size)
  }
  return dayText(language, at, nowMs)
}

/** A day, with its year when that is not this one. */
function dayText(language: string, at: string, nowMs: number): string {
  const then = new Date(at)
  const thisYear = then.getFullYear() === new Date(nowMs).getFullYear()
  return new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    ...(thisYear ? {} : { year: 'numeric' }),
  }).format(then)
}

/** A moment to the second, in the reader's zone, which it names. */
export function exactTime(language: string, at: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' }).format(new Date(at))
}

// Formats take at most this many; no coin has more decimals.
const mostDecimals = 36

/** An amount of a coin with every digit that it has, grouped as people of a language write it. */
export function coinText(language: string, amount: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: mostDecimals }).format(
    amount as Intl.StringNumericLiteral,
  )
}

export function countText(language: string, count: number): string {
  return new Intl.NumberFormat(language).format(count)
}

/** The ends of a long name, by which people know it again; short ones stay as they are. */
export function shortened(text: string, head = 8, tail = 6): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

/** A web address to follow, or null for anything that could run something here. */
export function webLink(url: string | null): string | null {
  return url !== null && /^https?:\/\//i.test(url) ? url : null
}

/** Basis points as a percentage: 25 is `0.25`. */
export function percentText(language: string, points: number): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 2, useGrouping: false }).format(
    points / 100,
  )
}

/** A percentage that somebody typed, with a point or a comma, as basis points; null when it is none. */
export function basisPoints(percent: string): number | null {
  const match = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(percent.trim())
  return match === null ? null : Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}
