import type { Price } from '../../shared/prices.ts'
import { refused } from './refused.ts'

/** What Medusa keeps of a payment session, and later of the payment. The storefront sees it: nothing in it is secret. */
export type SessionData = {
  readonly sessionId: string
  readonly invoiceId: string
  readonly checkoutUrl: string
  readonly price: Price
  /** Where the payer wants a refund, as staff entered it. */
  readonly refundTo?: string
  /** Sluice's refunds that Medusa has recorded. */
  readonly refunds: readonly string[]
}

export function writeSession(session: SessionData): Record<string, unknown> {
  return {
    session_id: session.sessionId,
    invoice_id: session.invoiceId,
    checkout_url: session.checkoutUrl,
    amount: session.price.amount,
    currency: session.price.currency,
    ...(session.refundTo !== undefined && { refund_to: session.refundTo }),
    refunds: session.refunds,
  }
}

export function readSession(data: Readonly<Record<string, unknown>> | undefined): SessionData {
  const text = (name: string) => {
    const value = data?.[name]
    if (typeof value !== 'string') throw refused(`This is no payment session of Sluice: it has no ${name}.`)
    return value
  }
  const refundTo = data?.refund_to
  const refunds = data?.refunds
  return {
    sessionId: text('session_id'),
    invoiceId: text('invoice_id'),
    checkoutUrl: text('checkout_url'),
    price: { amount: text('amount'), currency: text('currency') },
    ...(typeof refundTo === 'string' && { refundTo }),
    refunds: Array.isArray(refunds) ? refunds.filter((id) => typeof id === 'string') : [],
  }
}
