import { randomOf } from '../simulation/random.ts'
import { approveAmidMishaps, killAt } from './amid-mishaps.ts'
import type { Children } from './children.ts'
import { at, type Outcome } from './run.ts'
import type { Run } from './running.ts'
import { approve, ask, type Wanted } from './scenario.ts'
import { solanaJudge } from './solana-judge.ts'
import { askManyOnSolana, type FundedOnSolana, fundOnSolana, type SolanaStage } from './solana-scenario.ts'

// Destinations come from the seed, and no two runs on a node may share one.
const pointSeeds = 1_000_000
// Of the answers to transactions that were sent, this many are lost; and of the transactions themselves.
const lost = { answer: 0.2, request: 0.1 }

/** Runs one seed on a real node, with random mishaps, and judges the result. */
export async function runSeedOnSolana(
  stage: SolanaStage,
  children: Children,
  seed: number,
): Promise<Outcome> {
  return onSolana(stage, children, seed, async (run, funded) => {
    const { random, app } = run
    const wanted = await askManyOnSolana(app, funded, random)
    if (random.bool(0.5)) loseSome(stage, seed)
    return approveAmidMishaps(run, wanted, async () => {})
  })
}

/**
 * Requests payouts of SOL and of a token that need a sweep first, and one that the signer refuses, on a wallet without nonce
 * accounts; kills the process at one point, and judges the result of the next process.
 */
export async function runPointOnSolana(
  stage: SolanaStage,
  children: Children,
  point: number | null,
): Promise<Outcome> {
  return onSolana(stage, children, pointSeeds + (point ?? 0), async (run, funded) => {
    const wanted: Wanted[] = []
    const pay = async (currency: 'SOL' | 'USDC', amount: string, isRefused = false) => {
      wanted.push(await ask(run.app, funded, run.random, currency, amount, { isRefused }))
    }
    for (const amount of ['1.5', '0.11']) await pay('SOL', amount)
    await pay('SOL', '2.6', true)
    for (const amount of ['320.5', '11']) await pay('USDC', amount)
    await approve(run.app, wanted)
    await killAt(run, point)
    return wanted
  })
}

async function onSolana(
  stage: SolanaStage,
  children: Children,
  seed: number,
  work: (run: Run, funded: FundedOnSolana) => Promise<readonly Wanted[]>,
): Promise<Outcome> {
  const funded = await fundOnSolana(stage)
  const usual = { mayRefuse: true }
  try {
    return await at(
      funded.place,
      children,
      randomOf(seed),
      (run) => work(run, funded),
      solanaJudge(funded),
      usual,
    )
  } finally {
    stage.proxy.fault = null
    await funded.place.remove()
  }
}

/** Loses some of the transactions on the way to the node, and some of its answers to them. */
function loseSome({ proxy }: SolanaStage, seed: number): void {
  const random = randomOf(seed)
  proxy.fault = async ({ methods, ask: forward }) => {
    if (!methods.includes('sendTransaction')) return forward()
    if (random.bool(lost.request)) return 'cut'
    const answer = await forward()
    return random.bool(lost.answer) ? 'cut' : answer
  }
}
