import { expect, it } from 'vitest'
import { keptReading } from '../../src/app/kept-reading.ts'

function reader(read: () => Promise<number>, waitMs = 1_000) {
  const errors: unknown[] = []
  const clock = { nowMs: 0 }
  const asked = keptReading({
    read,
    keepMs: 100,
    waitMs,
    now: () => clock.nowMs,
    onError: (error) => errors.push(error),
  })
  return { asked, errors, clock }
}

it('however many ask, it is read once, and again only when it is old', async () => {
  let count = 0
  const { asked, clock } = reader(async () => ++count)
  expect(await Promise.all([asked(), asked(), asked()])).toEqual([1, 1, 1])
  clock.nowMs = 99
  expect(await asked()).toBe(1)
  clock.nowMs = 100
  expect(await asked()).toBe(2)
})

it('a failure is null, is reported once, and is not repeated at once', async () => {
  let count = 0
  const { asked, errors, clock } = reader(async () => {
    count++
    throw new Error('no')
  })
  expect(await asked()).toBeNull()
  expect(await asked()).toBeNull()
  expect([count, errors.length]).toEqual([1, 1])
  clock.nowMs = 100
  expect(await asked()).toBeNull()
  expect(count).toBe(2)
})

it('a reading that takes too long is not waited for, and serves the next caller', async () => {
  const slow = Promise.withResolvers<number>()
  let count = 0
  const { asked } = reader(() => {
    count++
    return slow.promise
  }, 1)
  expect(await asked()).toBeNull()
  const next = asked()
  slow.resolve(7)
  expect(await next).toBe(7)
  expect([await asked(), count]).toEqual([7, 1])
})
