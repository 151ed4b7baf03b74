import type { App } from '../../../app/app.ts'
import { changeFees, type Fees } from '../../../app/merchants/change-fees.ts'
import { openMerchant } from '../../../app/merchants/open-merchant.ts'
import { readSettings } from '../../../app/merchants/read-settings.ts'
import { listAlerts } from '../../../app/operator/list-alerts.ts'
import { listGates } from '../../../app/operator/list-gates.ts'
import { releasePayment } from '../../../app/suspense/release-payment.ts'
import { type ValuedPayment, valueForOperator } from '../../../app/suspense/value-held.ts'
import { actorIn } from '../../../domain/people.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { created, ok, okPage } from '../../reply.ts'
import { timeFrom } from '../values.ts'
import { operatorSuspenseView } from './suspense-view.ts'
import { alertView, gateView, merchantView } from './view.ts'

/** What an operator sees and sets for all merchants. */
export function dashboardOperator(
  app: App,
): Pick<
  DashboardHandlers,
  | 'listOperatorGates'
  | 'listOperatorAlerts'
  | 'listOperatorSuspense'
  | 'releaseSuspense'
  | 'listMerchants'
  | 'createMerchant'
  | 'updateMerchantFees'
> {
  return {
    listOperatorGates: async () => ok((await listGates(app)).map(gateView)),
    listOperatorAlerts: async () => ok((await listAlerts(app)).map(alertView)),
    listOperatorSuspense: async ({ query }) => {
      const { environment, reason = null, tx_hash: txHash = null, limit, offset } = query
      const seen = { seenAfter: timeFrom(query.seen_after), seenBefore: timeFrom(query.seen_before) }
      const filter = { reason, invoiceId: null, txHash, ...seen, limit, offset }
      const page = await app.store.suspense.listAll(environment, filter)
      return okPage({ ...page, rows: await valueForOperator(app, page.rows) }, query, (payment) =>
        operatorSuspenseView(app.assets, payment),
      )
    },
    releaseSuspense: async ({ person, path, body }) => {
      const released = await releasePayment(app, actorIn(person), {
        paymentId: path.paymentID,
        merchantId: body.merchant_id,
        note: body.note.trim(),
      })
      const [payment] = await valueForOperator(app, [released])
      return ok(operatorSuspenseView(app.assets, payment as ValuedPayment))
    },
    listMerchants: async ({ query }) =>
      okPage(await app.store.merchants.listPage(query), query, merchantView),
    createMerchant: async ({ person, body }) => {
      const { name, base_currency: baseCurrency } = body
      const { merchantId } = await openMerchant(app, actorIn(person), {
        name,
        settings: { ...feesFrom(body), ...(baseCurrency !== undefined && { baseCurrency }) },
      })
      return created(merchantView((await readSettings(app, merchantId)).merchant))
    },
    updateMerchantFees: async ({ person, path, body }) =>
      ok(merchantView(await changeFees(app, actorIn(person), path.merchantID, feesFrom(body)))),
  }
}

function feesFrom(body: {
  readonly fee_bps?: number
  readonly payout_fee_bps?: number
  readonly refund_fee_bps?: number
}): Partial<Fees> {
  return {
    ...(body.fee_bps !== undefined && { feeBps: body.fee_bps }),
    ...(body.payout_fee_bps !== undefined && { payoutFeeBps: body.payout_fee_bps }),
    ...(body.refund_fee_bps !== undefined && { refundFeeBps: body.refund_fee_bps }),
  }
}
