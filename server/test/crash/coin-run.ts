import { cancelPayout } from '../../src/app/payouts/cancel-payout.ts'
import { ServiceError } from '../../src/domain/errors.ts'
import { randomOf } from '../simulation/random.ts'
import type { CoinNode } from '../support/nodes/coin-node.ts'
import type { Children } from './children.ts'
import { coinJudge } from './coin-judge.ts'
import { coinGateId, type FundedOnCoins } from './coin-scenario.ts'
import { mishaps } from './mishaps.ts'
import { followNode } from './node-scenario.ts'
import { at, type Outcome } from './run.ts'
import { end, type Run, start } from './running.ts'
import { approve, ask, type Wanted } from './scenario.ts'
import { timePasses } from './stage.ts'

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
    let waiting: readonly Wanted[] = wanted
    for (let falls = random.between(2, 3); falls > 0; falls--) {
      const now = waiting.filter(() => random.bool(0.7))
      waiting = waiting.filter((payout) => !now.includes(payout))
      await approve(app, now)
      await mishaps[random.weighted({ one: 6, two: 3, stopped: 2 })](run)
      await meanwhile(funded.node, run, wanted)
    }
    await approve(app, waiting)
    return wanted
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
    if (point !== null) await end(run, await start(run, { fall: { at: point, signal: 'SIGKILL' } }))
    await timePasses(run)
    return wanted
  })
}

async function onCoins(
  funded: FundedOnCoins,
  children: Children,
  seed: number,
  work: (run: Run) => Promise<readonly Wanted[]>,
): Promise<Outcome> {
  const { node, place, height } = funded
  await followNode(place, coinGateId)
  // So that no reorganisation reaches below the blocks that every run begins with.
  await node.mine(deepest + 1)
  try {
    return await at(place, children, randomOf(seed), work, coinJudge(funded))
  } finally {
    await node.ask('invalidateblock', await node.ask('getblockhash', height + 1))
    await forget(node)
  }
}

/** What happens while no process runs: a reorganisation, a node that forgets its mempool, a cancellation, time. */
async function meanwhile(node: CoinNode, run: Run, wanted: readonly Wanted[]): Promise<void> {
  const { random, app } = run
  if (random.bool(0.4)) await reorganise(node, random.between(1, deepest), random.bool(0.5))
  if (random.bool(0.3)) await forget(node)
  const regretted = wanted[random.below(wanted.length)]
  if (regretted !== undefined && random.bool(0.1))
    await cancelPayout(app, null, regretted.id).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
    })
  if (random.bool(0.8)) await timePasses(run)
}

/** Replaces the last blocks by one block more, with their transactions (in whatever block they end up) or without. */
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
