import { type AssetRegistry, networkIn } from '../../domain/assets.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Invoice, InvoiceAsset, Payment } from '../../domain/invoices.ts'
import { say } from '../../domain/reasons/reasons.ts'
import type { App } from '../app.ts'
import { noSuchInvoice } from '../invoices/get-invoice.ts'
import { announcements } from './announcements.ts'
import { foldEvents } from './fold-events.ts'
import type { Happening, History, Told } from './happening.ts'
import { namesIn } from './names-in.ts'
import { decidersOf, ofPayout } from './of-payout.ts'

export type InvoiceHistory = History & {
  /** How far the chain was followed; null before the invoice has an asset. */
  readonly tip: bigint | null
}

// If an invoice has more refunds than this, the list of refunds shows the rest; more payments, the card of payments.
const maxRefunds = 100
const maxPayments = 100

/** Everything that happened to one of the caller's invoices, oldest first. */
export async function tellInvoice(
  app: Pick<App, 'store' | 'assets'>,
  caller: Caller,
  id: string,
): Promise<InvoiceHistory> {
  const { merchantId, environment } = caller
  const { store } = app
  const [found] = await store.invoices.findMany([{ id, merchantId, environment }])
  if (found == null) throw noSuchInvoice()
  const { invoice, payments, tip } = found
  const refunds = (await store.refunds.list(caller, { invoiceId: id, limit: maxRefunds, offset: 0 })).rows
  const payouts = refunds.map(({ payout }) => payout)
  const resources = [id, ...payouts.map((payout) => payout.id), ...refunds.map((refund) => refund.id)]
  const [creator, addresses, events, deciders, cancellations] = await Promise.all([
    store.history.creator(caller, id),
    store.history.paymentAddresses(id),
    announcements(store, caller, resources),
    decidersOf(store, merchantId, payouts),
    invoice.status === 'cancelled' ? store.auditLog.endingsOf(merchantId, [id]) : [],
  ])
  const facts = [
    ...ofInvoice(app, invoice, creator),
    ...payments
      .slice(0, maxPayments)
      .flatMap((payment) => ofPayment({ ...payment, address: addresses.get(payment.id) ?? '' })),
    ...payouts.flatMap((payout) => ofPayout(payout, deciders)),
  ]
  const happenings = foldEvents(facts, events).map((told) =>
    withMore(app, told, cancellations[0]?.actor ?? null),
  )
  return {
    happenings,
    names: await namesIn(store, happenings, [...deciders.endings, ...cancellations]),
    tip,
  }
}

function ofInvoice({ assets }: Pick<App, 'assets'>, invoice: Invoice, by: string | null): Happening[] {
  const created: Happening = { at: invoice.createdAt, kind: 'invoice_created', by, status: 'pending' }
  if (!invoice.deferred || invoice.asset === null) return [created]
  const { liveAt } = invoice.asset
  return [created, { at: liveAt, kind: 'invoice_activated', details: chosen(assets, invoice.asset) }]
}

function chosen(assets: AssetRegistry, { currency, network }: Pick<InvoiceAsset, 'currency' | 'network'>) {
  return say('chosen', { currency, network: networkIn(assets, network).name })
}

function ofPayment(payment: Payment & { readonly address: string }): Happening[] {
  const seen: Happening = { at: payment.seenAt, kind: 'payment_seen', payment }
  const { booking } = payment
  if (booking === null || booking.confirmedAt === null) return [seen]
  const details = booking.late ? say('arrived_late') : null
  return [seen, { at: booking.confirmedAt, kind: 'payment_credited', payment, details }]
}

/** What the fact of an event lacks: what was chosen, by how much too much was paid, and who cancelled. */
function withMore({ assets }: Pick<App, 'assets'>, told: Told, cancelledBy: string | null): Told {
  const { kind, event, details, events } = told
  const { currency = null, network = null, overpaid = null } = events[0] ?? {}
  if (event === 'invoice.cancelled') return { ...told, by: cancelledBy }
  if (event === 'invoice.overpaid' && overpaid !== null)
    return { ...told, details: say('overpaid', { amount: `${overpaid} ${currency}` }) }
  return kind === 'invoice_activated' && details === undefined && currency !== null && network !== null
    ? { ...told, details: chosen(assets, { currency, network }) }
    : told
}
