import type { App } from '../../../app/app.ts'
import { tellInvoice } from '../../../app/history/tell-invoice.ts'
import { tellPayout, tellRefund } from '../../../app/history/tell-payout.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { ok } from '../../reply.ts'
import { timelineView } from './view.ts'

/** What happened to one invoice, payout or refund. */
export function dashboardTimelines(
  app: App,
): Pick<DashboardHandlers, 'getInvoiceTimeline' | 'getPayoutTimeline' | 'getRefundTimeline'> {
  return {
    getInvoiceTimeline: async ({ caller, path }) =>
      ok(timelineView(app.assets, await tellInvoice(app, caller, path.invoiceID), caller.environment)),
    getPayoutTimeline: async ({ caller, path }) =>
      ok(timelineView(app.assets, await tellPayout(app, caller, path.payoutID), caller.environment)),
    getRefundTimeline: async ({ caller, path }) =>
      ok(timelineView(app.assets, await tellRefund(app, caller, path.refundID), caller.environment)),
  }
}
