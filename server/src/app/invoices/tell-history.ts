import { networkIn } from '../../domain/assets.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Invoice, overpaidUnits, type Payment } from '../../domain/invoices.ts'
import { formatDecimal } from '../../domain/money.ts'
import type { Refund } from '../../domain/payouts.ts'
import { say } from '../../domain/reasons/reasons.ts'
import type { PastDelivery } from '../../store/reports/history.ts'
import type { App } from '../app.ts'
import { noSuchInvoice } from './get-invoice.ts'

/** Something that happened to an invoice, its payments, its refunds or its webhooks. */
export type Happening = {
  readonly at: Date
  readonly kind:
    | 'invoice_created'
    | 'invoice_activated'
    | 'payment_seen'
    | 'payment_credited'
    | 'event'
    | 'webhook_delivered'
    | 'webhook_failed'
    | 'webhook_pending'
    | 'refund_created'
    | 'payout_approved'
    | 'payout_completed'
    | 'payout_failed'
    | 'payout_cancelled'
  readonly event?: string
  readonly eventId?: string
  readonly by?: string | null
  readonly status?: string | null
  readonly payment?: Payment & { readonly address: string }
  readonly refund?: Refund
  readonly delivery?: PastDelivery
  readonly details?: string | null
}

export type History = {
  readonly happenings: readonly Happening[]
  /** Display names of the actors. */
  readonly names: ReadonlyMap<string, string>
  /** How far the chain was followed; null before the invoice has an asset. */
  readonly tip: bigint | null
}

// If an invoice has more refunds than this, the list of refunds shows the rest.
const maxRefunds = 100

/** Everything that happened to one of the caller's invoices, oldest first. */
export async function tellHistory(
  app: Pick<App, 'store' | 'assets'>,
  caller: Caller,
  id: string,
): Promise<History> {
  const { merchantId, environment } = caller
  const { history, invoices, refunds: refundStore } = app.store
  const [found] = await invoices.findMany([{ id, merchantId, environment }])
  if (found == null) throw noSuchInvoice()
  const { invoice, payments, tip } = found
  const refunds = (await refundStore.list(caller, { invoiceId: id, limit: maxRefunds, offset: 0 })).rows
  const payoutIds = refunds.map(({ payout }) => payout.id)
  const [creator, addresses, events, approvals] = await Promise.all([
    history.creator(caller, id),
    history.paymentAddresses(id),
    history.events(caller, [id, ...payoutIds, ...refunds.map((refund) => refund.id)]),
    history.approvals(payoutIds),
  ])
  const deliveries = await history.deliveries(events.map((event) => event.id))
  const refundOf = new Map(
    refunds.flatMap((refund) => [[refund.id, refund] as const, [refund.payout.id, refund] as const]),
  )
  const [created, ...activated] = ofInvoice(app, invoice, creator)
  const happenings: Happening[] = [
    ...activated,
    ...payments.flatMap((payment) => ofPayment({ ...payment, address: addresses.get(payment.id) ?? '' })),
    ...refunds.flatMap((refund) => ofRefund(refund, approvals.get(refund.payout.id) ?? [])),
    ...events.map((event): Happening => {
      const refund = refundOf.get(event.resourceId)
      return {
        at: event.createdAt,
        kind: 'event',
        event: event.event,
        eventId: event.id,
        status: event.status,
        ...(refund !== undefined && { refund }),
        details: event.event === 'invoice.overpaid' ? overpaid(invoice) : null,
      }
    }),
    ...deliveries.map(ofDelivery),
  ]
  happenings.sort((a, b) => a.at.getTime() - b.at.getTime())
  // Creation always comes first, even if clocks disagree.
  happenings.unshift(created)
  const actors = happenings.flatMap(({ by }) => (by == null ? [] : [by]))
  return {
    happenings,
    names: await history.names([...new Set(actors)]),
    tip,
  }
}

function ofInvoice(
  { assets }: Pick<App, 'assets'>,
  invoice: Invoice,
  by: string | null,
): [Happening, ...Happening[]] {
  const created: Happening = { at: invoice.createdAt, kind: 'invoice_created', by, status: 'pending' }
  if (!invoice.deferred || invoice.asset === null) return [created]
  const { currency, network, liveAt } = invoice.asset
  return [
    created,
    {
      at: liveAt,
      kind: 'invoice_activated',
      details: say('chosen', { currency, network: networkIn(assets, network).name }),
    },
  ]
}

function ofPayment(payment: Payment & { readonly address: string }): Happening[] {
  const seen: Happening = { at: payment.seenAt, kind: 'payment_seen', payment }
  const { booking } = payment
  if (booking === null || booking.confirmedAt === null) return [seen]
  const details = booking.late ? say('arrived_late') : null
  return [seen, { at: booking.confirmedAt, kind: 'payment_credited', payment, details }]
}

function ofRefund(refund: Refund, approvers: readonly string[]): Happening[] {
  const { payout } = refund
  const happenings: Happening[] = [
    { at: refund.createdAt, kind: 'refund_created', by: payout.createdBy, refund, status: 'pending' },
  ]
  const add = (at: Date | null, kind: Happening['kind'], more: Partial<Happening> = {}) => {
    if (at !== null) happenings.push({ at, kind, refund, ...more })
  }
  add(payout.approvedAt, 'payout_approved', { by: approvers.at(-1) ?? null })
  add(payout.completedAt, 'payout_completed')
  add(payout.cancelledAt, 'payout_cancelled')
  if (payout.status === 'failed') add(payout.updatedAt, 'payout_failed', { details: payout.failureReason })
  return happenings
}

function ofDelivery(delivery: PastDelivery): Happening {
  const kinds = {
    succeeded: 'webhook_delivered',
    failed: 'webhook_failed',
    pending: 'webhook_pending',
  } as const
  const { at, status, event, eventId, error } = delivery
  return { at, kind: kinds[status], event, eventId, delivery, status, details: error }
}

function overpaid(invoice: Invoice): string | null {
  if (invoice.asset === null) return null
  const { currency, decimals } = invoice.asset
  return say('overpaid', { amount: `${formatDecimal(overpaidUnits(invoice), decimals)} ${currency}` })
}
