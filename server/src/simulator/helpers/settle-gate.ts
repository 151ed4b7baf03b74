import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '../../app/app.ts'
import { doJobs } from '../../app/chain/do-jobs.ts'
import { followInTurn } from '../../app/chain/follow-in-turn.ts'
import { expireDue } from '../../app/invoices/expire-due.ts'
import { recheckEnded } from '../../app/spends/settling/recheck-ended.ts'
import { OutageError } from '../../domain/errors.ts'
import type { Gate } from '../../gates/gate.ts'

export const longestMs = 20_000
const pauseMs = 10

/**
 * Returns true once everything on the gate's chain is visible through the API, and false when that takes too long. Follows
 * the chain and runs the jobs itself, so that no worker needs to run; waits for jobs that a worker already has.
 *
 * The caller's action is already done at this point. If an outage were reported as a failure, the client would repeat the
 * action, and pay, mine or reorganise twice. So an outage only ends the wait, and the worker does the rest later.
 */
export function settleGate(app: App, gate: Gate): Promise<boolean> {
  return within(longestMs, async () => {
    const { outcome, isAtEnd } = await followInTurn(app, gate, { evenIfHeld: true })
    // Whichever process advances the chain must recheck ended spends: a worker that finds nothing new does not.
    if (outcome === 'advanced') await recheckEnded(app, gate)
    if (!isAtEnd && outcome !== 'idle' && outcome !== 'halted') return false
    if ((await expireDue(app)) === 0 && !(await app.store.jobs.isOpen(gate.id))) return true
    await doJobs(app)
    return !(await app.store.jobs.isOpen(gate.id))
  })
}

/** Runs `step` until it returns true. Returns false when that takes too long, or on an outage. */
export async function within(limitMs: number, step: () => Promise<boolean>): Promise<boolean> {
  const endMs = performance.now() + limitMs
  try {
    while (!(await step())) {
      if (performance.now() > endMs) return false
      await delay(pauseMs)
    }
    return true
  } catch (error) {
    if (error instanceof OutageError) return false
    throw error
  }
}
