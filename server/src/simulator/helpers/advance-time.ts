import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '../../app/app.ts'
import { doJobs } from '../../app/chain/do-jobs.ts'
import { expireDue } from '../../app/invoices/expire-due.ts'
import { type Advance, advanceClock } from '../../app/test-clock/advance-clock.ts'
import type { Caller } from '../../domain/caller.ts'
import type { ClockMove } from '../../store/test-clocks.ts'
import { longestMs, settleGate, within } from './settle-gate.ts'

/**
 * Moves the caller's test clock, and returns once the invoices that this made due are assessed: those that wait for no real
 * node. Payouts and webhooks are the workers'. A repeated request waits again, in case the first one was cut off.
 */
export async function advanceTime(
  app: App,
  caller: Caller,
  advance: Advance,
  body: Readonly<Record<string, unknown>>,
): Promise<{ readonly move: ClockMove; readonly replayed: boolean }> {
  const moved = await advanceClock(app, caller, advance, body)
  if (moved.move.brought.invoices === 0) return moved
  // Times of scans are whole milliseconds: one in the millisecond of the move does not count as later, and ends no window.
  await delay(2)
  const simulated = app.gates
    .list()
    .filter((gate) => gate.environment === caller.environment && gate.simulated !== null)
  // The clock has moved already: an outage from here on only ends the wait.
  await within(longestMs, async () => {
    const due = new Set(await app.store.testClocks.gatesOfDueInvoices(caller))
    for (const gate of simulated) if (due.has(gate.id)) await settleGate(app, gate)
    return true
  })
  await within(longestMs, async () => {
    await expireDue(app)
    await doJobs(app)
    const due = new Set(await app.store.testClocks.gatesOfDueInvoices(caller))
    return !due.has(null) && !simulated.some(({ id }) => due.has(id))
  })
  return moved
}
