import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { WebhookEndpoint } from '../../store/webhooks/webhook-endpoints.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { invalid } from '../choose-asset.ts'
import { getEvent } from '../events/get-event.ts'
import { noSuchEndpoint } from './create-endpoint.ts'

/** The most events that one call sends again. */
const maxRedelivered = 10_000

/** Sends an event again: to the given endpoint, or to every enabled endpoint that it was sent to before. */
export async function redeliverEvent(
  app: App,
  caller: Caller,
  eventId: string,
  endpointId: string | null,
): Promise<void> {
  const event = await getEvent(app, caller, eventId)
  const ids =
    endpointId === null
      ? await app.store.webhookDeliveries.endpointsOf(event.id)
      : [(await enabledEndpoint(app, caller, endpointId)).id]
  await app.transaction(async (tx) => {
    if (ids.length > 0) await tx.webhookDeliveries.askAgain(event.id, ids)
    const details = { endpoint_ids: ids }
    await noteActOf(tx, caller, { action: 'event.redelivered', subject: event.id, details })
  })
}

/** Sends an endpoint all events of a time range again, or only those whose delivery failed. Returns how many. */
export async function redeliverRange(
  app: App,
  caller: Caller,
  input: {
    readonly endpointId: string
    readonly from: Date
    readonly to: Date
    readonly onlyFailed: boolean
  },
): Promise<number> {
  if (input.to <= input.from) throw invalid('/created_before: must be later than created_after')
  const endpoint = await enabledEndpoint(app, caller, input.endpointId)
  return app.transaction(async (tx) => {
    const count = await tx.webhookDeliveries.askRangeAgain(endpoint.id, input, maxRedelivered)
    const details = { from: input.from.toISOString(), to: input.to.toISOString(), count }
    await noteActOf(tx, caller, { action: 'events.redelivered', subject: endpoint.id, details })
    return count
  })
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
