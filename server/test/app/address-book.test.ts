import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createAddressBook, maxTake } from '../../src/app/addresses/address-book.ts'
import { OutageError } from '../../src/domain/errors.ts'

/** A book on a pool with `ready` addresses that records every claim. */
function open(ready: number, derive: () => Promise<boolean> = async () => false) {
  const pool = {
    ready,
    next: 0,
    nowMs: 0,
    claims: [] as number[],
    failure: null as Error | null,
    derivations: 0,
    told: [] as unknown[],
  }
  const book = createAddressBook({
    async claim(_, count) {
      pool.claims.push(count)
      await delay(1)
      if (pool.failure !== null) throw pool.failure
      const got = Math.min(count, pool.ready)
      pool.ready -= got
      return Array.from({ length: got }, () => ({
        position: pool.next++,
        address: 'a',
        tag: null,
        proof: null,
      }))
    },
    async derive() {
      pool.derivations++
      return derive()
    },
    now: () => pool.nowMs,
    onRestockFailed: (error) => pool.told.push(error),
  })
  const take = async (count = 1) =>
    (await book.take('a-test', count))?.map(({ position }) => position) ?? null
  return { pool, book, take }
}

it('the first claim is small, and serves the next callers too', async () => {
  const { pool, take } = open(1_000)
  for (let n = 0; n < 3; n++) expect(await take()).toEqual([n])
  expect(pool.claims).toEqual([8])
})

it('the book is refilled in the background once half of it is used', async () => {
  const { pool, take } = open(1_000)
  for (let n = 0; n < 4; n++) await take()
  pool.nowMs += 5_000
  await delay(5)
  expect(pool.claims).toEqual([8, 16])
  expect(await take()).toEqual([4])
})

it('claims grow up to a limit while they are used up quickly, and are small again after a pause', async () => {
  const { pool, take } = open(100_000)
  for (let n = 0; n < 2_000; n++) {
    await take()
    if (n % 4 === 0) await delay(1)
  }
  expect(pool.claims.slice(0, 6)).toEqual([8, 16, 32, 64, 128, 256])
  expect(Math.max(...pool.claims)).toBe(256)
  pool.nowMs += 60_000
  pool.claims.length = 0
  while (pool.claims.length === 0) await take()
  expect(pool.claims).toEqual([8])
})

it('concurrent callers share one claim', async () => {
  const { pool, take } = open(1_000)
  const taken = await Promise.all(Array.from({ length: 100 }, () => take()))
  expect(new Set(taken.flat()).size).toBe(100)
  expect(pool.claims.length).toBeLessThanOrEqual(4)
})

it('a caller that asks for many addresses is not overtaken forever', async () => {
  const { take } = open(10_000)
  const order: string[] = []
  await Promise.all([
    take().then(() => order.push('small')),
    take(200).then((taken) => order.push(`large ${taken?.length}`)),
    ...Array.from({ length: 50 }, () => take().then(() => order.push('later'))),
  ])
  expect(order.slice(0, 2)).toEqual(['small', 'large 200'])
})

it('an empty pool is topped up by deriving addresses', async () => {
  const { pool, take } = open(0, async () => {
    pool.ready += 8
    return true
  })
  const taken = await Promise.all(Array.from({ length: 20 }, () => take()))
  expect(new Set(taken.flat()).size).toBe(20)
  expect(pool.derivations).toBe(3)
})

it('if no address can be derived, the remaining ones serve the calls that they suffice for', async () => {
  const { take } = open(3)
  expect(await Promise.all([take(2), take(5), take(1), take(1)])).toEqual([[0, 1], null, [2], null])
  expect(await take()).toBeNull()
})

it('a pool that others keep emptying is given up after a bounded number of attempts', async () => {
  const { pool, take } = open(0, async () => true)
  expect(await take()).toBeNull()
  expect(pool.derivations).toBe(50)
})

it('an address that was given back is handed out first, and cannot be given back twice', async () => {
  const { book, take } = open(100)
  const [first] = (await book.take('a-test', 1)) ?? []
  if (first === undefined) throw new Error('none')
  book.giveBack('a-test', first)
  expect(() => book.giveBack('a-test', first)).toThrow('given back twice')
  expect(await take(3)).toEqual([0, 1, 2])
})

it('an outage fails every waiting call, and the next call tries again', async () => {
  const { pool, take } = open(100)
  pool.failure = new OutageError('away')
  const failed = await Promise.allSettled([take(), take()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  pool.failure = null
  expect(await take()).toEqual([0])
  expect(pool.told).toEqual([])
})

it('a failure in the background is reported, and fails no call while there is stock', async () => {
  const { pool, take } = open(100)
  await take(3)
  pool.failure = new OutageError('away')
  expect(await take()).toEqual([3])
  await delay(5)
  expect(pool.told).toEqual([pool.failure])
  expect(await take()).toEqual([4])
})

it('gates do not share addresses, and an invalid count is an error', async () => {
  const { pool, book } = open(100)
  await Promise.all([book.take('a-test', 1), book.take('b-test', 1)])
  expect(pool.claims).toEqual([8, 8])
  for (const count of [0, -1, 1.5, maxTake + 1]) {
    await expect(book.take('a-test', count)).rejects.toThrow(RangeError)
  }
})
