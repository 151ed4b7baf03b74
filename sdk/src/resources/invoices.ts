import type { Answer, Call, CallOptions, IdempotentCallOptions, QueryOf, Rows } from '../call.ts'
import type { Invoice, InvoiceWithIncluded, InvoiceWithPayments, NewInvoice } from '../contract.generated.ts'
import { rowsFrom } from '../pages.ts'

export type Invoices = {
  /**
   * Creates an invoice. Adds an idempotency key if there is none, so that a request whose answer was lost can be sent
   * again without creating a second invoice.
   */
  create(invoice: NewInvoice, options?: IdempotentCallOptions): Promise<Invoice>
  /** With its payments on the chain, and with its refunds if `include` names them. */
  get(id: string, options?: CallOptions & QueryOf<'getInvoice'>): Promise<InvoiceWithPayments>
  /** Cancels an invoice without any payment seen on the chain. */
  cancel(id: string, options?: CallOptions): Promise<Invoice>
  /** One page of invoices, newest first. */
  list(query?: QueryOf<'listInvoices'>, options?: CallOptions): Promise<Answer<'listInvoices'>>
  /** Every invoice that matches, newest first. */
  all(query?: QueryOf<'listInvoices'>, options?: CallOptions): Rows<InvoiceWithIncluded>
}

export function invoicesOf(request: Call): Invoices {
  const list: Invoices['list'] = (query = {}, call = {}) => request('listInvoices', { ...call, query })
  return {
    create: async (invoice, call = {}) => {
      const idempotencyKey = call.idempotencyKey ?? invoice.idempotency_key ?? globalThis.crypto.randomUUID()
      return (await request('createInvoice', { ...call, idempotencyKey, body: invoice })).data
    },
    get: async (id, { include, ...call } = {}) => {
      const query = include === undefined ? {} : { include }
      return (await request('getInvoice', { ...call, path: { invoiceID: id }, query })).data
    },
    cancel: async (id, call = {}) =>
      (await request('cancelInvoice', { ...call, path: { invoiceID: id } })).data,
    list,
    all: (query = {}, call = {}) => rowsFrom(query, (page) => list(page, call)),
  }
}
