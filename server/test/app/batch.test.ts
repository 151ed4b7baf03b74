import { expect, it } from 'vitest'
import { batch } from '../../src/app/batch.ts'
import { OutageError } from '../../src/domain/errors.ts'

/** Batches that end when the test ends them. */
function batched(limits = { maxBatch: 3, maxRunning: 2 }) {
  const batches: { items: readonly number[]; end: (failure?: Error) => Promise<void> }[] = []
  const call = batch<number, string>((items) => {
    return new Promise((resolve, reject) => {
      batches.push({
        items,
        end: async (failure) => {
          if (failure === undefined) resolve(items.map((item) => `answer ${item}`))
          else reject(failure)
          await settled()
        },
      })
    })
  }, limits)
  return { batches, call, sizes: () => batches.map(({ items }) => items) }
}

/** Resolves once everything that only waits for promises has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

it('a single call runs at once, alone', async () => {
  const { batches, call } = batched()
  const answer = call(1)
  expect(batches.map(({ items }) => items)).toEqual([[1]])
  await batches[0]?.end()
  expect(await answer).toBe('answer 1')
})

it('only the allowed number of batches run at once, and waiting calls run together, in order, in batches of bounded size', async () => {
  const { batches, call, sizes } = batched()
  const answers = Promise.all(Array.from({ length: 9 }, (_, item) => call(item)))
  expect(sizes()).toEqual([[0], [1]])
  await batches[1]?.end()
  expect(sizes()).toEqual([[0], [1], [2, 3, 4]])
  await batches[0]?.end()
  expect(sizes()).toEqual([[0], [1], [2, 3, 4], [5, 6, 7]])
  await batches[3]?.end()
  expect(sizes()).toEqual([[0], [1], [2, 3, 4], [5, 6, 7], [8]])
  await batches[2]?.end()
  await batches[4]?.end()
  expect(await answers).toEqual(Array.from({ length: 9 }, (_, item) => `answer ${item}`))
})

it('the calls of a failed batch run again one by one, and only the faulty call fails', async () => {
  const ran: number[][] = []
  const call = batch<number, number>(
    async (items) => {
      ran.push([...items])
      if (items.includes(3)) throw new Error('three')
      return items.map((item) => item * 10)
    },
    { maxBatch: 10, maxRunning: 1 },
  )
  const answers = await Promise.allSettled([1, 2, 3, 4].map(call))
  expect(ran).toEqual([[1], [2, 3, 4], [2], [3], [4]])
  expect(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : `${answer.reason}`)),
  ).toEqual([10, 20, 'Error: three', 40])
  expect(await call(5)).toBe(50)
})

it('an outage fails every call of the batch, and none runs again', async () => {
  const { batches, call, sizes } = batched({ maxBatch: 10, maxRunning: 1 })
  const answers = Promise.allSettled([1, 2, 3].map(call))
  await batches[0]?.end()
  await batches[1]?.end(new OutageError('away'))
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(sizes()).toEqual([[1], [2, 3]])
  const next = call(4)
  await batches[2]?.end()
  expect(await next).toBe('answer 4')
})

it('a batch that fails before it starts fails its own call and does not block later ones', async () => {
  let broken = true
  const call = batch<number, number>(
    (items) => {
      if (broken) throw new Error('at once')
      return Promise.resolve(items)
    },
    { maxBatch: 1, maxRunning: 1 },
  )
  await expect(call(1)).rejects.toThrow('at once')
  broken = false
  expect(await call(2)).toBe(2)
})
