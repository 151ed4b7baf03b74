import type { EndpointDelivery as DeliveryView } from '@sluice/web/contract'
import { plainHeaders, webhookBody } from '../../../domain/webhooks.ts'
import type { EndpointDelivery, SignedAttempt } from '../../../store/webhooks/endpoint-deliveries.ts'
import { reasonsView, time } from '../values.ts'

export function endpointDeliveryView(delivery: EndpointDelivery): DeliveryView {
  const eventId = `evt_${delivery.eventId}`
  return {
    id: delivery.id,
    event_id: eventId,
    event: delivery.event,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: time(delivery.nextAttemptAt),
    last_attempt_at: time(delivery.lastAttemptAt),
    created_at: delivery.createdAt.toISOString(),
    request_body: webhookBody(delivery),
    attempt_log: delivery.log.map((attempt) => ({
      number: attempt.number,
      at: attempt.at.toISOString(),
      request_headers: headersOf(attempt, eventId),
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      error: attempt.error,
      error_reasons: reasonsView(attempt.error),
      answer: attempt.answer,
    })),
  }
}

function headersOf({ signedAt, signature }: SignedAttempt, eventId: string): Record<string, string> {
  const plain = { ...plainHeaders, 'webhook-id': eventId }
  return signedAt === null || signature === null
    ? plain
    : { ...plain, 'webhook-timestamp': String(signedAt), 'webhook-signature': signature }
}
