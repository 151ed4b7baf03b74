import { afterAll, beforeAll, expect, it } from 'vitest'
import { Children } from '../../crash/children.ts'
import { runColdPointOnNode } from '../../crash/cold-run.ts'
import { runPointOnNode, runSeedOnNode } from '../../crash/node-run.ts'
import { type FundedOnNode, fundOnNode } from '../../crash/node-scenario.ts'
import type { Outcome } from '../../crash/run.ts'

// `npm run soak` runs many more, and kills payouts at points too. To run one seed: SLUICE_EVM_CRASH_SEED=17; to run one point:
// SLUICE_EVM_CRASH_POINT=205.
const { SLUICE_EVM_CRASH_SEED: seed, SLUICE_EVM_CRASH_POINT: point } = process.env
const seedCount = Number(process.env.SLUICE_EVM_CRASH_SEEDS ?? 1)
const pointCount = Number(process.env.SLUICE_EVM_CRASH_POINTS ?? 0)
const isAtPoints = pointCount > 0 || point !== undefined
// In the midst of the move, of about 1360 points.
const coldPoint = 900

let children: Children
let funded: FundedOnNode
beforeAll(async () => {
  children = await Children.prepare(isAtPoints || seedCount > 1 ? 2 : 0)
  funded = await fundOnNode()
}, 120_000)
afterAll(async () => {
  await children.close()
  await funded.anvil.giveBack()
  await funded.place.remove()
})

// A node that has gone back and forth for long forgets old states, even of contracts: a hundred runs on one node are too
// many.
const runsOnOneNode = 20

/** Runs all of them, one after the other on the same node, and prints how to reproduce each failure. */
async function each(all: readonly number[], run: (one: number) => Promise<Outcome>, name: string) {
  const wrong: string[] = []
  const seen = { kills: 0, bumps: 0, sweeps: 0 }
  for (const [at, one] of all.entries()) {
    if (at > 0 && at % runsOnOneNode === 0) await renew()
    const outcome = await run(one)
    for (const what of Object.keys(seen) as (keyof typeof seen)[]) seen[what] += outcome[what]
    if (outcome.problems.length === 0) continue
    const told = [`${name}=${one} npx vitest run --project postgres-18 evm-killed`, ...outcome.problems].join(
      '\n',
    )
    process.stdout.write(`${told}\n`)
    wrong.push(told)
  }
  process.stdout.write(`${all.length} runs, ${wrong.length} wrong, ${JSON.stringify(seen)}\n`)
  return wrong
}

async function renew(): Promise<void> {
  const old = funded
  funded = await fundOnNode()
  await old.anvil.close()
  await old.place.remove()
}

/** Runs once without a kill, which counts the points, and then kills at as many of them as requested, spread evenly. */
async function eachPoint(what: string, run: (point: number | null) => Promise<Outcome>) {
  const whole = await run(null)
  expect(whole.problems).toEqual([])
  process.stdout.write(`${what} on a node: ${whole.points} points\n`)
  const count = Math.min(pointCount, whole.points)
  const spread = Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * whole.points) / count) + 1)
  const points = point === undefined ? spread : [Number(point)]
  expect(await each(points, run, 'SLUICE_EVM_CRASH_POINT')).toEqual([])
}

it(`on a real node, every payout arrives exactly once and no nonce is left out, through kills, stops and reorganisations: ${seedCount} seeds`, {
  timeout: 600_000 + seedCount * 60_000,
}, async () => {
  const seeds = seed === undefined ? Array.from({ length: seedCount }, (_, at) => at + 1) : [Number(seed)]
  expect(await each(seeds, (one) => runSeedOnNode(funded, children, one), 'SLUICE_EVM_CRASH_SEED')).toEqual(
    [],
  )
})

it.each(isAtPoints ? ['ETH and tokens'] : [])(
  'on a real node, swept %s that are paid out arrive exactly once when killed before or after any step',
  {
    timeout: 7_200_000,
  },
  (what) => eachPoint(what, (at) => runPointOnNode(funded, children, at)),
)

it('on a real node, what is above the cap goes to the cold wallet once when killed before or after any step', {
  timeout: 7_200_000,
}, async () => {
  const run = (at: number | null) => runColdPointOnNode(funded, children, at)
  if (isAtPoints) return eachPoint('a move to the cold wallet', run)
  expect(await run(coldPoint)).toMatchObject({ problems: [], kills: 1 })
})
