import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRollingLog } from '../../../src/http/rate-limit/rolling-log.ts'

const MINUTE_MS = 60_000

function createLog({ limit = 300, windowMs = MINUTE_MS, maxSubjects = 1000 } = {}) {
  const clock = { ms: 0 }
  return { clock, log: createRollingLog({ limit, windowMs, maxSubjects, now: () => clock.ms }) }
}

describe('the rolling log', () => {
  test('the 301st request within any 60 seconds is never admitted', () => {
    const { clock, log } = createLog()
    const admittedAt: number[] = []
    for (let request = 0; request < 20_000; request++) {
      clock.ms += (request * 7919) % 97
      if (log.admit('key').admitted) admittedAt.push(clock.ms)
    }
    expect(admittedAt.length).toBeGreaterThan(900)
    for (let i = 300; i < admittedAt.length; i++) {
      expect((admittedAt[i] ?? 0) - (admittedAt[i - 300] ?? 0)).toBeGreaterThanOrEqual(MINUTE_MS)
    }
  })

  test('a request exactly one window later no longer counts the first, and one a microsecond earlier does', () => {
    for (const startMs of [0, 0.1, 1.001, 123_456.789, 8_640_000_000.013]) {
      const { clock, log } = createLog({ limit: 1 })
      clock.ms = startMs
      expect(log.admit('key').admitted).toBe(true)
      clock.ms = startMs + MINUTE_MS - 0.001
      expect(log.admit('key').admitted).toBe(false)
      clock.ms = startMs + MINUTE_MS
      expect(log.admit('key').admitted).toBe(true)
    }
  })

  test('the headers count down and state the wait', () => {
    const { clock, log } = createLog({ limit: 2 })
    const waits = { resetSeconds: 60, retryAfterSeconds: 0 }
    expect(log.admit('key')).toEqual({ admitted: true, limit: 2, remaining: 1, ...waits })
    clock.ms = 10_500
    expect(log.admit('key')).toEqual({ admitted: true, limit: 2, remaining: 0, ...waits, resetSeconds: 50 })
    clock.ms = 59_999.999
    const refusal = { admitted: false, limit: 2, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 }
    expect(log.admit('key')).toEqual(refusal)
  })

  test('refused requests are not recorded', () => {
    const { clock, log } = createLog({ limit: 1 })
    log.admit('key')
    for (clock.ms = 1; clock.ms < MINUTE_MS; clock.ms += 100) expect(log.admit('key').admitted).toBe(false)
    clock.ms = MINUTE_MS
    expect(log.admit('key').admitted).toBe(true)
  })

  test('it agrees with a plain list of admitted times for any times and subjects', () => {
    const step = fc.record({
      // In microseconds, often exactly at or right next to the edge of a window.
      waitMicros: fc.oneof(fc.nat(400), fc.constantFrom(0, 0, 1, 999, 1000, 1001), fc.nat(2_000_000)),
      subject: fc.constantFrom('a', 'b', 'c'),
      call: fc.constantFrom('admit', 'admit', 'admit', 'peek', 'record'),
    })
    const limits = fc.integer({ min: 1, max: 9 })
    const windows = fc.constantFrom(1, 2, 1000)
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), limits, windows, (steps, limit, windowMs) => {
        const { clock, log } = createLog({ limit, windowMs })
        const model = new Map<string, number[]>()
        let micros = 0
        for (const { waitMicros, subject, call } of steps) {
          micros += waitMicros
          clock.ms = micros / 1000
          const counted = (model.get(subject) ?? [])
            .filter((at) => at > micros - windowMs * 1000)
            .slice(-limit)
          const passes = counted.length < limit
          const next = passes || call === 'record' ? [...counted, micros].slice(-limit) : counted
          if (call !== 'peek') model.set(subject, next)
          if (call === 'record') {
            log.record(subject)
            continue
          }
          const seconds = Math.ceil(((next[0] ?? 0) + windowMs * 1000 - micros) / 1_000_000)
          expect(log[call](subject)).toEqual({
            admitted: passes,
            limit,
            remaining: limit - next.length,
            resetSeconds: seconds,
            retryAfterSeconds: passes ? 0 : seconds,
          })
        }
      }),
      { numRuns: 500 },
    )
  })

  test('the next request is admitted after Retry-After seconds, and refused a second earlier', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 30_000_000 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(waits, (waitsMicros) => {
        const { clock, log } = createLog({ limit: 3 })
        let micros = 0
        for (const wait of waitsMicros) {
          micros += wait
          clock.ms = micros / 1000
          const { admitted, retryAfterSeconds } = log.admit('key')
          if (admitted) continue
          expect(retryAfterSeconds).toBeGreaterThanOrEqual(1)
          clock.ms = (micros + (retryAfterSeconds - 1) * 1_000_000) / 1000
          expect(log.peek('key').admitted).toBe(false)
          micros += retryAfterSeconds * 1_000_000
          clock.ms = micros / 1000
          expect(log.admit('key').admitted).toBe(true)
        }
      }),
    )
  })

  test('it forgets the least recently used subject when it is full', () => {
    const { log } = createLog({ limit: 1, maxSubjects: 2 })
    log.admit('a')
    log.admit('b')
    log.admit('a') // refused, but still a use
    log.admit('c')
    expect(log.size).toBe(2)
    expect(log.peek('a').admitted).toBe(false)
    expect(log.peek('b').admitted).toBe(true)
  })

  test('subjects without a request in the window are dropped while others make requests', () => {
    const { clock, log } = createLog({ windowMs: 1000, maxSubjects: 1_000_000 })
    let most = 0
    for (let ip = 0; ip < 100_000; ip++) {
      clock.ms = ip
      log.admit(`ip-${ip}`)
      most = Math.max(most, log.size)
    }
    expect(most).toBeLessThanOrEqual(1001)
    clock.ms += 1000
    for (let request = 0; request < 501; request++) log.admit('ip')
    expect(log.size).toBe(1)
  })

  test('a million IP addresses use no more memory than the limit on subjects allows', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    const before = process.memoryUsage().heapUsed
    const { log } = createLog({ limit: 120, maxSubjects: 100_000 })
    for (let ip = 0; ip < 1_000_000; ip++) log.admit(`10.${ip >> 16}.${(ip >> 8) & 255}.${ip & 255}`)
    expect(log.size).toBe(100_000)
    collect()
    const grownBytes = process.memoryUsage().heapUsed - before
    expect(grownBytes / log.size).toBeLessThan(300)
  })
})
