import { expect, it } from 'vitest'
import { atMost } from '../../src/app/people/passwords.ts'

it('a limited number run at once, the others wait in turn, and beyond that they are refused', async () => {
  const begun: number[] = []
  const ends = new Map<number, PromiseWithResolvers<number>>()
  const run = atMost(2, 3, (n: number) => {
    begun.push(n)
    const end = Promise.withResolvers<number>()
    ends.set(n, end)
    return end.promise
  })
  const results = [1, 2, 3, 4, 5].map((n) => run(n))
  await expect(run(6)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(begun).toEqual([1, 2])
  ends.get(2)?.resolve(20)
  expect(await results[1]).toBe(20)
  await expect.poll(() => begun).toEqual([1, 2, 3])
  // One that fails gives its place up too.
  ends.get(1)?.reject(new Error('failed'))
  await expect(results[0]).rejects.toThrow('failed')
  await expect.poll(() => begun).toEqual([1, 2, 3, 4])
  for (const n of [3, 4]) ends.get(n)?.resolve(n)
  await expect.poll(() => begun).toEqual([1, 2, 3, 4, 5])
  ends.get(5)?.resolve(5)
  expect(await Promise.all(results.slice(1))).toEqual([20, 3, 4, 5])
  const again = run(7)
  await expect.poll(() => begun).toContain(7)
  ends.get(7)?.resolve(7)
  expect(await again).toBe(7)
})
