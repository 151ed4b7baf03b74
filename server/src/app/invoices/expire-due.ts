import type { App } from '../app.ts'

const maxAtOnce = 500

/**
 * Queues invoices for assessment that the clock alone may change: their window has ended by the database's clock, and their
 * chain was scanned since. The assessment decides whether they expire. Returns how many were queued.
 */
export async function expireDue(app: Pick<App, 'store'>): Promise<number> {
  const due = await app.store.invoices.findDue(maxAtOnce)
  await app.store.jobs.ask('assess_invoice', due, null)
  return due.length
}
