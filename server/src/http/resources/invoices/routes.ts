import type { NewInvoice } from '@sluice/sdk/contract'
import type { App } from '../../../app/app.ts'
import { cancelInvoice } from '../../../app/invoices/cancel-invoice.ts'
import { invoiceCreator } from '../../../app/invoices/create-invoice.ts'
import type { InvoiceRequest } from '../../../app/invoices/draft-invoice.ts'
import { invoiceGetter } from '../../../app/invoices/get-invoice.ts'
import { created, type Handlers, ok, okCursorPage, replayed } from '../../reply.ts'
import { currencyFrom, fiatFrom, narrowingFrom } from '../list-filters.ts'
import { includedBy, refundsOf, withIncluded } from './included.ts'
import { type InvoiceViewer, invoiceWithPaymentsView } from './view.ts'

export function invoices(
  app: App,
  view: InvoiceViewer,
): Pick<Handlers, 'createInvoice' | 'listInvoices' | 'getInvoice' | 'cancelInvoice'> {
  const create = invoiceCreator(app)
  const get = invoiceGetter(app)
  return {
    createInvoice: async ({ caller, body }) => {
      const { invoice, replayed: isReplay } = await create(caller, requestFrom(body), { ...body })
      const reply = created(view(invoice))
      return isReplay ? replayed(reply) : reply
    },
    listInvoices: async ({ caller, query }) => {
      const fiat = fiatFrom(query)
      // An amount in fiat is a price, not an amount of any asset.
      const { amount_min: _least, amount_max: _most, ...others } = query
      const isPrice = fiat !== null && query.currency === undefined
      const filter = {
        limit: query.limit,
        offset: query.offset,
        status: query.status ?? null,
        currency: currencyFrom(query),
        externalId: query.external_id ?? null,
        fiat,
        narrowing: narrowingFrom(app, isPrice ? others : query),
      }
      const included = includedBy(caller, query, ['payments', 'refunds'])
      const page = await app.reading(async (store) => {
        const { rows, ...found } = await store.invoices.list(caller, filter)
        return { ...found, rows: await withIncluded(app, store, caller, included, rows, view) }
      })
      return okCursorPage(page, query, (invoice) => invoice)
    },
    getInvoice: async ({ caller, path, query }) => {
      const included = includedBy(caller, query, ['refunds'])
      const invoice = invoiceWithPaymentsView(app.assets, view, await get(caller, path.invoiceID))
      if (!included.has('refunds')) return ok(invoice)
      const refunds = await refundsOf(app, app.store, caller, [invoice.id])
      return ok({ ...invoice, refunds: refunds(invoice.id) })
    },
    cancelInvoice: async ({ caller, path }) => ok(view(await cancelInvoice(app, caller, path.invoiceID))),
  }
}

function requestFrom(body: NewInvoice): InvoiceRequest {
  return {
    currency: body.currency ?? null,
    network: body.network ?? null,
    amount: body.amount ?? null,
    amountFiat: body.amount_fiat ?? null,
    fiatCurrency: body.fiat_currency ?? null,
    deferred: body.deferred ?? null,
    description: body.description ?? null,
    externalId: body.external_id ?? null,
    metadata: body.metadata ?? null,
    redirectUrl: body.redirect_url ?? null,
    expiresIn: body.expires_in ?? null,
    idempotencyKey: body.idempotency_key ?? null,
  }
}
