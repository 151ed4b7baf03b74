import { cancelPayout } from '../../src/app/payouts/cancel-payout.ts'
import { ServiceError } from '../../src/domain/errors.ts'
import { randomOf } from '../simulation/random.ts'
import type { Children } from './children.ts'
import { mishaps } from './mishaps.ts'
import { nodeJudge } from './node-judge.ts'
import { askManyOnNode, type FundedOnNode, followNode } from './node-scenario.ts'
import { at, type Outcome } from './run.ts'
import { end, type Run, start } from './running.ts'
import { approve, ask, type Wanted } from './scenario.ts'
import { timePasses } from './stage.ts'

const deepest = 2

/** Runs one seed on a real node, with random mishaps, and judges the result. */
export async function runSeedOnNode(
  funded: FundedOnNode,
  children: Children,
  seed: number,
): Promise<Outcome> {
  return onNode(funded, children, seed, async (run) => {
    const { random, app } = run
    const wanted = await askManyOnNode(app, funded, random)
    let waiting: readonly Wanted[] = wanted
    for (let falls = random.between(2, 3); falls > 0; falls--) {
      const now = waiting.filter(() => random.bool(0.7))
      waiting = waiting.filter((payout) => !now.includes(payout))
      await approve(app, now)
      await mishaps[random.weighted({ one: 6, two: 3, stopped: 2 })](run)
      await meanwhile(funded, run, wanted)
    }
    await approve(app, waiting)
    return wanted
  })
}

/**
 * Requests payouts of ETH and of a token, some of which need a sweep first, kills the process at one point, and judges the
 * result of the next process.
 */
export async function runPointOnNode(
  funded: FundedOnNode,
  children: Children,
  point: number | null,
): Promise<Outcome> {
  return onNode(funded, children, 11, async (run) => {
    const wanted: Wanted[] = []
    for (const amount of ['0.11', '0.12']) wanted.push(await ask(run.app, funded, run.random, 'ETH', amount))
    for (const amount of ['320.5', '11']) wanted.push(await ask(run.app, funded, run.random, 'USDT', amount))
    await approve(run.app, wanted)
    if (point !== null) await end(run, await start(run, { fall: { at: point, signal: 'SIGKILL' } }))
    await timePasses(run)
    return wanted
  })
}

async function onNode(
  funded: FundedOnNode,
  children: Children,
  seed: number,
  work: (run: Run) => Promise<readonly Wanted[]>,
): Promise<Outcome> {
  const { anvil, place } = funded
  await followNode(place)
  const before = await anvil.ask('evm_snapshot')
  // The node cannot revert to a block that was reorganised away.
  await anvil.mine(deepest + 1)
  try {
    return await at(place, children, randomOf(seed), work, nodeJudge(funded))
  } finally {
    await anvil.ask('anvil_dropAllTransactions')
    await anvil.ask('evm_revert', before)
  }
}

/** What happens while no process runs: a reorganisation, a node that forgets its mempool, a cancellation, time. */
async function meanwhile({ anvil }: FundedOnNode, run: Run, wanted: readonly Wanted[]): Promise<void> {
  const { random, app } = run
  if (random.bool(0.3)) await anvil.ask('anvil_reorg', random.between(1, deepest), [])
  if (random.bool(0.3)) await anvil.ask('anvil_dropAllTransactions')
  const regretted = wanted[random.below(wanted.length)]
  if (regretted !== undefined && random.bool(0.1))
    await cancelPayout(app, null, regretted.id).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
    })
  if (random.bool(0.8)) await timePasses(run)
}
