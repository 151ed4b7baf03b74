import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { driveSteadily } from '../../bench/sustained/drive.ts'
import { latencyOf } from '../../bench/sustained/latency.ts'
import { tableOf, withTable } from '../../bench/sustained/page.ts'

it('a percentile is the least wait that this share of callers did not exceed', () => {
  const waits = Array.from({ length: 1_000 }, (_, nth) => 1_000 - nth)
  expect(latencyOf(waits)).toEqual({ p50Ms: 500, p99Ms: 990, p999Ms: 999, worstMs: 1_000 })
  expect(latencyOf([7])).toEqual({ p50Ms: 7, p99Ms: 7, p999Ms: 7, worstMs: 7 })
})

it('one slow answer shows in the waits of all requests that were due meanwhile', async () => {
  let asked = 0
  const connection = {
    async send() {
      if (asked++ === 0) await delay(200)
      return ''
    },
    close() {},
  }
  const { latency } = await driveSteadily([connection], () => '', 200, { perSecond: 100, seconds: 0.2 })
  expect(asked).toBe(20)
  // Twenty were due in that time, and waited for the first.
  expect(latency.p50Ms).toBeGreaterThan(50)
})

it('the page has a place for the table, which shows each share beside its goal', () => {
  const latency = { p50Ms: 1.25, p99Ms: 20.4, p999Ms: 31, worstMs: 40 }
  const line = {
    name: 'create an invoice',
    goal: 1,
    driven: { perSecond: 1_500, latency },
    loop: { p50Ms: 1, p99Ms: 12, worstMs: 30 },
    rawPerSecond: 2_000,
  }
  const table = tableOf([line], { seconds: 60, isQuick: false, now: new Date('2026-11-19T12:00:00Z') })
  expect(table).toContain('| create an invoice | 1500     | 2000 | 0.75  | 1.0  | 1.3 | 20  | 31    | 12, 30')
  expect(table).toContain('Each line was measured for 60 s')
  const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8')
  const written = withTable(page, table)
  expect(written).toContain(table)
  expect(withTable(written, table)).toBe(written)
  expect(() => withTable('# Performance', table)).toThrow('no place')
})
