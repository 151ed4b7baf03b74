import type { App } from '../../../app/app.ts'
import { cancelPayout } from '../../../app/payouts/cancel-payout.ts'
import { payoutCreator } from '../../../app/payouts/create-payout.ts'
import { payoutDrafter } from '../../../app/payouts/draft-payout.ts'
import { getPayout } from '../../../app/payouts/get-payout.ts'
import { refundCreator } from '../../../app/refunds/create-refund.ts'
import { getRefund } from '../../../app/refunds/get-refund.ts'
import { created, type Handlers, ok, okCursorPage, replayed } from '../../reply.ts'
import { currencyFrom, narrowingFrom } from '../list-filters.ts'
import { orderFrom, requestFrom, requireOwnKeys } from './order-from.ts'
import { refundView } from './refund-view.ts'
import { payoutResultView, payoutView } from './view.ts'

/** Money out: payouts, and refunds, which are executed as payouts. */
export function payouts(
  app: App,
): Pick<
  Handlers,
  | 'createPayout'
  | 'createPayouts'
  | 'listPayouts'
  | 'getPayout'
  | 'cancelPayout'
  | 'createRefund'
  | 'listRefunds'
  | 'getRefund'
> {
  const draft = payoutDrafter(app)
  const create = payoutCreator(app, draft)
  const refund = refundCreator(app, draft)
  return {
    createPayout: async ({ caller, body }) => {
      const made = await create.one(caller, orderFrom(body))
      const reply = created(payoutView(app.assets, made.payout))
      return made.replayed ? replayed(reply) : reply
    },
    createPayouts: async ({ caller, body }) => {
      requireOwnKeys(body.payouts)
      const results = await create.many(caller, body.payouts.map(orderFrom))
      return ok(results.map((result) => payoutResultView(app.assets, result)))
    },
    listPayouts: async ({ caller, query }) => {
      const { limit, offset, status = null } = query
      const filter = {
        limit,
        offset,
        status,
        currency: currencyFrom(query),
        narrowing: narrowingFrom(app, query),
      }
      return okCursorPage(await app.reading((store) => store.payouts.list(caller, filter)), query, (payout) =>
        payoutView(app.assets, payout),
      )
    },
    getPayout: async ({ caller, path }) =>
      ok(payoutView(app.assets, await getPayout(app, caller, path.payoutID))),
    cancelPayout: async ({ caller, path }) =>
      ok(payoutView(app.assets, await cancelPayout(app, caller, path.payoutID))),

    createRefund: async ({ caller, headers, body }) => {
      const request = { ...requestFrom(body), invoiceId: body.invoice_id }
      const key = headers['Idempotency-Key'] ?? null
      const made = await refund(caller, request, { key, body: { ...body } })
      const reply = created(refundView(app.assets, made.refund))
      return made.replayed ? replayed(reply) : reply
    },
    listRefunds: async ({ caller, query }) => {
      const { limit, offset, invoice_id: invoiceId = null } = query
      const filter = {
        limit,
        offset,
        invoiceId,
        currency: currencyFrom(query),
        narrowing: narrowingFrom(app, query),
      }
      return okCursorPage(await app.reading((store) => store.refunds.list(caller, filter)), query, (refund) =>
        refundView(app.assets, refund),
      )
    },
    getRefund: async ({ caller, path }) =>
      ok(refundView(app.assets, await getRefund(app, caller, path.refundID))),
  }
}
