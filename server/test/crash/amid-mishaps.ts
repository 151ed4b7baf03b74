import { cancelPayout } from '../../src/app/payouts/cancel-payout.ts'
import { ServiceError } from '../../src/domain/errors.ts'
import { mishaps } from './mishaps.ts'
import { end, type Run, start } from './running.ts'
import { approve, type Wanted } from './scenario.ts'
import { timePasses } from './stage.ts'

/**
 * Approves the payouts a few at a time. After each time processes crash on them, and while none runs, `disturb` changes the
 * chain, a payout may be cancelled, and time may pass.
 */
export async function approveAmidMishaps(
  run: Run,
  wanted: readonly Wanted[],
  disturb: () => Promise<unknown>,
): Promise<readonly Wanted[]> {
  const { random, app } = run
  let waiting = wanted
  for (let falls = random.between(2, 3); falls > 0; falls--) {
    const now = waiting.filter(() => random.bool(0.7))
    waiting = waiting.filter((payout) => !now.includes(payout))
    await approve(app, now)
    await mishaps[random.weighted({ one: 6, two: 3, stopped: 2 })](run)
    await disturb()
    await regretOne(run, wanted)
    if (random.bool(0.8)) await timePasses(run)
  }
  await approve(app, waiting)
  return wanted
}

/** Kills a process at exactly this point of its run, if one is given; then time passes. */
export async function killAt(run: Run, point: number | null): Promise<void> {
  if (point !== null) await end(run, await start(run, { fall: { at: point, signal: 'SIGKILL' } }))
  await timePasses(run)
}

async function regretOne({ random, app }: Run, wanted: readonly Wanted[]): Promise<void> {
  const regretted = wanted[random.below(wanted.length)]
  if (regretted === undefined || !random.bool(0.1)) return
  await cancelPayout(app, null, regretted.id).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error
  })
}
