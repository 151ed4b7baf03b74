import type { App } from '../app.ts'

const maxAtOnce = 500

/**
 * Asks for the assessment of invoices that the clock alone may change: their window is over by the database's clock, and
 * their chain was looked at since. Whether they expire is decided there. Returns how many there were.
 */
export async function expireDue(app: Pick<App, 'store'>): Promise<number> {
  const due = await app.store.invoices.findDue(maxAtOnce)
  await app.store.jobs.ask('assess_invoice', due, null)
  return due.length
}
