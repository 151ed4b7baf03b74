import type { App } from '../../../app/app.ts'
import { invalid } from '../../../app/choose-asset.ts'
import { getEvent } from '../../../app/events/get-event.ts'
import { redeliverEvent, redeliverRange } from '../../../app/webhooks/redeliver.ts'
import type { Caller } from '../../../domain/caller.ts'
import { parseEventPosition } from '../../../domain/event-position.ts'
import { type Handlers, ok, okPage } from '../../reply.ts'
import { deliveryView } from '../webhooks/webhook-endpoint-view.ts'
import { eventIdFrom, eventView } from './view.ts'

export function events(
  app: App,
): Pick<Handlers, 'listEvents' | 'getEvent' | 'redeliverEvent' | 'redeliverEvents'> {
  const withDeliveries = async (caller: Caller, id: string) => {
    const event = await getEvent(app, caller, id)
    const deliveries = await app.store.webhookDeliveries.ofEvent(event.id)
    return { ...eventView(event), deliveries: deliveries.map(deliveryView) }
  }

  return {
    listEvents: async ({ caller, query }) => {
      const filter = {
        event: query.event ?? null,
        createdAfter: query.created_after === undefined ? null : new Date(query.created_after),
        resourceId: query.resource_id ?? null,
      }
      if (query.after === undefined)
        return okPage(
          await app.reading((store) =>
            store.events.list(caller, { ...filter, ...query, event: filter.event }),
          ),
          query,
          eventView,
        )
      if (query.offset > 0) throw invalid('/offset: must not be given together with after')
      const after = parseEventPosition(query.after)
      if (after === null) throw invalid('/after: must be the position of an event, or 0')
      const page = await app.store.events.listAfter(caller, { ...filter, after, limit: query.limit })
      const { total, hasMore } = page
      const pagination = { total, limit: query.limit, offset: 0, has_more: hasMore }
      return { ...ok(page.rows.map(eventView)), pagination }
    },
    getEvent: async ({ caller, path }) => ok(await withDeliveries(caller, eventIdFrom(path.eventID))),
    redeliverEvent: async ({ caller, path, body }) => {
      const id = eventIdFrom(path.eventID)
      await redeliverEvent(app, caller, id, body.endpoint_id ?? null)
      return ok(await withDeliveries(caller, id))
    },
    redeliverEvents: async ({ caller, body }) => {
      const count = await redeliverRange(app, caller, {
        endpointId: body.endpoint_id,
        from: new Date(body.created_after),
        to: new Date(body.created_before),
        onlyFailed: body.only_failed ?? false,
      })
      return ok({ count })
    },
  }
}
