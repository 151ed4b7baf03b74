import { afterAll, beforeAll, expect, it } from 'vitest'
import { Children } from '../../crash/children.ts'
import { countFalls, fallsAt, type Moment, momentsOf } from '../../crash/falls.ts'
import { runRefillSeed, runRefillStory, type StoryName, stories } from '../../crash/refill-run.ts'
import { type Cold, goCold } from '../../crash/refill-scenario.ts'
import type { Outcome } from '../../crash/run.ts'

// `npm run soak` runs many more. To run one seed: SLUICE_REFILL_CRASH_SEED=17; to run one moment of every story:
// SLUICE_REFILL_CRASH_MOMENT=2:205:SIGKILL, which is the process, its point, and what happens to it there.
const { SLUICE_REFILL_CRASH_SEED: seed, SLUICE_REFILL_CRASH_MOMENT: moment } = process.env
const seedCount = Number(process.env.SLUICE_REFILL_CRASH_SEEDS ?? 0)
const pointCount = Number(process.env.SLUICE_REFILL_CRASH_POINTS ?? 0)
const lanes = 2

let children: Children
let cold: Cold
beforeAll(async () => {
  children = await Children.prepare(pointCount > 0 || seedCount > 0 || seed !== undefined ? lanes : 0)
  cold = await goCold(children)
})
afterAll(async () => {
  await children.close()
  await cold.place.remove()
})

/** Runs all of them, a few at a time, and prints how to reproduce each failure. */
async function each<T>(all: readonly T[], run: (one: T) => Promise<Outcome>, again: (one: T) => string) {
  const waiting = [...all]
  const wrong: string[] = []
  const seen = { runs: 0, kills: 0, refills: 0 }
  const lane = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const { problems, kills, refills } = await run(one)
      seen.runs++
      seen.kills += kills
      seen.refills += refills
      if (problems.length > 0)
        wrong.push(
          [`${again(one)} npx vitest run --project postgres-18 killed-refills`, ...problems].join('\n'),
        )
      if (problems.length > 0) process.stdout.write(`${wrong.at(-1)}\n`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  process.stdout.write(`${wrong.length} wrong, ${JSON.stringify(seen)}\n`)
  return { wrong, seen }
}

function momentFrom(text: string): Moment {
  const [step, point, signal] = text.split(':')
  return { step: Number(step), point: Number(point), signal: signal === 'SIGSTOP' ? 'SIGSTOP' : 'SIGKILL' }
}

const again = ({ step, point, signal }: Moment) =>
  `SLUICE_REFILL_CRASH_POINTS=1 SLUICE_REFILL_CRASH_MOMENT=${step}:${point}:${signal}`

it('a refill that is given up and mined after all is booked once when a command and a worker are killed', async () => {
  // Of the processes that prepare and give up on both networks, and the worker: the fourth, and the last.
  const falls = fallsAt({ step: 3, point: 30, signal: 'SIGKILL' }, { step: 5, point: 250, signal: 'SIGKILL' })
  const { problems, kills, refills } = await runRefillStory(
    cold,
    children,
    'is given up and mined after all',
    falls,
  )
  expect(problems).toEqual([])
  expect({ kills, refills }).toEqual({ kills: 2, refills: 2 })
})

it.each(pointCount === 0 ? [] : (Object.keys(stories) as StoryName[]))(
  'a refill that %s is booked as the chain has it when any process is killed before or after any step',
  { timeout: 7_200_000 },
  async (name) => {
    const counted = countFalls()
    expect((await runRefillStory(cold, children, name, counted)).problems).toEqual([])
    process.stdout.write(`${name}: ${counted.steps.join(' + ')} points\n`)
    const moments = moment === undefined ? momentsOf(counted.steps, pointCount) : [momentFrom(moment)]
    const play = (at: Moment) => runRefillStory(cold, children, name, fallsAt(at))
    expect((await each(moments, play, again)).wrong).toEqual([])
  },
)

const seeds = seed === undefined ? Array.from({ length: seedCount }, (_, at) => at + 1) : [Number(seed)]

it.each(seeds.length === 0 ? [] : [seeds.length])(
  'refills are booked as the chain has them, through random acts of the operator, kills, stops and reorganisations: %i seeds',
  { timeout: 7_200_000 },
  async () => {
    const run = (one: number) => runRefillSeed(cold, children, one)
    const { wrong, seen } = await each(seeds, run, (one) => `SLUICE_REFILL_CRASH_SEED=${one}`)
    expect(wrong).toEqual([])
    expect(seen.refills).toBeGreaterThan(0)
  },
)
