import { describe, expect, it } from 'vitest'
import { countOutcomes, medianSeconds } from '../../src/app/overview/judge-invoices.ts'
import { sumFees } from '../../src/app/overview/sum-fees.ts'
import type { DailyFee, InvoiceOutcome } from '../../src/store/reports/daily-figures.ts'

const today = '2026-11-15'
const week = { from: '2026-11-09', to: today }

describe('the fees of some days', () => {
  const fee = (changes: Partial<DailyFee> = {}): DailyFee => ({
    day: today,
    kind: 'platform',
    currency: 'BTC',
    network: 'bitcoin',
    decimals: 8,
    baseCurrency: 'EUR',
    units: 10n,
    baseMillionths: 400_000n,
    ...changes,
  })
  const sum = (rows: readonly DailyFee[], rates = new Map<string, bigint>()) =>
    sumFees(rows, week, 'EUR', rates)

  it('that are less than a cent each are not lost', () => {
    expect(sum(Array.from({ length: 5 }, () => fee()))).toEqual({ platform: 2n, network: 0n, total: 2n })
  })

  it('are rounded to the nearest cent, by kind and together', () => {
    const rows = [fee({ baseMillionths: 1_499_999n }), fee({ kind: 'network', baseMillionths: 500_000n })]
    expect(sum(rows)).toEqual({ platform: 1n, network: 1n, total: 2n })
    expect(sum([fee({ baseMillionths: -500_000n })]).platform).toBe(-1n)
    expect(sum([fee({ baseMillionths: -499_999n })]).platform).toBe(0n)
  })

  it('leave out other days, and what has no rate; the rest is valued at the rate', () => {
    const rows = [
      fee({ day: '2026-11-08' }),
      fee({ day: '2026-11-16' }),
      fee({ baseCurrency: '', currency: 'XMR' }),
      fee({ baseCurrency: 'USD', units: -1_000n }),
    ]
    expect(sum(rows, new Map([['BTC', 60_000n * 10n ** 18n]])).platform).toBe(-60n)
  })
})

describe('what becomes of invoices', () => {
  const some = (outcome: InvoiceOutcome, invoices: number, day = today) => ({ day, outcome, invoices })

  it('is a share of those that were paid or expired, rounded down', () => {
    const rows = [some('paid', 2), some('expired', 1), some('open', 5), some('cancelled', 7)]
    expect(countOutcomes([...rows, some('paid', 100, '2026-11-08')], week)).toEqual({
      created: 15,
      paid: 2,
      expired: 1,
      open: 5,
      cancelled: 7,
      share: '0.6666',
    })
  })

  it('has no share while none is decided, and is 1.0000 when all were paid', () => {
    expect(countOutcomes([some('open', 3)], week).share).toBeNull()
    expect(countOutcomes([some('paid', 3)], week).share).toBe('1.0000')
    expect(countOutcomes([some('expired', 3)], week).share).toBe('0.0000')
  })

  it('took the time within which at least half of them were paid', () => {
    const within = (seconds: number, invoices: number) => ({ isBefore: false, seconds, invoices })
    expect(medianSeconds([])).toBeNull()
    expect(medianSeconds([within(60, 1)])).toBe(60)
    expect(medianSeconds([within(3_600, 2), within(60, 2)])).toBe(60)
    expect(medianSeconds([within(3_600, 3), within(60, 2)])).toBe(3_600)
  })
})
