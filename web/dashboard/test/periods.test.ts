import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { spanOf } from '../src/periods.ts'

const zone = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'Europe/Berlin'
})
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

// Half past midnight in Berlin, still the day before in UTC.
const now = Date.parse('2026-10-31T23:30:00Z')
const span = (query: string) => spanOf(new URLSearchParams(query), now)

describe('a span of days', () => {
  it('begins at midnight in the reader’s zone, and has no end if it reaches up to now', () => {
    expect(span('period=today')).toEqual({ after: '2026-10-31T23:00:00.000Z', before: null })
    // Clocks were set back on 25 October: that day has 25 hours.
    expect(span('period=7_days')).toEqual({ after: '2026-10-25T23:00:00.000Z', before: null })
    expect(span('period=30_days')).toEqual({ after: '2026-10-02T22:00:00.000Z', before: null })
    expect(span('period=this_month')).toEqual({ after: '2026-10-31T23:00:00.000Z', before: null })
  })

  it('of last month ends where this month begins', () => {
    const before = '2026-10-31T23:00:00.000Z'
    expect(span('period=last_month')).toEqual({ after: '2026-09-30T22:00:00.000Z', before })
  })

  it('of chosen days has both of them, and may be open at either end', () => {
    expect(span('period=custom&from=2026-10-24&to=2026-10-25')).toEqual({
      after: '2026-10-23T22:00:00.000Z',
      before: '2026-10-25T23:00:00.000Z',
    })
    expect(span('period=custom&from=2026-10-24')).toEqual({ after: '2026-10-23T22:00:00.000Z', before: null })
    expect(span('period=custom')).toEqual({ after: null, before: null })
  })

  it('is none if the URL names none that exists', () => {
    for (const query of ['', 'period=ever', 'from=2026-10-24', 'period=custom&from=x&to=0001-01-01'])
      expect(span(query), query).toEqual({ after: null, before: null })
  })
})
