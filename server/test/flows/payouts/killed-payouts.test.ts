import { afterAll, beforeAll, expect, it } from 'vitest'
import { Children } from '../../crash/children.ts'
import { countPoints, type OnePayout, type Outcome, prepareOne, runPoint, runSeed } from '../../crash/run.ts'
import { type Funded, fund } from '../../crash/scenario.ts'

// `npm run soak` runs many more, and kills payouts of every currency at all points. To run one seed: SLUICE_CRASH_SEED=17; to
// run one point: SLUICE_CRASH_POINT=USDT:205.
const seeds = process.env.SLUICE_CRASH_SEED
  ? [Number(process.env.SLUICE_CRASH_SEED)]
  : Array.from({ length: Number(process.env.SLUICE_CRASH_SEEDS ?? 1) }, (_, at) => at + 1)
const pointsEach = Number(process.env.SLUICE_CRASH_POINTS ?? 0)
const isAtPoints = pointsEach > 0 || process.env.SLUICE_CRASH_POINT !== undefined
const lanes = 2

let children: Children
let funded: Funded
beforeAll(async () => {
  children = await Children.prepare(isAtPoints || seeds.length > 1 ? lanes : 0)
  funded = await fund()
})
afterAll(async () => {
  await children.close()
  await funded.place.remove()
})

/** Runs all of them, a few at a time, and prints how to reproduce each failure. */
async function each<T>(all: readonly T[], run: (one: T) => Promise<Outcome>, again: (one: T) => string) {
  const waiting = [...all]
  const wrong: string[] = []
  let done = 0
  const seen = { kills: 0, bumps: 0, sweeps: 0 }
  const lane = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const outcome = await run(one)
      done++
      if (done % 50 === 0) process.stdout.write(`${done} of ${all.length}, ${wrong.length} wrong\n`)
      for (const what of ['kills', 'bumps', 'sweeps'] as const) seen[what] += outcome[what]
      if (outcome.problems.length === 0) continue
      const told = [`${again(one)} npx vitest run --project postgres-18 killed-payouts`, ...outcome.problems]
      process.stdout.write(`${told.join('\n')}\n`)
      wrong.push(told.join('\n'))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  process.stdout.write(`${all.length} runs, ${wrong.length} wrong, ${JSON.stringify(seen)}\n`)
  return wrong
}

it(`every payout arrives exactly once and the books match the chain, through kills, stops and reorganisations: ${seeds.length} seeds`, {
  timeout: 600_000 + seeds.length * 30_000,
}, async () => {
  expect(
    await each(
      seeds,
      (seed) => runSeed(funded, children, seed),
      (seed) => `SLUICE_CRASH_SEED=${seed}`,
    ),
  ).toEqual([])
})

const payouts = [
  ['BTC', '0.61'],
  ['ETH', '104.5'],
  ['USDT', '120.5'],
  ['SOL', '104.5'],
  ['USDC', '520.5'],
] as const
// In the midst of the shortest of them, of about 420 points.
const everyDay = 250

it.each(payouts.filter(([currency]) => isAtPoints || currency === 'USDT'))(
  'a %s payout arrives exactly once when the service is killed before or after any step',
  {
    timeout: 7_200_000,
  },
  async (currency, amount) => atPoints(currency, await prepareOne(funded, currency, amount)),
)

it(
  'a payout on Solana that the signer refuses is cancelled and never paid, when killed before or after any step',
  {
    timeout: 7_200_000,
  },
  async () => atPoints('refused', await prepareOne(funded, 'SOL', '2', true)),
)

async function atPoints(name: string, one: OnePayout): Promise<void> {
  const run = (point: number) => runPoint(one, children, point)
  try {
    if (!isAtPoints) {
      expect(await run(everyDay)).toMatchObject({ problems: [], kills: 1 })
      return
    }
    const points = await countPoints(one, children)
    process.stdout.write(`${name}: ${points} points\n`)
    const again = (point: number) => `SLUICE_CRASH_POINT=${name}:${point}`
    expect(await each(pointsOf(name, points), run, again)).toEqual([])
  } finally {
    await one.place.remove()
  }
}

/** All points, or as many as requested, spread evenly, or the single point being debugged. */
function pointsOf(name: string, points: number): number[] {
  const [only, point] = process.env.SLUICE_CRASH_POINT?.split(':') ?? []
  if (only !== undefined) return only === name ? [Number(point)] : []
  const count = Math.min(pointsEach, points)
  return Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * points) / count) + 1)
}
