const second = 1000
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
]
const weekMs = 7 * 24 * 3600 * second

/** A relative time: `3 minutes ago`. More than a week away it is a date, which says more. */
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

/**
 * A relative time, except between the real time and a test clock that is ahead: what happened by that clock is not "in three days",
 * and what will happen by the real one was not three weeks ago. There it is a date.
 */
export function timeBetweenClocks(language: string, at: string, clocks: Clocks): string {
  const { nowMs } = clocks
  return isBetweenClocks(at, clocks) ? dayText(language, at, nowMs) : relativeTime(language, at, nowMs)
}

type Clocks = { readonly nowMs: number; readonly testAheadMs: number }

/** Whether a time lies between the real one and that of a test clock that is ahead. */
export function isBetweenClocks(at: string, { nowMs, testAheadMs }: Clocks): boolean {
  const then = Date.parse(at)
  return testAheadMs > 0 && then > nowMs && then <= nowMs + testAheadMs
}

/** A day, with the year if it is not the current one. */
function dayText(language: string, at: string, nowMs: number): string {
  const then = new Date(at)
  const thisYear = then.getFullYear() === new Date(nowMs).getFullYear()
  return new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    ...(thisYear ? {} : { year: 'numeric' }),
  }).format(then)
}

/** A duration in the largest unit that it fills whole: `15 minutes`, `1 hour`, `2 days`. */
export function durationText(language: string, seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const
  const [unit, size] = units.find(([, length]) => seconds >= length && seconds % length === 0) ?? [
    'second',
    1,
  ]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}

/** A share of the contract, `0.8333`, as a percentage with one digit, rounded down: only 1.0000 is `100%`. */
export function shareText(language: string, share: string): string {
  const shown = Number(share.slice(0, '0.000'.length))
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(shown)
}

/** A day of the contract, `2026-11-15`, which is one in UTC. */
export function utcDay(language: string, day: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}

/** A time to the second, in the reader's zone, which it names. */
export function exactTime(language: string, at: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long' }).format(new Date(at))
}

/** A time to the minute, in the reader's zone. */
export function minuteTime(language: string, at: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
}

// Number formats take at most this many; no currency has more decimals.
const mostDecimals = 36

/** An amount with all its digits, grouped as in the reader's language. */
export function coinText(language: string, amount: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: mostDecimals }).format(
    amount as Intl.StringNumericLiteral,
  )
}

// As many as a dollar token with thousands before its separator has.
const mostListDigits = 10
const mostListDecimals = 8

/**
 * An amount as lists show it: what stands before the separator, the separator and what is shown behind it, and the digits that are
 * cut off. An amount too small to show has a limit in its place, and all of its own text is cut off.
 */
export type ListAmount = {
  readonly whole: string
  readonly fraction: string
  readonly cut: string
  readonly isLimit: boolean
}

/**
 * An amount with at most ten significant digits and eight decimals, cut toward zero. The digits of a whole number all stay, and so
 * does the separator of what is cut off; what is not 0 never looks like it.
 */
export function listAmount(language: string, amount: string): ListAmount {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: mostDecimals })
  const parts = format.formatToParts(amount as Intl.StringNumericLiteral)
  const textOf = (...types: readonly string[]) =>
    parts.flatMap(({ type, value }) => (types.includes(type) ? [value] : [])).join('')
  const [whole, point, digits] = [
    textOf('minusSign', 'integer', 'group'),
    textOf('decimal'),
    textOf('fraction'),
  ]
  const integer = textOf('integer')
  const taken = integer === '0' ? 0 : integer.length
  const room = Math.min(mostListDecimals, Math.max(0, mostListDigits - taken))
  const kept = digits.slice(0, room).replace(/0+$/, '')
  if (kept === '' && digits !== '' && taken === 0) {
    const sign = whole.length > 1 ? '>' : '<'
    const least = `${point}${'1'.padStart(mostListDecimals, '0')}`
    return { whole: `${sign}${whole}`, fraction: least, cut: `${whole}${point}${digits}`, isLimit: true }
  }
  // Without its separator, `12…` would read as if digits of the whole number were missing.
  const fraction = digits === '' ? '' : `${point}${kept}`
  return { whole, fraction, cut: `${point}${digits}`.slice(fraction.length), isLimit: false }
}

/** What a column of amounts keeps free behind the whole numbers: its longest fraction, and its currencies line by line. */
export type AmountRoom = { readonly fraction: string; readonly currencies: string }

const isCut = ({ cut, isLimit }: ListAmount) => cut !== '' && !isLimit

// About how wide a text is, in halves of a digit.
const halves = (text: string) =>
  text.length + text.replaceAll(/\D/g, '').length + (text.endsWith('…') ? 2 : 0)

/**
 * The room for a column, so that its decimal separators stand under each other. Where that needs too many digits, an amount
 * that can be read matters more: then nothing is kept free.
 */
export function roomFor(
  language: string,
  amounts: readonly { readonly amount: string; readonly currency: string }[],
  mostDigits: number,
): AmountRoom {
  const all = amounts.map(({ amount }) => listAmount(language, amount))
  const longest = all.reduce((most, { fraction }) => (fraction.length > most.length ? fraction : most), '')
  const fraction = `${longest.replaceAll(/\d/g, '0')}${all.some(isCut) ? '…' : ''}`
  const widest = Math.max(0, ...all.map(({ whole }) => halves(whole)))
  return {
    fraction: widest + halves(fraction) <= 2 * mostDigits ? fraction : '',
    currencies: [...new Set(amounts.map(({ currency }) => currency))].join('\n'),
  }
}

/** What one of these amounts lacks to be as long as its room. */
export function paddingIn({ fraction }: AmountRoom, amount: ListAmount): string {
  const lacking = fraction.slice(amount.fraction.length)
  return isCut(amount) ? lacking.slice(0, -1) : lacking
}

const mostShortCharacters = 9

/** A round amount of money for the line of a chart: `€2K`. The largest ones as powers of ten. */
export function shortFiat(language: string, amount: string, currency: string): string {
  const write = (notation: 'compact' | 'scientific') =>
    new Intl.NumberFormat(language, {
      style: 'currency',
      numberingSystem: 'latn',
      currency,
      notation,
      maximumSignificantDigits: 3,
    }).format(amount as Intl.StringNumericLiteral)
  const compact = write('compact')
  return compact.length <= mostShortCharacters ? compact : write('scientific')
}

export function countText(language: string, count: number): string {
  return new Intl.NumberFormat(language).format(count)
}

/** The ends of a long id, by which people recognise it; short ones stay whole. */
export function shortened(text: string, head = 8, tail = 6): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

/** A web URL to follow, or null for anything that could run code here. */
export function webLink(url: string | null): string | null {
  return url !== null && /^https?:\/\//i.test(url) ? url : null
}

/** Basis points as a percentage: 25 is `0.25`. */
export function percentText(language: string, points: number): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 2, useGrouping: false }).format(
    points / 100,
  )
}

/** A typed percentage, with a point or a comma, as basis points; null if it is not one. */
export function basisPoints(percent: string): number | null {
  const match = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(percent.trim())
  return match === null ? null : Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

// A sentence stays one.
const mostCharacters = 80

/** Text that someone chose, for a sentence of ours: without what would break the line or turn its direction (Unicode Standard Annex 9). */
export function plain(text: string): string {
  const line = text
    .replace(/[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= mostCharacters
    ? line
    : `${characters.slice(0, mostCharacters).join('').trimEnd()}…`
}

/** A name that someone chose, for a sentence of ours; with the id if nothing of it shows, or if it looks like one of ours. */
export function nameOrId(name: string, id: string, ours: readonly string[] = []): string {
  const shown = plain(name)
  const seen = (text: string) =>
    text
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .trim()
      .toLowerCase()
  if (seen(shown) === '') return shortened(id)
  return ours.some((each) => seen(each) === seen(shown)) ? `${shown} (${shortened(id)})` : shown
}
