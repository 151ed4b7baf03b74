import type { Operations } from '@sluice/web/contract'
import type { App } from '../../../app/app.ts'
import type { OfferLister } from '../../../app/checkout/list-offers.ts'
import type { CheckoutOpener } from '../../../app/checkout/open-checkout.ts'
import { simulatePayment } from '../../../app/checkout/simulate-payment.ts'
import { activateInvoice } from '../../../app/invoices/activate-invoice.ts'
import { changeAsset } from '../../../app/invoices/change-asset.ts'
import type { Visit } from '../../../store/invoices/visits.ts'
import type { CheckoutHub } from '../../checkout/hub.ts'
import type { InputOf, OperationIdUnder } from '../../contract.ts'
import { EventStream } from '../../event-stream.ts'
import { clientOf } from '../../rate-limit/client.ts'
import { type DataOf, ok, type Reply, Streamed } from '../../reply.ts'
import { type CheckoutViewer, checkoutOfferView, checkoutTokenView } from './view.ts'

type CheckoutOperationId = OperationIdUnder<Operations, '/checkout-api/'>

type Answer<Id extends CheckoutOperationId> =
  | Reply<DataOf<Operations[Id]['responses']>>
  | (Id extends 'followCheckout' ? Streamed : never)

/** One handler for every operation of the payment page; each gets the visit that the page's token opened. */
export type CheckoutHandlers = {
  readonly [Id in CheckoutOperationId]: (
    request: InputOf<Operations[Id]['request']> & { readonly visit: Visit },
  ) => Answer<Id> | Promise<Answer<Id>>
}

export function checkout(parts: {
  app: App
  opener: CheckoutOpener
  listOffers: OfferLister
  view: CheckoutViewer
  hub: CheckoutHub
}): CheckoutHandlers {
  const { app, opener, listOffers, view, hub } = parts
  return {
    getCheckout: ({ visit }) => ok(view(visit)),
    followCheckout: ({ visit }) =>
      new Streamed((request, reply) => {
        if (request.method === 'HEAD') new EventStream(reply).end()
        else hub.follow(visit, clientOf(request), reply)
      }),
    renewCheckoutToken: ({ visit }) => ok(checkoutTokenView(visit.invoice, app.now(), visit)),
    listCheckoutAssets: async ({ visit: { invoice } }) =>
      ok((await listOffers(invoice)).map((offer) => checkoutOfferView(offer, invoice.fiatCurrency))),
    chooseCheckoutAsset: async ({ visit: { invoice }, body }) => {
      const { instead_of: from, ...to } = body
      if (from === undefined) await activateInvoice(app, invoice, invoice.id, to)
      else await changeAsset(app, invoice, invoice.id, { from, to })
      return ok(view(await opener.byId(invoice.id)))
    },
    simulateCheckoutPayment: async ({ visit, body }) => {
      await simulatePayment(app, visit, body.action)
      return ok(view(await opener.byId(visit.invoice.id)))
    },
  }
}
