/** Spans of days in the reader's time zone, as the URL of a list names them. */
export const periods = ['today', '7_days', '30_days', 'this_month', 'last_month'] as const
/** In the URL it comes with `from` and `to`, two days that both count. */
export const customPeriod = 'custom'

/** A span of time as lists take it; null: no limit. */
export type Span = { readonly after: string | null; readonly before: string | null }

/** The span that a query names. A span that reaches up to now has no end: what is dated ahead of this clock is in it. */
export function spanOf(query: URLSearchParams, nowMs: number): Span {
  const now = new Date(nowMs)
  const daysAgo = (days: number) => midnight(now.getFullYear(), now.getMonth(), now.getDate() - days)
  const monthsAgo = (months: number) => midnight(now.getFullYear(), now.getMonth() - months, 1)
  switch (query.get('period')) {
    case 'today':
      return { after: daysAgo(0), before: null }
    case '7_days':
      return { after: daysAgo(6), before: null }
    case '30_days':
      return { after: daysAgo(29), before: null }
    case 'this_month':
      return { after: monthsAgo(0), before: null }
    case 'last_month':
      return { after: monthsAgo(1), before: monthsAgo(0) }
    case customPeriod:
      return { after: dayFrom(query.get('from'), 0), before: dayFrom(query.get('to'), 1) }
    default:
      return { after: null, before: null }
  }
}

/** A day as date fields have it. Services take years from 1000 to 2999. */
const dayForm = /^([12]\d{3})-(\d\d)-(\d\d)$/

function dayFrom(text: string | null, later: number): string | null {
  const [, year, month, day] = (dayForm.exec(text ?? '') ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return null
  return midnight(year, month - 1, day + later)
}

/** The start of a day. A day or month out of range counts on into the next. */
function midnight(year: number, month: number, day: number): string {
  return new Date(year, month, day).toISOString()
}
