import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '../../app/app.ts'
import { doJobs } from '../../app/chain/do-jobs.ts'
import { expireDue } from '../../app/invoices/expire-due.ts'
import { noSuchInvoice } from '../../app/invoices/get-invoice.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Invoice } from '../../domain/invoices.ts'
import { longestMs, settleGate, within } from './settle-gate.ts'

/**
 * Ends an open invoice's window now, and returns the invoice once it has been assessed: expired, unless a payment seen in
 * time may still settle it.
 */
export async function endWindow(app: App, caller: Caller, id: string): Promise<Invoice> {
  const invoice = await app.transaction(async (tx) => {
    const held = await tx.invoices.lock(caller, id)
    if (held === null) throw noSuchInvoice()
    const { status, expiresAt } = held.invoice
    if (status !== 'pending' && status !== 'underpaid')
      throw new ServiceError('conflict', `Only an open invoice has a window to end; this one is ${status}.`)
    if (expiresAt === null)
      throw new ServiceError('conflict', 'The invoice of a static address has no window to end.')
    if (expiresAt <= held.now)
      throw new ServiceError('conflict', 'The window of this invoice has already ended.')
    await tx.invoices.endWindow(id)
    return held.invoice
  })
  const gate = invoice.asset === null ? null : app.gates.find(invoice.asset.gateId)
  // Times of scans are whole milliseconds: one in the same millisecond does not count as later, and ends no window.
  await delay(2)
  if (gate !== null) await settleGate(app, gate)
  // A worker may already be assessing it: then wait for that.
  await within(longestMs, async () => {
    await expireDue(app)
    await doJobs(app)
    return !(await app.store.jobs.isAsked('assess_invoice', id))
  })
  const after = await app.store.invoices.find(caller, id)
  if (after === null) throw noSuchInvoice()
  return after
}
