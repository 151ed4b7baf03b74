import { type WebhookHeaders, webhooks } from '@sluice/sdk'
import type { Connection } from './settings.ts'

/**
 * What a webhook is about. It says where to look, never what is true: events may be repeated, late and out of order, so the
 * resource is read from the API each time.
 */
export type Notice =
  | { readonly about: 'invoice'; readonly invoiceId: string }
  | { readonly about: 'refund'; readonly invoiceId: string; readonly refundId: string }
  | { readonly about: 'nothing' }

/** Verifies a webhook. Rejects with a `SluiceWebhookError` if it is not genuine. */
export async function readNotice(
  { settings }: Connection,
  body: string | Uint8Array,
  headers: WebhookHeaders,
): Promise<Notice> {
  const event = await webhooks.verify(body, headers, settings.webhookSecret)
  switch (event.event) {
    case 'refund.completed':
    case 'refund.failed':
      return { about: 'refund', invoiceId: event.data.invoice_id, refundId: event.data.id }
    case 'invoice.confirming':
    case 'invoice.payment_detected':
    case 'invoice.paid':
    case 'invoice.underpaid':
    case 'invoice.overpaid':
    case 'invoice.expired':
    case 'invoice.cancelled':
    case 'invoice.late_deposit':
    case 'invoice.deposit_reversed':
    case 'invoice.deposit_restored':
      return { about: 'invoice', invoiceId: event.data.id }
    default:
      return { about: 'nothing' }
  }
}
