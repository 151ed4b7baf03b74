/** Every event name that a merchant can receive and subscribe to. The contract explains each. */
export const eventNames = [
  'invoice.confirming',
  'invoice.payment_detected',
  'invoice.paid',
  'invoice.underpaid',
  'invoice.overpaid',
  'invoice.expired',
  'invoice.cancelled',
  'invoice.late_deposit',
  'invoice.deposit_reversed',
  'invoice.deposit_restored',
  'balance.credited',
  'payout.approved',
  'payout.processing',
  'payout.completed',
  'payout.failed',
  'payout.cancelled',
  'refund.completed',
  'refund.failed',
  'webhook.test',
] as const
export type EventName = (typeof eventNames)[number]
