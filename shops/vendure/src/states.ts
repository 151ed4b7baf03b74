import type { Payment, PaymentOptions, PaymentProcess } from '@vendure/core'

declare module '@vendure/core' {
  interface PaymentStates {
    AwaitingPayment: never
  }
}

/** Marks the payments that are ours, in their metadata. */
export const ours = { provider: 'sluice' } as const

export function isOurs({ metadata }: Pick<Payment, 'metadata'>): boolean {
  return metadata?.provider === ours.provider
}

/**
 * A crypto payment takes minutes, so it has a state of its own. The order is placed when the payment is settled. One of ours
 * that was declined because its invoice expired can still be settled: a reorganisation can bring back what was paid in time.
 */
export const paymentProcess: PaymentProcess<'AwaitingPayment'> = {
  transitions: {
    Created: { to: ['AwaitingPayment'], mergeStrategy: 'merge' },
    AwaitingPayment: { to: ['Settled', 'Declined', 'Cancelled', 'Error'] },
    Declined: { to: ['Settled'], mergeStrategy: 'merge' },
  },
  onTransitionStart(from, to, { payment }) {
    if (from === 'Declined' && to === 'Settled' && !isOurs(payment)) return false
  },
}

/** A refund waits for a person and for its chain; Vendure has no transition for one that is created so. */
export const refundProcess: NonNullable<PaymentOptions['refundProcess']>[number] = {
  transitions: { Pending: { to: ['Pending'], mergeStrategy: 'merge' } },
}
