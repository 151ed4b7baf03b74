import { afterAll, beforeAll, expect, it } from 'vitest'
import { Children } from '../../crash/children.ts'
import { runPointOnCoins, runSeedOnCoins } from '../../crash/coin-run.ts'
import { type FundedOnCoins, fundOnCoins } from '../../crash/coin-scenario.ts'
import { runColdPointOnCoins } from '../../crash/cold-run.ts'
import type { Outcome } from '../../crash/run.ts'
import { describeCoin } from '../../support/nodes/each-coin.ts'

// `npm run soak` runs many more: seeds, points, and moves to the cold wallet, which are killed on an Ethereum node every day. To
// run one seed: SLUICE_BITCOIN_CRASH_SEED=17; to run one point: SLUICE_BITCOIN_CRASH_POINT=205.
const { SLUICE_BITCOIN_CRASH_SEED: seed, SLUICE_BITCOIN_CRASH_POINT: point } = process.env
const seedCount = Number(process.env.SLUICE_BITCOIN_CRASH_SEEDS ?? 0)
const pointCount = Number(process.env.SLUICE_BITCOIN_CRASH_POINTS ?? 0)
const isAtPoints = pointCount > 0 || point !== undefined
const seeds = seed === undefined ? Array.from({ length: seedCount }, (_, at) => at + 1) : [Number(seed)]
// In the midst of the payouts, of about 400 points.
const payoutPoint = 200

describeCoin('bitcoin', () => {
  let children: Children
  let funded: FundedOnCoins
  beforeAll(async () => {
    children = await Children.prepare(isAtPoints || seeds.length > 0 ? 2 : 0)
    funded = await fundOnCoins()
  })
  afterAll(async () => {
    await children.close()
    await funded.node.close()
    await funded.place.remove()
  })

  /** Runs all of them, one after the other on the same node, and prints how to reproduce each failure. */
  async function each(all: readonly number[], run: (one: number) => Promise<Outcome>, name: string) {
    const wrong: string[] = []
    const seen = { kills: 0, bumps: 0 }
    for (const one of all) {
      const outcome = await run(one)
      for (const what of Object.keys(seen) as (keyof typeof seen)[]) seen[what] += outcome[what]
      if (outcome.problems.length === 0) continue
      const again = `${name}=${one} npx vitest run --project postgres-18 bitcoin-killed`
      const told = [again, ...outcome.problems].join('\n')
      process.stdout.write(`${told}\n`)
      wrong.push(told)
    }
    process.stdout.write(`${all.length} runs, ${wrong.length} wrong, ${JSON.stringify(seen)}\n`)
    return wrong
  }

  it.each(seeds.length === 0 ? [] : [seeds.length])(
    'every payout arrives exactly once through kills, stops, reorganisations and a forgetful node: %i seeds',
    { timeout: 600_000 + seeds.length * 60_000 },
    async () => {
      const run = (one: number) => runSeedOnCoins(funded, children, one)
      expect(await each(seeds, run, 'SLUICE_BITCOIN_CRASH_SEED')).toEqual([])
    },
  )

  it('payouts arrive exactly once when the service is killed before or after any step', {
    timeout: 7_200_000,
  }, async () => {
    const run = (one: number | null) => runPointOnCoins(funded, children, one)
    if (isAtPoints) return eachPoint('payouts', run)
    expect(await run(payoutPoint)).toMatchObject({ problems: [], kills: 1 })
  })

  it.each(isAtPoints ? ['a move to the cold wallet'] : [])(
    '%s of what is above the cap arrives once when the service is killed before or after any step',
    {
      timeout: 7_200_000,
    },
    (what) => eachPoint(what, (one) => runColdPointOnCoins(funded, children, one)),
  )

  async function eachPoint(what: string, run: (one: number | null) => Promise<Outcome>): Promise<void> {
    const whole = await run(null)
    expect(whole.problems).toEqual([])
    process.stdout.write(`${what} on a Bitcoin node: ${whole.points} points\n`)
    const count = Math.min(pointCount, whole.points)
    const spread = Array.from(
      { length: count },
      (_, at) => Math.floor(((at + 0.5) * whole.points) / count) + 1,
    )
    const points = point === undefined ? spread : [Number(point)]
    expect(await each(points, run, 'SLUICE_BITCOIN_CRASH_POINT')).toEqual([])
  }
})
