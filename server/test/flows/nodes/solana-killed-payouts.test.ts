import { afterAll, beforeAll, expect, it } from 'vitest'
import { Children } from '../../crash/children.ts'
import type { Outcome } from '../../crash/run.ts'
import { runPointOnSolana, runSeedOnSolana } from '../../crash/solana-run.ts'
import { openSolanaStage, type SolanaStage } from '../../crash/solana-scenario.ts'
import { describeOnSolana } from '../../support/nodes/solana-node.ts'

// `npm run soak` runs many more: seeds and points. To run one seed: SLUICE_SOLANA_CRASH_SEED=17; to run one point:
// SLUICE_SOLANA_CRASH_POINT=205. The node makes blocks by itself, so the same point may be another moment next time.
const { SLUICE_SOLANA_CRASH_SEED: seed, SLUICE_SOLANA_CRASH_POINT: point } = process.env
const seedCount = Number(process.env.SLUICE_SOLANA_CRASH_SEEDS ?? 0)
const pointCount = Number(process.env.SLUICE_SOLANA_CRASH_POINTS ?? 0)
const isAtPoints = pointCount > 0 || point !== undefined
const seeds = seed === undefined ? Array.from({ length: seedCount }, (_, at) => at + 1) : [Number(seed)]
// In the midst of the payouts, of about 3500 points.
const payoutPoint = 1_700

describeOnSolana(() => {
  let children: Children
  let stage: SolanaStage
  beforeAll(async () => {
    children = await Children.prepare(isAtPoints || seeds.length > 0 ? 2 : 0)
    stage = await openSolanaStage()
  }, 120_000)
  afterAll(async () => {
    await children?.close()
    await stage?.close()
  })

  /** Runs all of them, one after the other on the same node, and prints how to reproduce each failure. */
  async function each(all: readonly number[], run: (one: number) => Promise<Outcome>, name: string) {
    const wrong: string[] = []
    const seen = { kills: 0, bumps: 0, sweeps: 0 }
    for (const one of all) {
      const outcome = await run(one)
      for (const what of Object.keys(seen) as (keyof typeof seen)[]) seen[what] += outcome[what]
      if (outcome.problems.length === 0) continue
      const again = `${name}=${one} npx vitest run --project postgres-18 solana-killed`
      const told = [again, ...outcome.problems].join('\n')
      process.stdout.write(`${told}\n`)
      wrong.push(told)
    }
    process.stdout.write(`${all.length} runs, ${wrong.length} wrong, ${JSON.stringify(seen)}\n`)
    return wrong
  }

  it.each(seeds.length === 0 ? [] : [seeds.length])(
    'on a real node, every payout arrives exactly once, through kills, stops and lost answers: %i seeds',
    { timeout: 600_000 + seeds.length * 120_000 },
    async () => {
      const run = (one: number) => runSeedOnSolana(stage, children, one)
      expect(await each(seeds, run, 'SLUICE_SOLANA_CRASH_SEED')).toEqual([])
    },
  )

  it('on a real node, swept SOL and token payouts arrive exactly once when killed before or after any step', {
    timeout: 7_200_000,
  }, async () => {
    const run = (at: number | null) => runPointOnSolana(stage, children, at)
    if (!isAtPoints) {
      expect(await run(payoutPoint)).toMatchObject({ problems: [], kills: 1 })
      return
    }
    const whole = await run(null)
    expect(whole.problems).toEqual([])
    process.stdout.write(`SOL and tokens on a node: about ${whole.points} points\n`)
    const count = Math.min(pointCount, whole.points)
    const spread = Array.from(
      { length: count },
      (_, at) => Math.floor(((at + 0.5) * whole.points) / count) + 1,
    )
    const points = point === undefined ? spread : [Number(point)]
    expect(await each(points, run, 'SLUICE_SOLANA_CRASH_POINT')).toEqual([])
  })
})
