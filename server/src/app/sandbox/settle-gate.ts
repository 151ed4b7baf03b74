import { setTimeout as delay } from 'node:timers/promises'
import { OutageError } from '../../domain/errors.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { doJobs } from '../chain/do-jobs.ts'
import { followChain } from '../chain/follow-chain.ts'
import { expireDue } from '../invoices/expire-due.ts'
import { recheckEnded } from '../spends/recheck-ended.ts'

export const longestMs = 20_000
const pauseMs = 10

/**
 * Returns when everything the gate's chain holds now is visible through the API, or when that takes too long. Does the work
 * itself, so that no worker has to be running; what a worker is at already is waited for.
 *
 * What led here is done by then: who were told that it failed would do it again, and pay, mine or reorganise twice. So an
 * outage only ends the wait, and the worker makes visible what is not yet.
 */
export async function settleGate(app: App, gate: Gate): Promise<void> {
  await within(longestMs, async () => {
    const outcome = await followChain(app, gate, { evenIfHeld: true })
    // Whoever goes on with the chain looks at what its new end leaves behind: a worker that finds nothing new does not.
    if (outcome === 'advanced') await recheckEnded(app, gate)
    if (outcome !== 'idle' && outcome !== 'halted') return false
    await expireDue(app)
    await doJobs(app)
    return !(await app.store.jobs.isOpen(gate.id))
  })
}

/** Runs `step` until it says that it is done. False when that takes too long, or what it needs does not answer. */
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
