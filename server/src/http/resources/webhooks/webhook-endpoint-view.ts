import type {
  Delivery as DeliveryView,
  WebhookEndpoint as EndpointView,
  NewlyMadeWebhookEndpoint as EndpointWithSecretView,
} from '@sluice/sdk/contract'
import type { EndpointWithSecret } from '../../../app/webhooks/create-endpoint.ts'
import type { Delivery } from '../../../store/webhooks/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../../../store/webhooks/webhook-endpoints.ts'
import { reasonsView } from '../values.ts'

export function endpointView(endpoint: WebhookEndpoint): EndpointView {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events === null ? null : ([...endpoint.events] as EndpointView['events']),
    description: endpoint.description,
    // A deleted endpoint is shown once more as it was; afterwards it does not exist.
    status: endpoint.status === 'disabled' ? 'disabled' : 'enabled',
    disabled_reason: endpoint.disabledReason,
    disabled_reasons: reasonsView(endpoint.disabledReason),
    disabled_at: time(endpoint.disabledAt),
    secret_rotates_until: time(endpoint.previousUntil),
    created_at: endpoint.createdAt.toISOString(),
  }
}

export function endpointWithSecretView(endpoint: EndpointWithSecret): EndpointWithSecretView {
  return { ...endpointView(endpoint), secret: endpoint.secret }
}

export function deliveryView(delivery: Delivery): DeliveryView {
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    url: delivery.url,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: time(delivery.nextAttemptAt),
    last_attempt_at: time(delivery.lastAttemptAt),
    created_at: delivery.createdAt.toISOString(),
    attempt_log: delivery.log.map((attempt) => ({
      number: attempt.number,
      at: attempt.at.toISOString(),
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      error: attempt.error,
      error_reasons: reasonsView(attempt.error),
      answer: attempt.answer,
    })),
  }
}

function time(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}
