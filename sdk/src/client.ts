import type { Answer, Call, CallOptions, QueryOf } from './call.ts'
import type {
  Event,
  EventWithDeliveries,
  Invoice,
  InvoiceWithPayments,
  LedgerEntry,
  NewInvoice,
  NewlyMadeWebhookEndpoint,
  NewPayout,
  NewRefund,
  NewStaticAddress,
  NewWebhookEndpoint,
  Payout,
  RedeliverEvent,
  RedeliverEvents,
  RedeliveredEvents,
  Refund,
  StaticAddress,
  WebhookEndpoint,
} from './contract.generated.ts'
import { operations } from './operations.generated.ts'
import { allRows, largestPage, rowsAfter } from './pages.ts'
import { realTiming, type Timing } from './retry.ts'
import type { Route, RouteInput } from './route.ts'
import { createTransport, type SluiceOptions } from './transport.ts'

export type { Answer, Call, CallInput, CallOptions, OperationId } from './call.ts'
export type {
  Balance,
  Currency,
  Delivery,
  DeliveryAttempt,
  Environment,
  ErrorCode,
  Event,
  EventName,
  EventWithDeliveries,
  Invoice,
  InvoiceStatus,
  InvoiceWithPayments,
  LedgerEntry,
  NewInvoice,
  NewlyMadeWebhookEndpoint,
  NewPayout,
  NewRefund,
  NewStaticAddress,
  NewWebhookEndpoint,
  Pagination,
  Payment,
  Payout,
  PayoutStatus,
  Rate,
  Refund,
  RefundStatus,
  StaticAddress,
  WebhookEndpoint,
} from './contract.generated.ts'
export { SluiceConnectionError, SluiceError, type SluiceErrorCode } from './errors.ts'
export type { Timing } from './retry.ts'
export type { SluiceOptions } from './transport.ts'

/** Codes to filter by: one, several, or several in one string separated by commas. */
export type Codes = string | readonly string[]

export type RateFilter = {
  readonly currency?: Codes | undefined
  readonly fiat_currency?: Codes | undefined
}

/**
 * The API by resource. A single resource is returned as itself; a list as `{ data, requestId }`, with `pagination` if
 * the contract pages it. Every method rejects with a `SluiceError` when the service refuses, a `SluiceConnectionError`
 * when no answer arrives, the signal's reason when it aborts, and a `TypeError` when the call itself is invalid.
 */
export type Sluice = {
  /** Any operation of the contract by its id, with the whole answer: data, request id, pagination. */
  readonly request: Call
  readonly currencies: {
    /** Every currency with its networks. Needs no key. */
    list(query?: QueryOf<'listCurrencies'>, options?: CallOptions): Promise<Answer<'listCurrencies'>>
  }
  readonly rates: {
    /** The fiat price of one unit of each currency. Needs no key. An empty list of codes matches nothing. */
    list(filter?: RateFilter, options?: CallOptions): Promise<Answer<'listRates'>>
  }
  readonly invoices: {
    /**
     * Creates an invoice. Adds an `idempotency_key` if there is none, so that a request whose answer was lost can be
     * sent again without creating a second invoice.
     */
    create(invoice: NewInvoice, options?: CallOptions): Promise<Invoice>
    /** With its payments on the chain. */
    get(id: string, options?: CallOptions): Promise<InvoiceWithPayments>
    /** Cancels an invoice without any payment seen on the chain. */
    cancel(id: string, options?: CallOptions): Promise<Invoice>
    /** One page of invoices, newest first. */
    list(query?: QueryOf<'listInvoices'>, options?: CallOptions): Promise<Answer<'listInvoices'>>
    all(query?: QueryOf<'listInvoices'>, options?: CallOptions): AsyncGenerator<Invoice, void, undefined>
  }
  readonly payouts: {
    /**
     * Creates a payout, which then waits for approval. Adds an `idempotency_key` if there is none, so that a request
     * whose answer was lost can be sent again without paying twice.
     */
    create(payout: NewPayout, options?: CallOptions): Promise<Payout>
    get(id: string, options?: CallOptions): Promise<Payout>
    /** Cancels a payout that is not on its way yet. */
    cancel(id: string, options?: CallOptions): Promise<Payout>
    /** One page of payouts, newest first. */
    list(query?: QueryOf<'listPayouts'>, options?: CallOptions): Promise<Answer<'listPayouts'>>
    all(query?: QueryOf<'listPayouts'>, options?: CallOptions): AsyncGenerator<Payout, void, undefined>
  }
  readonly refunds: {
    /**
     * Refunds part or all of what an invoice was credited. Adds an `idempotencyKey` if there is none, so that a request
     * whose answer was lost can be sent again without paying twice.
     */
    create(refund: NewRefund, options?: CallOptions & { readonly idempotencyKey?: string }): Promise<Refund>
    get(id: string, options?: CallOptions): Promise<Refund>
    /** One page of refunds, newest first. */
    list(query?: QueryOf<'listRefunds'>, options?: CallOptions): Promise<Answer<'listRefunds'>>
    all(query?: QueryOf<'listRefunds'>, options?: CallOptions): AsyncGenerator<Refund, void, undefined>
  }
  readonly addresses: {
    /** A permanent deposit address; every deposit to it creates an invoice. */
    create(address: NewStaticAddress, options?: CallOptions): Promise<StaticAddress>
    get(id: string, options?: CallOptions): Promise<StaticAddress>
    list(query?: QueryOf<'listAddresses'>, options?: CallOptions): Promise<Answer<'listAddresses'>>
    all(
      query?: QueryOf<'listAddresses'>,
      options?: CallOptions,
    ): AsyncGenerator<StaticAddress, void, undefined>
    /** Every invoice that a deposit to the address created, newest first. */
    invoices(id: string, options?: CallOptions): AsyncGenerator<Invoice, void, undefined>
  }
  readonly balances: {
    /** One row per currency ever seen. */
    list(options?: CallOptions): Promise<Answer<'listBalances'>>
    /** Every entry of a currency's ledger, newest first. */
    ledger(
      currency: string,
      query?: QueryOf<'listLedgerEntries'>,
      options?: CallOptions,
    ): AsyncGenerator<LedgerEntry, void, undefined>
  }
  readonly events: {
    /** One page of events, newest first; ascending with `after`. */
    list(query?: QueryOf<'listEvents'>, options?: CallOptions): Promise<Answer<'listEvents'>>
    /** With its deliveries and their attempts. */
    get(id: string, options?: CallOptions): Promise<EventWithDeliveries>
    /**
     * Every event that matches, newest first; fetches a page (`limit`, default 100) on demand. With `after` it goes
     * upwards from that position and misses none: store the `position` of the last event you handled.
     */
    all(query?: QueryOf<'listEvents'>, options?: CallOptions): AsyncGenerator<Event, void, undefined>
    /** Sends an event again, to one endpoint or to every enabled one that has a delivery of it. */
    redeliver(id: string, to?: RedeliverEvent, options?: CallOptions): Promise<EventWithDeliveries>
    /** Sends the events of a time range to one endpoint again; returns how many. */
    redeliverRange(range: RedeliverEvents, options?: CallOptions): Promise<RedeliveredEvents>
  }
  readonly webhookEndpoints: {
    /** Registers a URL that events are sent to. The `secret` is returned only once. */
    create(endpoint: NewWebhookEndpoint, options?: CallOptions): Promise<NewlyMadeWebhookEndpoint>
    get(id: string, options?: CallOptions): Promise<WebhookEndpoint>
    /** Stops sending to it; returns the deleted endpoint. */
    delete(id: string, options?: CallOptions): Promise<WebhookEndpoint>
    /** Creates a new `secret`, returned only once. The old one also signs for 24 more hours. */
    rotateSecret(id: string, options?: CallOptions): Promise<NewlyMadeWebhookEndpoint>
    /** Resumes sending to a disabled endpoint. */
    enable(id: string, options?: CallOptions): Promise<WebhookEndpoint>
    /** Sends `webhook.test` to it; returns the event, whose deliveries show the result. */
    test(id: string, options?: CallOptions): Promise<Event>
    /** One page of endpoints, newest first. */
    list(
      query?: QueryOf<'listWebhookEndpoints'>,
      options?: CallOptions,
    ): Promise<Answer<'listWebhookEndpoints'>>
  }
}

/**
 * A client for one Sluice. The key is kept in a closure: neither inspecting nor serialising the client shows it, and it
 * is removed from every error. `timing` is for tests.
 */
export function createSluice(options: SluiceOptions, timing: Timing = realTiming): Sluice {
  const send = createTransport(options, timing)

  const request: Call = async (operationId, ...[input]) => {
    if (!Object.hasOwn(operations, operationId)) throw new TypeError('The contract has no such operation.')
    const route: Route = operations[operationId]
    const answer = await send(route, (input ?? {}) as RouteInput & CallOptions)
    // The server guarantees the types: data is not validated again here, so new fields never break a client.
    return answer as unknown as Answer<typeof operationId>
  }

  const listEvents: Sluice['events']['list'] = (query = {}, call = {}) =>
    request('listEvents', { query, ...call })

  const listInvoices: Sluice['invoices']['list'] = (query = {}, call = {}) =>
    request('listInvoices', { query, ...call })
  const listPayouts: Sluice['payouts']['list'] = (query = {}, call = {}) =>
    request('listPayouts', { query, ...call })
  const listRefunds: Sluice['refunds']['list'] = (query = {}, call = {}) =>
    request('listRefunds', { query, ...call })
  const listAddresses: Sluice['addresses']['list'] = (query = {}, call = {}) =>
    request('listAddresses', { query, ...call })

  return {
    request,
    invoices: {
      create: async (invoice, call = {}) => {
        const body = {
          ...invoice,
          idempotency_key: invoice.idempotency_key ?? globalThis.crypto.randomUUID(),
        }
        return (await request('createInvoice', { body, ...call })).data
      },
      get: async (id, call = {}) => (await request('getInvoice', { path: { invoiceID: id }, ...call })).data,
      cancel: async (id, call = {}) =>
        (await request('cancelInvoice', { path: { invoiceID: id }, ...call })).data,
      list: listInvoices,
      all: (query = {}, call = {}) =>
        allRows(query.offset ?? 0, (offset) =>
          listInvoices({ ...query, limit: query.limit ?? largestPage, offset }, call),
        ),
    },
    payouts: {
      create: async (payout, call = {}) => {
        const body = { ...payout, idempotency_key: payout.idempotency_key ?? globalThis.crypto.randomUUID() }
        return (await request('createPayout', { body, ...call })).data
      },
      get: async (id, call = {}) => (await request('getPayout', { path: { payoutID: id }, ...call })).data,
      cancel: async (id, call = {}) =>
        (await request('cancelPayout', { path: { payoutID: id }, ...call })).data,
      list: listPayouts,
      all: (query = {}, call = {}) =>
        allRows(query.offset ?? 0, (offset) =>
          listPayouts({ ...query, limit: query.limit ?? largestPage, offset }, call),
        ),
    },
    refunds: {
      create: async (refund, { idempotencyKey, ...call } = {}) => {
        const headers = { 'Idempotency-Key': idempotencyKey ?? globalThis.crypto.randomUUID() }
        return (await request('createRefund', { body: refund, headers, ...call })).data
      },
      get: async (id, call = {}) => (await request('getRefund', { path: { refundID: id }, ...call })).data,
      list: listRefunds,
      all: (query = {}, call = {}) =>
        allRows(query.offset ?? 0, (offset) =>
          listRefunds({ ...query, limit: query.limit ?? largestPage, offset }, call),
        ),
    },
    addresses: {
      create: async (address, call = {}) => (await request('createAddress', { body: address, ...call })).data,
      get: async (id, call = {}) => (await request('getAddress', { path: { addressID: id }, ...call })).data,
      list: listAddresses,
      all: (query = {}, call = {}) =>
        allRows(query.offset ?? 0, (offset) =>
          listAddresses({ ...query, limit: query.limit ?? largestPage, offset }, call),
        ),
      invoices: (id, call = {}) =>
        allRows(0, (offset) =>
          request('listAddressInvoices', {
            path: { addressID: id },
            query: { limit: largestPage, offset },
            ...call,
          }),
        ),
    },
    balances: {
      list: (call = {}) => request('listBalances', { ...call }),
      ledger: (currency, query = {}, call = {}) =>
        allRows(query.offset ?? 0, (offset) =>
          request('listLedgerEntries', {
            path: { currency },
            query: { ...query, limit: query.limit ?? largestPage, offset },
            ...call,
          }),
        ),
    },
    currencies: {
      list: (query = {}, call = {}) => request('listCurrencies', { query, ...call }),
    },
    rates: {
      list: ({ currency, fiat_currency } = {}, call = {}) => {
        const query = { ...joined('currency', currency), ...joined('fiat_currency', fiat_currency) }
        return request('listRates', { query, ...call })
      },
    },
    events: {
      list: listEvents,
      get: async (id, call = {}) => (await request('getEvent', { path: { eventID: id }, ...call })).data,
      all: (query = {}, call = {}) => {
        const limit = query.limit ?? largestPage
        if (query.after === undefined) {
          return allRows(query.offset ?? 0, (offset) => listEvents({ ...query, limit, offset }, call))
        }
        return rowsAfter(query.after, (after) => listEvents({ ...query, limit, after }, call))
      },
      redeliver: async (id, to = {}, call = {}) =>
        (await request('redeliverEvent', { path: { eventID: id }, body: to, ...call })).data,
      redeliverRange: async (range, call = {}) =>
        (await request('redeliverEvents', { body: range, ...call })).data,
    },
    webhookEndpoints: {
      create: async (endpoint, call = {}) =>
        (await request('createWebhookEndpoint', { body: endpoint, ...call })).data,
      get: async (id, call = {}) =>
        (await request('getWebhookEndpoint', { path: { endpointID: id }, ...call })).data,
      delete: async (id, call = {}) =>
        (await request('deleteWebhookEndpoint', { path: { endpointID: id }, ...call })).data,
      rotateSecret: async (id, call = {}) =>
        (await request('rotateWebhookSecret', { path: { endpointID: id }, ...call })).data,
      enable: async (id, call = {}) =>
        (await request('enableWebhookEndpoint', { path: { endpointID: id }, ...call })).data,
      test: async (id, call = {}) =>
        (await request('testWebhookEndpoint', { path: { endpointID: id }, ...call })).data,
      list: (query = {}, call = {}) => request('listWebhookEndpoints', { query, ...call }),
    },
  }
}

function joined<Name extends string>(name: Name, codes: Codes | undefined): { [Key in Name]?: string } {
  if (codes === undefined) return {}
  return { [name]: typeof codes === 'string' ? codes : codes.join(',') } as { [Key in Name]?: string }
}
