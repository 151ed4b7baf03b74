import { expect, it } from 'vitest'
import { eachInTurn } from '../../src/app/each-in-turn.ts'

it('a failure keeps none of the others from their turn, and the first is thrown at the end', async () => {
  const done: number[] = []
  const all = eachInTurn([1, 2, 3, 4], async (each) => {
    done.push(each)
    if (each % 2 === 0) throw new Error(`${each} failed`)
  })
  await expect(all).rejects.toThrow('2 failed')
  expect(done).toEqual([1, 2, 3, 4])
})
