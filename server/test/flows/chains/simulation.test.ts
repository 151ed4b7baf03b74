import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSeed } from '../../simulation/run.ts'
import { openTestStage, type TestStage } from '../../simulation/test-stage.ts'

let test: TestStage
beforeAll(async () => {
  test = await openTestStage()
})
afterAll(() => test.close())

// `npm run simulate` runs any number of seeds, and `npm run soak` hundreds; these are the first of them.
const seeds = Array.from({ length: 6 }, (_, at) => at + 1)

it.each(seeds)(
  'the books stay right through random payers, miners and dying processes: seed %i',
  async (seed) => {
    expect(await runSeed(test.stage, seed)).toEqual([])
  },
)
