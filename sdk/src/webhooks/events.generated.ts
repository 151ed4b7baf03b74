// This file is generated from the contract.
import type {
  InvoiceConfirmingWebhookPayload,
  InvoicePaymentDetectedWebhookPayload,
  InvoicePaidWebhookPayload,
  InvoiceUnderpaidWebhookPayload,
  InvoiceOverpaidWebhookPayload,
  InvoiceExpiredWebhookPayload,
  InvoiceCancelledWebhookPayload,
  InvoiceLateDepositWebhookPayload,
  InvoiceDepositReversedWebhookPayload,
  InvoiceDepositRestoredWebhookPayload,
  BalanceCreditedWebhookPayload,
  PayoutApprovedWebhookPayload,
  PayoutProcessingWebhookPayload,
  PayoutCompletedWebhookPayload,
  PayoutFailedWebhookPayload,
  PayoutCancelledWebhookPayload,
  RefundCompletedWebhookPayload,
  RefundFailedWebhookPayload,
  WebhookTestWebhookPayload,
} from '../contract.generated.ts'

/** The webhook of each event, by its name. */
export type WebhookEventOf = {
  'invoice.confirming': InvoiceConfirmingWebhookPayload
  'invoice.payment_detected': InvoicePaymentDetectedWebhookPayload
  'invoice.paid': InvoicePaidWebhookPayload
  'invoice.underpaid': InvoiceUnderpaidWebhookPayload
  'invoice.overpaid': InvoiceOverpaidWebhookPayload
  'invoice.expired': InvoiceExpiredWebhookPayload
  'invoice.cancelled': InvoiceCancelledWebhookPayload
  'invoice.late_deposit': InvoiceLateDepositWebhookPayload
  'invoice.deposit_reversed': InvoiceDepositReversedWebhookPayload
  'invoice.deposit_restored': InvoiceDepositRestoredWebhookPayload
  'balance.credited': BalanceCreditedWebhookPayload
  'payout.approved': PayoutApprovedWebhookPayload
  'payout.processing': PayoutProcessingWebhookPayload
  'payout.completed': PayoutCompletedWebhookPayload
  'payout.failed': PayoutFailedWebhookPayload
  'payout.cancelled': PayoutCancelledWebhookPayload
  'refund.completed': RefundCompletedWebhookPayload
  'refund.failed': RefundFailedWebhookPayload
  'webhook.test': WebhookTestWebhookPayload
}

/** The names of the events that this version knows. */
export type KnownEventName = keyof WebhookEventOf

/** Any webhook that this version knows. `switch (event.event)` narrows `data` to the resource of the event. */
export type WebhookEvent = WebhookEventOf[KnownEventName]

export const eventNames: readonly KnownEventName[] = [
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
]
