import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { patienceMs } from '../../support/patience.ts'
import { startRedis, type TestRedis } from '../../support/servers/redis.ts'
import { closeLimiters, countAdmitted, openLimiter, type TestLimiter } from './limiters.ts'

const SOON = { interval: 20, timeout: patienceMs }
const PER_PROCESS = /^rate limits are per process until Redis answers again: ./

describe('while Redis is not available', () => {
  let redis: TestRedis

  beforeEach(async () => {
    redis = await startRedis()
  })
  afterEach(async () => {
    await closeLimiters()
    await redis.stop()
  })

  const openOne = (settings: { limit?: number; windowMs?: number; timeoutMs?: number } = {}) =>
    openLimiter({ redisUrl: redis.url, prefix: 'test', ...settings })

  /** Waits until the limiter itself has noticed; from then on it answers synchronously. */
  async function untilDown({ limiter, warnings }: TestLimiter): Promise<void> {
    await vi.waitFor(() => expect(warnings).toHaveLength(1), SOON)
    expect(limiter.admit('another')).not.toBeInstanceOf(Promise)
  }

  test('a process continues from what it has admitted, and shares again when Redis is back', async () => {
    const one = await openOne({ limit: 10 })
    const two = await openOne({ limit: 10 })
    expect(await countAdmitted(one.limiter, 'key', 4)).toBe(4)
    await redis.kill()
    await Promise.all([untilDown(one), untilDown(two)])
    expect(await countAdmitted(one.limiter, 'key', 10)).toBe(6)
    expect(await countAdmitted(two.limiter, 'key', 20)).toBe(10)
    expect(one.warnings).toEqual([expect.stringMatching(PER_PROCESS)])

    await redis.start()
    await vi.waitFor(() => expect([one.infos, two.infos].map((infos) => infos.length)).toEqual([1, 1]), SOON)
    expect(await countAdmitted(one.limiter, 'fresh', 8)).toBe(8)
    expect(await countAdmitted(two.limiter, 'fresh', 8)).toBe(2)
    expect([one.warnings.length, two.warnings.length]).toEqual([1, 1])
  })

  test('a Redis that comes back empty does not let a process exceed its limit', async () => {
    const one = await openOne({ limit: 10 })
    expect(await countAdmitted(one.limiter, 'key', 7)).toBe(7)
    await redis.kill()
    await untilDown(one)
    await redis.start()
    await vi.waitFor(() => expect(one.infos).toHaveLength(1), SOON)
    expect(await countAdmitted(one.limiter, 'key', 20)).toBe(3)
    expect(await one.limiter.admit('key')).toMatchObject({ admitted: false, remaining: 0 })
  })

  test('requests in flight when Redis dies are decided locally, and none fails or is lost', async () => {
    const one = await openOne()
    const asked = countAdmitted(one.limiter, 'key', 320)
    await redis.kill()
    const passed = await asked
    expect(passed + (await countAdmitted(one.limiter, 'key', 320))).toBe(300)
  })

  test('a hanging Redis delays only the first requests', async () => {
    const timeoutMs = 250
    const one = await openOne({ limit: 10, timeoutMs })
    await countAdmitted(one.limiter, 'key', 4)
    redis.pause()
    const startedMs = performance.now()
    expect(await countAdmitted(one.limiter, 'key', 20)).toBe(6)
    const waitedMs = performance.now() - startedMs
    expect(waitedMs).toBeGreaterThanOrEqual(timeoutMs - 1)
    expect(one.warnings).toEqual([expect.stringContaining('no answer within 250 ms')])
    for (let i = 0; i < 100; i++) expect(one.limiter.admit('key')).toMatchObject({ admitted: false })

    redis.resume()
    await vi.waitFor(() => expect(one.infos).toHaveLength(1), SOON)
    expect(one.limiter.admit('fresh')).toBeInstanceOf(Promise)
    expect(one.warnings).toHaveLength(1)
  })

  test('a process that starts without Redis limits by itself, and shares once Redis is there', async () => {
    await redis.kill()
    const one = await openOne({ limit: 3 })
    expect(one.warnings).toEqual([expect.stringContaining('ECONNREFUSED')])
    expect(await countAdmitted(one.limiter, 'key', 5)).toBe(3)
    await redis.start()
    await vi.waitFor(() => expect(one.infos).toHaveLength(1), SOON)
    expect(one.limiter.admit('fresh')).toBeInstanceOf(Promise)
  })

  test('a Redis that became read-only is not asked again until it accepts writes', async () => {
    const one = await openOne({ limit: 3 })
    await redis.command('REPLICAOF', '127.0.0.1', '1')
    expect(await countAdmitted(one.limiter, 'key', 5)).toBe(3)
    expect(one.warnings).toEqual([expect.stringContaining('READONLY')])
    // It accepts connections and answers PING all the time: only a failed write shows that it was tried again.
    const failedWrites = async () => Number(/errorstat_READONLY:count=(\d+)/.exec(await errorsOf(redis))?.[1])
    const before = await failedWrites()
    await vi.waitFor(async () => expect(await failedWrites()).toBeGreaterThan(before + 1), SOON)
    expect([one.warnings.length, one.infos.length]).toEqual([1, 0])
    await redis.command('REPLICAOF', 'NO', 'ONE')
    await vi.waitFor(() => expect(one.infos).toHaveLength(1), SOON)
  })

  test('a Redis that is still loading its data counts as unavailable', async () => {
    const loading = createServer((socket) => {
      socket.on('data', () => socket.write('-LOADING Redis is loading the dataset in memory\r\n'.repeat(9)))
      socket.on('error', () => socket.destroy())
    }).listen(0, '127.0.0.1')
    await once(loading, 'listening')
    const { port } = loading.address() as { port: number }
    const one = await openLimiter({ redisUrl: `redis://127.0.0.1:${port}`, prefix: 'test', limit: 3 })
    expect(await countAdmitted(one.limiter, 'key', 5)).toBe(3)
    expect(one.warnings).toEqual([expect.stringContaining('LOADING')])
    await one.limiter.close()
    loading.close()
  })

  test('closing never waits for a Redis that is gone or hangs, and requests are still decided afterwards', async () => {
    const [idle, waiting, gone] = [await openOne(), await openOne({ limit: 3 }), await openOne()]
    redis.pause()
    const asked = countAdmitted(waiting.limiter, 'key', 5)
    await Promise.all([idle.limiter.close(), waiting.limiter.close()])
    expect(await asked).toBe(3)
    expect([...idle.warnings, ...waiting.warnings]).toEqual([])
    await redis.kill()
    await untilDown(gone)
    await gone.limiter.close()
    expect(await gone.limiter.admit('key')).toMatchObject({ admitted: true })
  })

  test('a process that closes its limiter ends by itself, even if Redis hangs', async () => {
    redis.pause()
    const program = `
      import { openLimiter } from ${JSON.stringify(new URL('./limiters.ts', import.meta.url).href)}
      const { limiter } = await openLimiter({ redisUrl: ${JSON.stringify(redis.url)}, prefix: 'test' })
      setTimeout(() => limiter.close(), 100) // in the middle of another attempt
    `
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'ignore' })
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('an invalid URL is refused at the start', async () => {
    await expect(openLimiter({ redisUrl: 'http://127.0.0.1:1', prefix: 'test' })).rejects.toThrow(TypeError)
  })
})

async function errorsOf(redis: TestRedis): Promise<string> {
  return String(await redis.command('INFO', 'errorstats'))
}
