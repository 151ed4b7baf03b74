import type { App } from '../app.ts'
import { orNothing } from './or-nothing.ts'

/**
 * Shows that a chain brought news about invoices. One block may concern many, so it is a trace of its own, linked to the
 * requests that created them.
 */
export async function traceSighting(
  app: Pick<App, 'tracer' | 'store'>,
  gateId: string,
  invoiceIds: readonly string[],
  times: { readonly from: Date; readonly to: Date },
): Promise<void> {
  if (!app.tracer.isOn || invoiceIds.length === 0) return
  const contexts = await orNothing(app.store.traces.ofInvoices(invoiceIds), new Map())
  const links = [...contexts.values()]
  if (links.length === 0) return
  app.tracer.start('payments seen', {
    links,
    attributes: { 'sluice.gate': gateId },
    from: times.from,
    to: times.to,
  })
}
