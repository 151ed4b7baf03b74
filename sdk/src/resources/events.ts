import type { Answer, Call, CallOptions, QueryOf, Rows } from '../call.ts'
import type {
  Event,
  EventWithDeliveries,
  RedeliverEvent,
  RedeliverEvents,
  RedeliveredEvents,
} from '../contract.generated.ts'
import { allRows, largestPage, rowsAfter } from '../pages.ts'

export type Events = {
  /** One page of events, newest first; ascending with `after`. */
  list(query?: QueryOf<'listEvents'>, options?: CallOptions): Promise<Answer<'listEvents'>>
  /** With its deliveries and their attempts. */
  get(id: string, options?: CallOptions): Promise<EventWithDeliveries>
  /**
   * Every event that matches, newest first; fetches a page (`limit`, default 100) on demand. With `after` it goes
   * upwards from that position and misses none: store the `position` of the last event you handled.
   */
  all(query?: QueryOf<'listEvents'>, options?: CallOptions): Rows<Event>
  /** Sends an event again, to one endpoint or to every enabled one that has a delivery of it. */
  redeliver(id: string, to?: RedeliverEvent, options?: CallOptions): Promise<EventWithDeliveries>
  /** Sends the events of a time range to one endpoint again; returns how many. */
  redeliverRange(range: RedeliverEvents, options?: CallOptions): Promise<RedeliveredEvents>
}

export function eventsOf(request: Call): Events {
  const list: Events['list'] = (query = {}, call = {}) => request('listEvents', { ...call, query })
  return {
    list,
    get: async (id, call = {}) => (await request('getEvent', { ...call, path: { eventID: id } })).data,
    all: (query = {}, call = {}) => {
      const limit = query.limit ?? largestPage
      if (query.after === undefined) {
        return allRows(query.offset ?? 0, (offset) => list({ ...query, limit, offset }, call))
      }
      return rowsAfter(query.after, (after) => list({ ...query, limit, after }, call))
    },
    redeliver: async (id, to = {}, call = {}) =>
      (await request('redeliverEvent', { ...call, path: { eventID: id }, body: to })).data,
    redeliverRange: async (range, call = {}) =>
      (await request('redeliverEvents', { ...call, body: range })).data,
  }
}
