import { fiatMinorDigits } from '../../domain/fiat.ts'
import { fiatForUnits } from '../../domain/pricing.ts'
import type { DailySum, SumKind } from '../../store/reports/daily-sums.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Money in and out on one day, in minor units of the base currency. */
export type DayValue = { readonly day: string } & Readonly<Record<SumKind, bigint>>

/** The value over the period, and over the period of the same length before it. */
export type PeriodValue = { readonly amount: bigint; readonly before: bigint }

export type DayValues = {
  readonly days: readonly DayValue[]
  readonly sums: Readonly<Record<SumKind, PeriodValue>>
  /** Currencies left out of the values because they have no rate. */
  readonly withoutRate: readonly string[]
}

/** A day in UTC as `2026-11-15`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/**
 * Values the daily sums, with an entry for every day of the period. Amounts that were valued in the base currency at the
 * time keep that value; the rest is valued at `rates`, by currency, rounded towards zero.
 */
export function sumDays(
  rows: readonly DailySum[],
  { today, days, baseCurrency }: { today: string; days: number; baseCurrency: string },
  rates: ReadonlyMap<string, bigint>,
): DayValues {
  const names = Array.from({ length: days }, (_, at) =>
    dayOf(new Date(Date.parse(today) - (days - 1 - at) * dayMs)),
  )
  const first = names[0] ?? today
  const values = new Map(names.map((day) => [day, { day, received: 0n, paid_out: 0n, refunded: 0n }]))
  const before = { received: 0n, paid_out: 0n, refunded: 0n }
  const withoutRate = new Set<string>()
  for (const row of rows) {
    const value = worthOf(row, baseCurrency, rates)
    if (value === null) withoutRate.add(row.currency)
    const place = row.day < first ? before : values.get(row.day)
    if (place !== undefined) place[row.kind] += value ?? 0n
  }
  const sum = (kind: SumKind): PeriodValue => ({
    amount: [...values.values()].reduce((total, each) => total + each[kind], 0n),
    before: before[kind],
  })
  return {
    days: [...values.values()],
    sums: { received: sum('received'), paid_out: sum('paid_out'), refunded: sum('refunded') },
    withoutRate: [...withoutRate].sort(),
  }
}

function worthOf(row: DailySum, baseCurrency: string, rates: ReadonlyMap<string, bigint>): bigint | null {
  if (row.baseCurrency === baseCurrency) return row.baseUnits
  if (row.units === 0n) return 0n
  const rate = rates.get(row.currency)
  if (rate === undefined) return null
  const minorDigits = fiatMinorDigits(baseCurrency) ?? 2
  const value = fiatForUnits(row.units < 0n ? -row.units : row.units, row.decimals, rate, minorDigits, 'down')
  return row.units < 0n ? -value : value
}
