import { randomOf } from '../simulation/random.ts'
import { approveAmidMishaps, killAt } from './amid-mishaps.ts'
import type { Children } from './children.ts'
import { nodeJudge } from './node-judge.ts'
import { askManyOnNode, type FundedOnNode, followNode } from './node-scenario.ts'
import { at, type Outcome } from './run.ts'
import type { Run } from './running.ts'
import { approve, ask, type Wanted } from './scenario.ts'

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
    return approveAmidMishaps(run, wanted, () => disturb(funded, run))
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
    await killAt(run, point)
    return wanted
  })
}

export async function onNode(
  funded: FundedOnNode,
  children: Children,
  seed: number,
  work: (run: Run) => Promise<readonly Wanted[]>,
  judgeAll = nodeJudge(funded),
): Promise<Outcome> {
  const { anvil, place } = funded
  await followNode(place)
  const before = await anvil.ask('evm_snapshot')
  // The node cannot revert to a block that was reorganised away.
  await anvil.mine(deepest + 1)
  try {
    return await at(place, children, randomOf(seed), work, judgeAll)
  } finally {
    await anvil.ask('anvil_dropAllTransactions')
    await anvil.ask('evm_revert', before)
  }
}

/** A reorganisation, and a node that forgets its mempool, each now and then. */
async function disturb({ anvil }: FundedOnNode, { random }: Run): Promise<void> {
  if (random.bool(0.3)) await anvil.ask('anvil_reorg', random.between(1, deepest), [])
  if (random.bool(0.3)) await anvil.ask('anvil_dropAllTransactions')
}
