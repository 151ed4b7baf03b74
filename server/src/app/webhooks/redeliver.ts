import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { DeliveryRange, RangeCounts } from '../../store/webhooks/delivery-ranges.ts'
import type { Event } from '../../store/webhooks/events.ts'
import type { Delivery } from '../../store/webhooks/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../../store/webhooks/webhook-endpoints.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { invalid } from '../choose-asset.ts'
import { getEvent } from '../events/get-event.ts'
import { noSuchEndpoint } from './create-endpoint.ts'

/**
 * Sends an event again: to the given endpoint, or to every enabled endpoint that it was sent to before. Returns the event's
 * deliveries as they are then, before any of them can have been sent.
 */
export async function redeliverEvent(
  app: App,
  caller: Caller,
  eventId: string,
  endpointId: string | null,
): Promise<{ event: Event; deliveries: readonly Delivery[] }> {
  const event = await getEvent(app, caller, eventId)
  const ids =
    endpointId === null
      ? await app.store.webhookDeliveries.endpointsOf(event.id)
      : [(await enabledEndpoint(app, caller, endpointId)).id]
  const deliveries = await app.transaction(async (tx) => {
    if (ids.length > 0) await tx.webhookDeliveries.askAgain(event.id, ids)
    const details = { event: event.event, endpoint_ids: ids }
    await noteActOf(tx, caller, { action: 'event.redelivered', subject: event.id, details })
    return tx.webhookDeliveries.ofEvent(event.id)
  })
  return { event, deliveries }
}

/**
 * Sends an endpoint the events of a time range again, or only those whose delivery failed. Returns how many, and where the rest of a
 * range begins that is too long for one call.
 */
export async function redeliverRange(
  app: App,
  caller: Caller,
  { onlyFailed, ...range }: DeliveryRange & { readonly onlyFailed: boolean },
): Promise<{ count: number; continueFrom: Date | null }> {
  demandSpan(range)
  const endpoint = await enabledEndpoint(app, caller, range.endpointId)
  return app.transaction(async (tx) => {
    const asked = await tx.deliveryRanges.askAgain(range, onlyFailed)
    const span = { from: range.from.toISOString(), to: range.to.toISOString() }
    const details = { url: endpoint.url, ...span, count: asked.count }
    await noteActOf(tx, caller, { action: 'events.redelivered', subject: endpoint.id, details })
    return asked
  })
}

/** What became of an endpoint's events of a time range: what redelivering it would send again, or how far that is. */
export async function countRange(app: App, caller: Caller, range: DeliveryRange): Promise<RangeCounts> {
  demandSpan(range)
  if ((await app.store.webhookEndpoints.find(caller, range.endpointId)) === null) throw noSuchEndpoint()
  return app.store.deliveryRanges.count(range)
}

function demandSpan({ from, to }: DeliveryRange): void {
  if (to <= from) throw invalid('/created_before: must be later than created_after')
}

/** An enabled endpoint of the caller; throws if there is none or it is disabled. */
export async function enabledEndpoint(
  app: Pick<App, 'store'>,
  caller: Caller,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await app.store.webhookEndpoints.find(caller, id)
  if (endpoint === null) throw noSuchEndpoint()
  if (endpoint.status !== 'enabled')
    throw new ServiceError('conflict', 'This endpoint is disabled. Enable it first.')
  return endpoint
}
