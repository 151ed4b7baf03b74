import { describe, expect, it } from 'vitest'
import { sumDays } from '../../src/app/overview/sum-days.ts'
import type { DailySum, SumKind } from '../../src/store/reports/daily-sums.ts'

const today = '2026-11-15'
const row = (day: string, kind: SumKind, baseUnits: bigint, changes: Partial<DailySum> = {}): DailySum => ({
  day,
  kind,
  currency: 'BTC',
  network: 'bitcoin',
  decimals: 8,
  baseCurrency: 'EUR',
  units: 1_000n,
  baseUnits,
  ...changes,
})
const sum = (rows: readonly DailySum[], days: number, rates = new Map<string, bigint>()) =>
  sumDays(rows, { today, days, baseCurrency: 'EUR' }, rates)

describe('the days of a period', () => {
  it('have a bar each, with the same place of the period before', () => {
    const { bars, sums } = sum(
      [row(today, 'received', 500n), row('2026-11-14', 'paid_out', 200n), row('2026-11-12', 'refunded', 30n)],
      3,
    )
    expect(bars.map(({ from, to }) => [from, to])).toEqual([
      ['2026-11-13', '2026-11-13'],
      ['2026-11-14', '2026-11-14'],
      [today, today],
    ])
    expect(bars.map(({ moved }) => [moved.received, moved.paid_out, moved.refunded])).toEqual([
      [0n, 0n, 0n],
      [0n, 200n, 0n],
      [500n, 0n, 0n],
    ])
    expect(bars.map(({ before }) => before.refunded)).toEqual([0n, 0n, 30n])
    expect(sums).toEqual({
      received: { amount: 500n, before: 0n },
      paid_out: { amount: 200n, before: 0n },
      refunded: { amount: 0n, before: 30n },
    })
  })

  it('are one bar where the period is a day, and none moves the axis where nothing moved', () => {
    const { bars, axis } = sum([], 1)
    expect(bars).toHaveLength(1)
    expect(axis).toEqual([])
  })

  it('become weeks in a long period, whose newest week is whole and which together have every day once', () => {
    const { bars } = sum([], 365)
    expect(bars).toHaveLength(53)
    expect(bars.at(-1)).toMatchObject({ from: '2026-11-09', to: today })
    expect(bars[0]).toMatchObject({ from: '2025-11-16', to: '2025-11-16' })
    const days = bars.reduce(
      (all, { from, to }) => all + 1 + (Date.parse(to) - Date.parse(from)) / 86_400_000,
      0,
    )
    expect(days).toBe(365)
  })

  it('share one axis for what comes in and goes out, in both periods', () => {
    const { axis } = sum(
      [
        row(today, 'received', 90_000n),
        row(today, 'paid_out', 30_000n),
        row(today, 'refunded', 25_000n),
        row('2026-11-08', 'received', 190_000n),
      ],
      7,
    )
    expect(axis).toEqual([-100_000n, -50_000n, 0n, 50_000n, 100_000n, 150_000n, 200_000n])
  })

  it('value what has another base currency at the rate, to the unit at any size, and name what has none', () => {
    const huge = 10n ** 70n
    const { bars, withoutRate } = sum(
      [
        row(today, 'received', 0n, { baseCurrency: 'USD', units: huge }),
        row(today, 'received', 0n, { baseCurrency: '', currency: 'XMR', units: 5n }),
      ],
      1,
      new Map([['BTC', 60_000n * 10n ** 18n]]),
    )
    // 10^70 satoshi are 10^62 BTC.
    expect(bars[0]?.moved.received).toBe(60_000n * 10n ** 62n * 100n)
    expect(withoutRate).toEqual(['XMR'])
  })
})
