import { fiatMinorDigits } from '../../domain/fiat.ts'
import { fiatForUnits } from '../../domain/pricing.ts'
import type { DailySum, SumKind } from '../../store/reports/daily-sums.ts'
import { axisFor } from './axis.ts'

const dayMs = 24 * 60 * 60 * 1000
const weekDays = 7
/** A longer period is shown by weeks. */
const mostDailyBars = 120

/** Money in and out, in minor units of the base currency. */
export type Moved = Readonly<Record<SumKind, bigint>>

/** Money in and out on a day or in a week, and in the same stretch of the period before. */
export type Bar = {
  readonly from: string
  readonly to: string
  readonly moved: Moved
  readonly before: Moved
}

/** The value over the period, and over the period of the same length before it. */
export type PeriodValue = { readonly amount: bigint; readonly before: bigint }

export type DayValues = {
  readonly bars: readonly Bar[]
  /** The values of a chart's lines, for what goes in (positive) and out (negative) alike. */
  readonly axis: readonly bigint[]
  readonly sums: Readonly<Record<SumKind, PeriodValue>>
  /** Currencies left out of the values because they have no rate. */
  readonly withoutRate: readonly string[]
}

/** A day in UTC as `2026-11-15`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** What leaves is below zero on the chart: payouts, and refunds below them. */
export function outOf({ paid_out, refunded }: Moved): bigint {
  return -(paid_out + refunded)
}

/**
 * Values the daily sums, with a bar for every day or week of the period. Amounts that were valued in the base currency at
 * the time keep that value; the rest is valued at `rates`, by currency, rounded towards zero.
 */
export function sumDays(
  rows: readonly DailySum[],
  { today, days, baseCurrency }: { today: string; days: number; baseCurrency: string },
  rates: ReadonlyMap<string, bigint>,
): DayValues {
  const withoutRate = new Set<string>()
  const valued = rows.flatMap((row) => {
    const value = worthOf(row, baseCurrency, rates)
    if (value === null) withoutRate.add(row.currency)
    return value === null ? [] : [{ daysAgo: daysBetween(row.day, today), kind: row.kind, value }]
  })
  /** What moved between two days, each as a number of days ago. */
  const movedIn = (farthest: number, nearest: number): Moved => {
    const moved = { received: 0n, paid_out: 0n, refunded: 0n }
    for (const { daysAgo, kind, value } of valued)
      if (daysAgo <= farthest && daysAgo >= nearest) moved[kind] += value
    return moved
  }
  const width = days > mostDailyBars ? weekDays : 1
  // Counted back from today, so that the newest bar is whole and only the oldest may be shorter.
  const bars = Array.from({ length: Math.ceil(days / width) }, (_, at): Bar => {
    const [nearest, farthest] = [at * width, Math.min((at + 1) * width, days) - 1]
    return {
      from: dayBefore(today, farthest),
      to: dayBefore(today, nearest),
      moved: movedIn(farthest, nearest),
      before: movedIn(farthest + days, nearest + days),
    }
  }).reverse()
  const [moved, before] = [movedIn(days - 1, 0), movedIn(2 * days - 1, days)]
  const sum = (kind: SumKind): PeriodValue => ({ amount: moved[kind], before: before[kind] })
  return {
    bars,
    axis: axisFor(bars.flatMap((bar) => [bar.moved, bar.before].flatMap(endsOf))),
    sums: { received: sum('received'), paid_out: sum('paid_out'), refunded: sum('refunded') },
    withoutRate: [...withoutRate].sort(),
  }
}

/** Every value at which a bar of the chart begins or ends. A reorganisation can leave a day with less than nothing. */
function endsOf(moved: Moved): bigint[] {
  return [moved.received, -moved.paid_out, outOf(moved)]
}

/** How many days before today a day was. */
export function daysBetween(day: string, today: string): number {
  return (Date.parse(today) - Date.parse(day)) / dayMs
}

/** The day that was this number of days ago. */
export function dayBefore(today: string, days: number): string {
  return dayOf(new Date(Date.parse(today) - days * dayMs))
}

/** The value of a daily sum; null without a rate. */
export function worthOf(
  row: DailySum,
  baseCurrency: string,
  rates: ReadonlyMap<string, bigint>,
): bigint | null {
  if (row.baseCurrency === baseCurrency) return row.baseUnits
  if (row.units === 0n) return 0n
  const rate = rates.get(row.currency)
  if (rate === undefined) return null
  const minorDigits = fiatMinorDigits(baseCurrency) ?? 2
  const value = fiatForUnits(row.units < 0n ? -row.units : row.units, row.decimals, rate, minorDigits, 'down')
  return row.units < 0n ? -value : value
}
