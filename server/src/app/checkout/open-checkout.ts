import { linkEnds } from '../../domain/checkout.ts'
import { isSignedWith, readCheckoutToken } from '../../domain/checkout-token.ts'
import { isTicketOf, readPaymentTicket } from '../../domain/payment-ticket.ts'
import type { Visit } from '../../store/invoices/visits.ts'
import type { App } from '../app.ts'
import { batch } from '../batch.ts'

const maxBatch = 128
const maxRunning = 2
const linkPattern = /^[\w-]{22}$/

export type CheckoutOpener = {
  /** By the link in the page's URL: the visit and whether the link has expired; null when there is no such link. */
  byLink(link: string): Promise<{ readonly visit: Visit; readonly ended: boolean } | null>
  /** By the token of a page: the visit, or whether the token is forged or expired. */
  byToken(token: string): Promise<Visit | 'forged' | 'expired'>
  /** By the ticket that the page gives to wallets: the visit, or whether the ticket is forged or its link has expired. */
  byTicket(ticket: string): Promise<Visit | 'forged' | 'expired'>
  /** By the id of an invoice that was opened before. */
  byId(id: string): Promise<Visit>
}

/** Makes the use case: opens an invoice for its payer. Concurrent visits share statements. */
export function checkoutOpener(app: Pick<App, 'store' | 'now'>): CheckoutOpener {
  const limits = { maxBatch, maxRunning }
  const findByLink = batch((links: readonly string[]) => app.store.visits.byLinks(links), limits)
  const findById = batch((ids: readonly string[]) => app.store.visits.byIds(ids), limits)

  return {
    async byLink(link) {
      const visit = linkPattern.test(link) ? await findByLink(link) : null
      return visit === null ? null : { visit, ended: hasEnded(visit, app.now()) }
    },

    async byToken(token) {
      const claimed = readCheckoutToken(token)
      if (claimed === null) return 'forged'
      const visit = await findById(claimed.invoiceId)
      if (visit === null || !isSignedWith(claimed, visit.invoice.link)) return 'forged'
      const now = app.now()
      return now >= claimed.expiresAt || hasEnded(visit, now) ? 'expired' : visit
    },

    async byTicket(ticket) {
      const claimed = readPaymentTicket(ticket)
      if (claimed === null) return 'forged'
      const visit = await findById(claimed.invoiceId)
      if (visit === null || !isTicketOf(claimed, visit.invoice.link)) return 'forged'
      return hasEnded(visit, app.now()) ? 'expired' : visit
    },

    async byId(id) {
      const visit = await findById(id)
      if (visit === null) throw new Error(`The invoice ${id} was opened and is gone.`)
      return visit
    },
  }
}

/** Whether the link of a visit has expired, given the real time. */
export function hasEnded(visit: Visit, realNow: Date): boolean {
  const ends = linkEnds(visit.invoice)
  return ends !== null && timeOf(visit, realNow) >= ends
}

/** The time by the clock of the merchant behind a visit. */
export function timeOf({ aheadMs }: Pick<Visit, 'aheadMs'>, realNow: Date): Date {
  return new Date(realNow.getTime() + aheadMs)
}
