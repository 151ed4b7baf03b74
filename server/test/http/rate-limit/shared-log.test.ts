import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { patienceMs } from '../../support/patience.ts'
import { startRedis, type TestRedis } from '../../support/servers/redis.ts'
import { closeLimiters, countAdmitted, openLimiter } from './limiters.ts'

describe('the log shared through Redis', () => {
  let redis: TestRedis

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterEach(closeLimiters)
  afterAll(() => redis.stop())

  async function openPair(settings: { limit?: number; windowMs?: number } = {}) {
    const shared = { redisUrl: redis.url, prefix: randomUUID(), ...settings }
    return { prefix: shared.prefix, one: await openLimiter(shared), two: await openLimiter(shared) }
  }

  test('of 320 concurrent requests to two processes, exactly 300 are admitted', async () => {
    const { one, two } = await openPair()
    const admitted = await Promise.all([
      countAdmitted(one.limiter, 'key', 160),
      countAdmitted(two.limiter, 'key', 160),
    ])
    expect(admitted[0] + admitted[1]).toBe(300)
    expect([...one.warnings, ...two.warnings]).toEqual([])
  })

  test('no window admits more than the limit, however two processes ask', async () => {
    const limit = 20
    const windowMs = 100
    const { one, two } = await openPair({ limit, windowMs })
    const sent: number[] = []
    const answered: number[] = []
    async function ask(turn: number): Promise<void> {
      const at = performance.now()
      const { admitted } = await (turn % 2 === 0 ? one : two).limiter.admit('key')
      if (!admitted) return
      sent.push(at)
      answered.push(performance.now())
    }
    for (let turn = 0; sent.length <= 5 * limit; turn += 4) {
      await Promise.all([ask(turn), ask(turn + 1), ask(turn + 2), ask(turn + 3)])
    }
    // Redis's own times lie between the two, so the k-th of them lies between the k-th of each.
    sent.sort((a, b) => a - b)
    answered.sort((a, b) => a - b)
    for (let i = limit; i < sent.length; i++) {
      expect((answered[i] ?? 0) - (sent[i - limit] ?? 0)).toBeGreaterThanOrEqual(windowMs)
    }
  })

  test('a refused request is not recorded, and a slot becomes free when the oldest leaves the window', async () => {
    const { one, two } = await openPair({ limit: 2, windowMs: 300 })
    expect(await countAdmitted(one.limiter, 'key', 2)).toBe(2)
    // Polling means refused requests: if they were recorded, none would ever be admitted.
    await vi.waitFor(async () => expect(await two.limiter.admit('key')).toMatchObject({ admitted: true }), {
      interval: 10,
      timeout: patienceMs,
    })
  })

  test('the headers count down across both processes and state the wait', async () => {
    const { one, two } = await openPair({ limit: 2 })
    const withinMinute = expect.toSatisfy((seconds: number) => seconds > 50 && seconds <= 60)
    const admitted = { admitted: true, limit: 2, resetSeconds: withinMinute, retryAfterSeconds: 0 }
    expect(await one.limiter.admit('key')).toEqual({ ...admitted, remaining: 1 })
    expect(await two.limiter.admit('key')).toEqual({ ...admitted, remaining: 0 })
    const waits = { resetSeconds: withinMinute, retryAfterSeconds: withinMinute }
    expect(await one.limiter.admit('key')).toEqual({ admitted: false, limit: 2, remaining: 0, ...waits })
  })

  test('subjects and prefixes do not share a limit', async () => {
    const { one } = await openPair({ limit: 1 })
    const other = await openPair({ limit: 1 })
    expect(await countAdmitted(one.limiter, 'a', 2)).toBe(1)
    expect(await countAdmitted(one.limiter, 'b', 2)).toBe(1)
    expect(await countAdmitted(other.one.limiter, 'a', 2)).toBe(1)
  })

  test('two requests in the same microsecond both count', async () => {
    const { prefix, one } = await openPair({ limit: 3 })
    const [seconds, micros] = (await redis.command('TIME')) as [string, string]
    const at = `${seconds}${micros.padStart(6, '0')}`
    await redis.command('RPUSH', `${prefix}:key`, at, at)
    expect(await countAdmitted(one.limiter, 'key', 5)).toBe(1)
  })

  test('a log written by a clock that ran ahead does not lock the subject out', async () => {
    const { prefix, one } = await openPair({ limit: 1 })
    const [seconds] = (await redis.command('TIME')) as [string]
    await redis.command('RPUSH', `${prefix}:key`, `${Number(seconds) + 86_400}000000`)
    expect(await countAdmitted(one.limiter, 'key', 2)).toBe(1)
  })

  test('nothing stays in Redis after the window', async () => {
    const { prefix, one } = await openPair({ windowMs: 100 })
    await countAdmitted(one.limiter, 'key', 5)
    expect(await redis.command('EXISTS', `${prefix}:key`)).toBe(1)
    await vi.waitFor(async () => expect(await redis.command('KEYS', `${prefix}*`)).toEqual([]), {
      interval: 50,
      timeout: patienceMs,
    })
  })

  test('a Redis that lost the script gets it again, unnoticed by the caller', async () => {
    const { one, two } = await openPair({ limit: 10 })
    expect(await countAdmitted(one.limiter, 'key', 4)).toBe(4)
    await redis.command('SCRIPT', 'FLUSH')
    expect(await countAdmitted(two.limiter, 'key', 8)).toBe(6)
    expect([...one.warnings, ...two.warnings]).toEqual([])
  })
})
