import type { App } from '../../../app/app.ts'
import { invalid } from '../../../app/choose-asset.ts'
import { getEvent } from '../../../app/events/get-event.ts'
import { redeliverEvent, redeliverRange } from '../../../app/webhooks/redeliver.ts'
import type { Caller } from '../../../domain/caller.ts'
import { type EventPosition, parseEventPosition } from '../../../domain/event-position.ts'
import type { Event } from '../../../store/webhooks/events.ts'
import type { Delivery } from '../../../store/webhooks/webhook-deliveries.ts'
import { EventStream } from '../../event-stream.ts'
import type { EventFeeds } from '../../events/feeds.ts'
import { type Handlers, ok, okPage, Streamed } from '../../reply.ts'
import { time, timeFrom } from '../values.ts'
import { deliveryView } from '../webhooks/webhook-endpoint-view.ts'
import { namesFrom } from './names-from.ts'
import { eventIdFrom, eventView } from './view.ts'

export function events(
  app: App,
  live: {
    readonly feeds: EventFeeds
    /** The caller with this key at this address; null if the key is not accepted there. */
    readonly findCaller: (key: string, ip: string) => Caller | null | Promise<Caller | null>
  },
): Pick<Handlers, 'listEvents' | 'streamEvents' | 'getEvent' | 'redeliverEvent' | 'redeliverEvents'> {
  const withDeliveries = (event: Event, deliveries: readonly Delivery[]) => ({
    ...eventView(event),
    deliveries: deliveries.map(deliveryView),
  })

  return {
    listEvents: async ({ caller, query }) => {
      const filter = {
        event: query.event ?? null,
        createdAfter: timeFrom(query.created_after),
        createdBefore: timeFrom(query.created_before),
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
      const after = positionFrom('after', query.after)
      const page = await app.store.events.listAfter(caller, { ...filter, after, limit: query.limit })
      const { total, hasMore } = page
      const pagination = { total, limit: query.limit, offset: 0, has_more: hasMore }
      return { ...ok(page.rows.map(eventView)), pagination }
    },
    streamEvents: async ({ caller, query, headers }) => {
      const last = headers['Last-Event-ID']
      const given =
        last === undefined ? positionFrom('after', query.after) : positionFrom('Last-Event-ID', last)
      const events = query.events === undefined ? null : namesFrom(query.events)
      // Read before the answer begins: what happens after that is in the stream.
      const after = given ?? (await app.store.eventFeed.now())
      return new Streamed((request, reply) => {
        if (request.method === 'HEAD') return new EventStream(reply).end()
        const { ip } = request
        const key = String(request.headers['x-api-key'])
        const isAllowed = async () =>
          (await live.findCaller(key, ip))?.permissions.has('events:read') === true
        live.feeds.open({ caller, after, events, isAllowed }, reply)
      })
    },
    getEvent: async ({ caller, path }) => {
      const event = await getEvent(app, caller, eventIdFrom(path.eventID))
      return ok(withDeliveries(event, await app.store.webhookDeliveries.ofEvent(event.id)))
    },
    redeliverEvent: async ({ caller, path, body }) => {
      const id = eventIdFrom(path.eventID)
      const { event, deliveries } = await redeliverEvent(app, caller, id, body.endpoint_id ?? null)
      return ok(withDeliveries(event, deliveries))
    },
    redeliverEvents: async ({ caller, body }) => {
      const { count, continueFrom } = await redeliverRange(app, caller, {
        endpointId: body.endpoint_id,
        from: new Date(body.created_after),
        to: new Date(body.created_before),
        events: body.events ?? null,
        onlyFailed: body.only_failed ?? false,
      })
      return ok({ count, continue_from: time(continueFrom) })
    },
  }
}

function positionFrom(name: string, digits: string): EventPosition
function positionFrom(name: string, digits: string | undefined): EventPosition | null
function positionFrom(name: string, digits: string | undefined): EventPosition | null {
  if (digits === undefined) return null
  const position = parseEventPosition(digits)
  if (position === null) throw invalid(`/${name}: must be the position of an event, or 0`)
  return position
}
