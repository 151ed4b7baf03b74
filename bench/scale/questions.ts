import type { App } from '../../server/src/app/app.ts'
import { listBalances } from '../../server/src/app/balances/list-balances.ts'
import { tellInvoice } from '../../server/src/app/history/tell-invoice.ts'
import { getOverview } from '../../server/src/app/overview/get-overview.ts'
import { searchMerchant } from '../../server/src/app/search/search-merchant.ts'
import type { Caller } from '../../server/src/domain/caller.ts'
import { notNarrowed } from '../../server/src/store/reports/list-page.ts'

export type Subject = {
  readonly caller: Caller
  readonly endpointId: string
  readonly invoiceId: string
  readonly externalId: string
  readonly address: string
  readonly link: string
  readonly txHash: string
  readonly eventId: string
  readonly eventsSince: Date
  readonly eventPosition: { readonly era: number; readonly xid: string; readonly place: string }
  readonly yearAgo: Date
}

export type Question = { readonly name: string; ask(app: App, subject: Subject): Promise<unknown> }

const page = { limit: 20, offset: 0 }
const deep = { limit: 20, offset: 1_500 }
const anyInvoice = { status: null, currency: null }
const anyEvent = { event: null, createdAfter: null, resourceId: null }
const anyEntry = { currency: null, entryType: null, referenceId: null, from: null, to: null }
const anyAct = { actor: null, action: null, from: null, to: null }
const anyTime = { from: null, to: null }
const exported = 1_000
const day = 24 * 3_600_000

function question(name: string, ask: Question['ask']): Question {
  return { name, ask }
}

const before = (moment: Date, days: number) => new Date(moment.getTime() - days * day)

/** What merchants, their staff and the workers ask of the database, from the hottest on. */
export const questions: readonly Question[] = [
  ...[
    anyInvoice,
    { status: 'paid', currency: null },
    { status: 'pending', currency: null },
    { status: null, currency: 'BTC' },
    { status: null, currency: 'LTC' },
    { status: 'underpaid', currency: 'LTC' },
    { status: 'cancelled', currency: 'ETH' },
  ].flatMap((filter) => {
    const shown = Object.values(filter).filter((value) => value !== null)
    return [
      question(`invoices ${shown.join(' ')}, first page`, ({ store }, { caller }) =>
        store.invoices.list(caller, { ...filter, ...page }),
      ),
    ]
  }),
  question('invoices, offset 1500', ({ store }, { caller }) =>
    store.invoices.list(caller, { ...anyInvoice, ...deep }),
  ),
  question('invoices paid BTC, offset 1500', ({ store }, { caller }) =>
    store.invoices.list(caller, { status: 'paid', currency: 'BTC', ...deep }),
  ),
  question('invoices after a cursor', ({ store }, { caller, invoiceId }) =>
    store.invoices.list(caller, {
      ...anyInvoice,
      ...page,
      narrowing: { ...notNarrowed, cursor: invoiceId },
    }),
  ),
  question('invoices with an external id', ({ store }, { caller, externalId }) =>
    store.invoices.list(caller, { ...anyInvoice, ...page, externalId }),
  ),
  question('invoices of an hour a year ago', ({ store }, { caller, yearAgo }) =>
    store.invoices.list(caller, {
      ...anyInvoice,
      ...page,
      narrowing: {
        ...notNarrowed,
        createdAfter: yearAgo,
        createdBefore: new Date(yearAgo.getTime() + day / 24),
      },
    }),
  ),
  question('an invoice with its payments', ({ store }, { caller, invoiceId }) =>
    store.invoices.findMany([
      { id: invoiceId, merchantId: caller.merchantId, environment: caller.environment },
    ]),
  ),
  question('an invoice’s timeline', (app, { caller, invoiceId }) => tellInvoice(app, caller, invoiceId)),
  question('a payment page', ({ store }, { link }) => store.visits.byLinks([link])),
  question('search by order number', (app, { caller, externalId }) =>
    searchMerchant(app, caller, externalId),
  ),
  question('search by address', (app, { caller, address }) => searchMerchant(app, caller, address)),
  question('search by transaction', (app, { caller, txHash }) => searchMerchant(app, caller, txHash)),
  question('search for nothing there is', (app, { caller }) => searchMerchant(app, caller, 'no such order')),
  question('overview of 30 days', (app, { caller }) => getOverview(app, caller, 30)),
  question('balances', (app, { caller }) => listBalances(app, caller)),
  question('ledger of BTC, first page', ({ store }, { caller }) =>
    store.ledger.list(caller, { currency: 'BTC', entryType: null, ...page }),
  ),
  question('ledger of all currencies, first page', ({ store }, { caller }) =>
    store.ledgerList.list(caller, { ...anyEntry, ...page }),
  ),
  question('ledger of an invoice', ({ store }, { caller, invoiceId }) =>
    store.ledgerList.list(caller, { ...anyEntry, referenceId: invoiceId, ...page }),
  ),
  question('events, first page', ({ store }, { caller }) =>
    store.events.list(caller, { ...anyEvent, ...page }),
  ),
  question('events of one name, first page', ({ store }, { caller }) =>
    store.events.list(caller, { ...anyEvent, event: 'invoice.paid', ...page }),
  ),
  question('events of an invoice', ({ store }, { caller, invoiceId }) =>
    store.events.list(caller, { ...anyEvent, resourceId: invoiceId, ...page }),
  ),
  question('events of one name of an invoice', ({ store }, { caller, invoiceId }) =>
    store.events.list(caller, { ...anyEvent, event: 'invoice.paid', resourceId: invoiceId, ...page }),
  ),
  question('events created after the newest 200', ({ store }, { caller, eventsSince }) =>
    store.events.list(caller, { ...anyEvent, createdAfter: eventsSince, ...page }),
  ),
  question('events of one name created after those', ({ store }, { caller, eventsSince }) =>
    store.events.list(caller, { ...anyEvent, event: 'invoice.expired', createdAfter: eventsSince, ...page }),
  ),
  question('events after a position', ({ store }, { caller, eventPosition: { era, xid, place } }) =>
    store.events.listAfter(caller, {
      ...anyEvent,
      after: { era, xid: BigInt(xid), place: BigInt(place) },
      limit: 100,
    }),
  ),
  question('events of a name that never came, from the first on', ({ store }, { caller }) =>
    store.events.listAfter(caller, {
      ...anyEvent,
      event: 'payout.failed',
      after: { era: 0, xid: 0n, place: 0n },
      limit: 100,
    }),
  ),
  question('an event with its deliveries', async ({ store }, { caller, eventId }) => {
    await store.events.find(caller, eventId)
    await store.webhookDeliveries.ofEvent(eventId)
  }),
  ...[null, 'failed', 'pending'].map((status) =>
    question(`an endpoint’s deliveries ${status ?? ''}`.trim(), ({ store }, { endpointId }) =>
      store.endpointDeliveries.list(endpointId, { status, ...page }),
    ),
  ),
  question('audit log, first page', ({ store }, { caller }) =>
    store.auditLog.list(caller.merchantId, { ...anyAct, ...page }),
  ),
  question('export of invoices, first rows', ({ store }, { caller }) =>
    store.exports.invoices(caller, { ...anyInvoice, ...anyTime }, null, exported),
  ),
  question('export of invoices of a year ago', ({ store }, { caller, yearAgo }) =>
    store.exports.invoices(caller, { ...anyInvoice, from: null, to: yearAgo }, null, exported),
  ),
  question('export of cancelled invoices before a year ago', ({ store }, { caller, yearAgo }) =>
    store.exports.invoices(
      caller,
      { status: 'cancelled', currency: null, from: null, to: yearAgo },
      null,
      100,
    ),
  ),
  question('export of invoices in a range without any', ({ store }, { caller, yearAgo }) =>
    store.exports.invoices(
      caller,
      { ...anyInvoice, from: new Date(yearAgo.getTime() - 1), to: yearAgo },
      null,
      exported,
    ),
  ),
  question('export of the ledger, first rows', ({ store }, { caller }) =>
    store.exports.ledger(caller, anyEntry, null, exported),
  ),
  question('export of the ledger of a year ago', ({ store }, { caller, yearAgo }) =>
    store.exports.ledger(caller, { ...anyEntry, from: before(yearAgo, 900), to: yearAgo }, null, exported),
  ),
  question('agenda: what is due', ({ store }) => store.agenda.read(60_000)),
  question('worker: windows that end', ({ store }) => store.invoices.findDue(500)),
  question('worker: gates that wait for blocks', ({ store }) => store.payments.gatesAwaitingConfirmations()),
  question('worker: deliveries to send', ({ store }) =>
    store.webhookDeliveries.claim(50, 1_000, { sound: 10, failing: 1, underWay: new Map(), full: [] }),
  ),
  question('worker: deliveries to delete', ({ store }) => store.webhookDeliveries.forget(90, 1)),
  question('worker: folding counts', ({ store }) => store.counts.fold()),
  question('worker: folding daily sums', ({ store }) => store.dailySums.fold()),
  question('worker: folding daily figures', ({ store }) => store.dailyFigures.fold()),
  question('metrics: webhooks', ({ store }) => store.figures.webhooks()),
  question('metrics: payouts', ({ store }) => store.figures.payouts()),
]
