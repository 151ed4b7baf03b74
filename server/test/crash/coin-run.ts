import { randomOf } from '../simulation/random.ts'
import type { CoinNode } from '../support/nodes/coin-node.ts'
import { approveAmidMishaps, killAt } from './amid-mishaps.ts'
import type { Children } from './children.ts'
import { coinJudge } from './coin-judge.ts'
import { coinGateId, type FundedOnCoins } from './coin-scenario.ts'
import { followNode } from './node-scenario.ts'
import { at, type Outcome } from './run.ts'
import type { Run } from './running.ts'
import { approve, ask, type Wanted } from './scenario.ts'

const deepest = 2
const bech32Prefix = 'bcrt'

/** Runs one seed on a real Bitcoin node, with random mishaps, and judges the result. */
export async function runSeedOnCoins(
  funded: FundedOnCoins,
  children: Children,
  seed: number,
): Promise<Outcome> {
  return onCoins(funded, children, seed, async (run) => {
    const { random, app } = run
    const wanted: Wanted[] = []
    for (let more = random.between(3, 5); more > 0; more--)
      wanted.push(await ask(app, funded, random, 'BTC', `0.${random.between(11, 16)}`, { bech32Prefix }))
    wanted.push(await ask(app, funded, random, 'BTC', '0.05', { isRefund: true, bech32Prefix }))
    return approveAmidMishaps(run, wanted, () => disturb(funded.node, run))
  })
}

/** Requests two payouts, kills the process at one point, and judges the result of the next process. */
export async function runPointOnCoins(
  funded: FundedOnCoins,
  children: Children,
  point: number | null,
): Promise<Outcome> {
  return onCoins(funded, children, 11, async (run) => {
    const wanted: Wanted[] = []
    for (const amount of ['0.31', '0.12'])
      wanted.push(await ask(run.app, funded, run.random, 'BTC', amount, { bech32Prefix }))
    await approve(run.app, wanted)
    await killAt(run, point)
    return wanted
  })
}

export async function onCoins(
  funded: FundedOnCoins,
  children: Children,
  seed: number,
  work: (run: Run) => Promise<readonly Wanted[]>,
  judgeAll = coinJudge(funded),
): Promise<Outcome> {
  const { node, place, height } = funded
  await followNode(place, coinGateId)
  // So that no reorganisation reaches below the blocks that every run begins with.
  await node.mine(deepest + 1)
  try {
    return await at(place, children, randomOf(seed), work, judgeAll)
  } finally {
    await node.ask('invalidateblock', await node.ask('getblockhash', height + 1))
    await forget(node)
  }
}

/** A reorganisation, and a node that forgets its mempool, each now and then. */
async function disturb(node: CoinNode, { random }: Run): Promise<void> {
  if (random.bool(0.4)) await reorganise(node, random.between(1, deepest), random.bool(0.5))
  if (random.bool(0.3)) await forget(node)
}

/** Replaces the last blocks by one block more, with their transactions (in any of them) or without. */
async function reorganise(node: CoinNode, depth: number, isEmpty: boolean): Promise<void> {
  const top: number = await node.ask('getblockcount')
  await node.ask('invalidateblock', await node.ask('getblockhash', top - depth + 1))
  if (!isEmpty) await node.mine(depth + 1)
  else for (let made = 0; made <= depth; made++) await node.mineExactly([])
}

/** Restarts the node with an empty mempool. */
async function forget(node: CoinNode): Promise<void> {
  await node.stop()
  await node.start('-persistmempool=0')
}
