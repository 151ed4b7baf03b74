import { randomUUID } from 'node:crypto'
import { createClient } from '@redis/client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { admitScript } from '../../../src/http/rate-limit/admit-script.ts'
import { startRedis } from '../../support/servers/redis.ts'

test('the script agrees with a plain list of admitted times for any times, even if the clock is set back', async () => {
  // Redis's clock cannot be set, so the script is given the test's.
  const clockCall = "redis.call('TIME')"
  expect(admitScript.split(clockCall)).toHaveLength(2)
  const script = admitScript.replace(clockCall, '{ARGV[3], ARGV[4]}')

  const redis = await startRedis()
  const client = await createClient({ url: redis.url }).connect()
  try {
    const waits = fc.oneof(fc.nat(400), fc.constantFrom(0, 0, 1, 999, 1000, 1001, -1, -300, -1500))
    const limits = fc.integer({ min: 1, max: 9 })
    await fc.assert(
      fc.asyncProperty(fc.array(waits, { maxLength: 60 }), limits, async (waitsMicros, limit) => {
        const key = randomUUID()
        const windowMicros = 1000
        let clock = 1_794_708_000_999_000 // sixteen digits, as they are today, and about to carry into the seconds
        let log: number[] = []
        for (const wait of waitsMicros) {
          clock += wait
          const newest = log.at(-1) ?? 0
          if (newest - clock > windowMicros) log = []
          const now = Math.max(clock, log.at(-1) ?? 0)
          log = log.filter((at) => at > now - windowMicros)
          const passes = log.length < limit
          if (passes) log.push(now)

          const time = [String(Math.floor(clock / 1_000_000)), String(clock % 1_000_000)]
          const args = ['EVAL', script, '1', key, String(limit), String(windowMicros), ...time]
          const leavesInMicros = (log[0] ?? 0) + windowMicros - clock
          expect(await client.sendCommand(args)).toEqual([passes ? 1 : 0, log.length, leavesInMicros])
        }
      }),
      { numRuns: 200 },
    )
  } finally {
    client.destroy()
    await redis.stop()
  }
})
