import type { Caller } from '../../domain/caller.ts'
import type { Environment } from '../../domain/environment.ts'
import type { EventPosition } from '../../domain/event-position.ts'
import type { EventName } from '../../domain/events.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import { traceparentOf } from '../../tracing/span.ts'
import { type PageRow, pageFrom } from '../outer-rows.ts'
import { positionsOf, totalOf } from '../reports/counts.ts'
import { type ExportPage, nextPlace } from '../reports/export-page.ts'
import { afterPlace, ageOrder, type Place } from '../reports/list-page.ts'
import { pageOf } from '../reports/page-of.ts'
import { type Db, type Sql, sql } from '../sql.ts'
import { rowNow } from '../test-clocks.ts'

export type Event = {
  readonly id: string
  readonly environment: Environment
  readonly event: string
  readonly data: Record<string, unknown>
  readonly createdAt: Date
  readonly position: EventPosition
}

export type NewEvent = Omit<Event, 'createdAt' | 'data' | 'event' | 'position'> & {
  readonly event: EventName
  readonly merchantId: string
  readonly data: object
  /** The invoice, payout or refund that the event is about. */
  readonly resourceId: string | null
}

export type EventFilter = {
  readonly event: string | null
  readonly createdAfter: Date | null
  readonly createdBefore?: Date | null
  readonly resourceId: string | null
}

export type EventRow = Omit<Event, 'position'> & {
  readonly era: number
  readonly xid: string
  readonly place: bigint
}

const eventColumns = sql`id, environment, event, data, created_at as "createdAt", era, xid::text as xid, position as place`

/**
 * The first events after a position, of those that no open transaction can precede any more. The planner does not see the
 * position: of a row it looks at the first column alone, and since one era mostly holds all events, it would expect next to none
 * after it, and take any index that leads to the merchant's.
 */
export function firstAfter(matching: Sql, { era, xid, place }: EventPosition, limit: number): Sql {
  const after = sql`(era, xid, position) >
    ((select ${era}::integer), (select ${xid.toString()}::xid8), (select ${place.toString()}::bigint))`
  const settled = sql`(era < current_event_era() or xid < pg_snapshot_xmin(pg_current_snapshot()))`
  const rows = sql`select * from events where ${matching} and ${after} and ${settled}`
  // Sorted by the table's own columns: the xid in the result is text, in which 1000 comes before 999.
  const page = pageOf(rows, sql`era, xid, position`, { limit, offset: 0 })
  return sql`select ${eventColumns} from (${page}) as events`
}

export function eventsOn(db: Db) {
  return {
    /** Appends events, in order. Call it in the transaction that causes them. */
    async append(...events: readonly NewEvent[]): Promise<void> {
      if (events.length === 0) return
      await sql`
        insert into events (id, merchant_id, environment, event, data, resource_id, traceparent, created_at)
        select id, merchant_id, environment, event, data, resource_id, traceparent, ${rowNow}
        from json_to_recordset(${JSON.stringify(events.map(eventRecord))}::json) as event
          (id uuid, merchant_id uuid, environment text, event text, data json, resource_id uuid, traceparent text,
            "order" integer)
        order by "order"`.run(db)
    },

    async find(caller: Caller, id: string): Promise<Event | null> {
      const row = await sql<EventRow>`
        select ${eventColumns} from events where id = ${id} and ${ofCaller(caller)}`.maybeOne(db)
      return row === null ? null : eventFrom(row)
    },

    /** One page, newest first, with the total of matching rows, from one snapshot. */
    async list(caller: Caller, filter: EventFilter & PageRequest): Promise<Page<Event>> {
      const matching = conditions(caller, filter)
      const positions = isCounted(filter)
        ? positionsOf(
            'events',
            caller,
            { ...filter, facet: filter.event },
            { rows: sql`events where ${matching}` },
          )
        : sql`select position from events where ${matching}
            order by ${orderOf(filter)} limit ${filter.limit} offset ${filter.offset}`
      // Finds the page in the index alone, and reads rows only after that, by their positions and nothing else: by any other
      // condition another index might look as good.
      const rows = await sql<PageRow<EventRow>>`
        with found as materialized (${positions})
        select ${total(caller, filter, matching)} as total, page.*
        from (select) as one
        left join (found cross join lateral (
          select ${eventColumns} from events where events.position = found.position and ${ofCaller(caller)} offset 0
        ) as page) on true
        order by found.position desc`.rows(db)
      return pageFrom(rows, 'id', eventFrom)
    },

    /** The rows of that list after a place, without the total. A span of time is read by time. */
    async exportPage(
      caller: Caller,
      filter: EventFilter,
      after: Place | null,
      limit: number,
    ): Promise<ExportPage<Event, Place>> {
      const byTime = filter.createdAfter !== null || (filter.createdBefore ?? null) !== null
      const table = sql.ref('events')
      const beyond = after === null ? sql`` : sql`and ${afterPlace(table, byTime, after, false)}`
      const rows = await sql<EventRow & { readonly at: string }>`
        select ${eventColumns}, created_at::text as at from events where ${conditions(caller, filter)} ${beyond}
        order by ${ageOrder(table, byTime, false)} limit ${limit}`.rows(db)
      const places = rows.map(({ place, at }) => ({ position: place, at }))
      return { rows: rows.map(eventFrom), next: nextPlace(places, limit) }
    },

    /**
     * The events after a position, oldest first, and whether there are more. Shows only events that no open transaction can
     * precede any more, so a reader that continues from the last position misses nothing.
     */
    async listAfter(
      caller: Caller,
      filter: EventFilter & { readonly after: EventPosition; readonly limit: number },
    ): Promise<Page<Event> & { readonly hasMore: boolean }> {
      const matching = conditions(caller, filter)
      // Nor does the planner see the name: of a rare one it would expect next to none, and sort all that there are.
      const named = filter.event === null ? sql`` : sql`and event = (select ${filter.event}::text)`
      const others = conditions(caller, { ...filter, event: null })
      const rows = await sql<PageRow<EventRow>>`
        with page as (${firstAfter(sql`${others} ${named}`, filter.after, filter.limit + 1)})
        select ${total(caller, filter, matching)} as total, page.* from (select) as one left join page on true
        order by page.era, page.xid::numeric, page.place`.rows(db)
      const { rows: events, total: all } = pageFrom(rows, 'id', eventFrom)
      return { rows: events.slice(0, filter.limit), total: all, hasMore: events.length > filter.limit }
    },

    /**
     * Deletes the oldest events that are older than this and that no delivery refers to. The database refuses fewer than 90
     * days. Returns how many.
     */
    async forget(olderThanDays: number, limit: number): Promise<number> {
      const { count } = await sql<{ count: number }>`
        select forget_events(${olderThanDays}, ${limit}) as count`.one(db)
      return count
    },

    /** Begins a new era if the database was moved to another cluster, where transaction ids start again. */
    async beginEraIfMoved(): Promise<void> {
      await sql`
        insert into event_eras (era, system_identifier, database_oid)
        select last.era + 1, here.system_identifier, here.oid
        from (select * from event_eras order by era desc limit 1) as last
        cross join (
          select system_identifier, (select oid from pg_database where datname = current_database()) as oid
          from pg_control_system()
        ) as here
        where (last.system_identifier, last.database_oid) is distinct from (here.system_identifier, here.oid)
        on conflict do nothing`.run(db)
    },
  }
}

/** An event for `json_to_recordset`. */
export function eventRecord({ merchantId, resourceId, ...event }: NewEvent, order: number) {
  return {
    ...event,
    merchant_id: merchantId,
    resource_id: resourceId,
    traceparent: traceparentOf(resourceId),
    order,
  }
}

export function ofCaller(caller: Caller): Sql {
  return sql`merchant_id = ${caller.merchantId} and environment = ${caller.environment}`
}

function conditions(caller: Caller, filter: EventFilter): Sql {
  const { createdBefore = null } = filter
  const parts = [ofCaller(caller)]
  if (filter.event !== null) parts.push(sql`event = ${filter.event}`)
  if (filter.createdAfter !== null) parts.push(sql`created_at >= ${filter.createdAfter}`)
  if (createdBefore !== null) parts.push(sql`created_at < ${createdBefore}`)
  if (filter.resourceId !== null) parts.push(sql`resource_id = ${filter.resourceId}`)
  return sql.join(parts, sql` and `)
}

// A range that ended long ago is read by time, since by position everything newer would be read as well.
function orderOf({ createdBefore = null }: EventFilter): Sql {
  return createdBefore === null ? sql`position desc` : sql`created_at desc, position desc`
}

function isCounted({ createdAfter, createdBefore = null, resourceId }: EventFilter): boolean {
  return createdAfter === null && createdBefore === null && resourceId === null
}

// Totals are kept by event name. Finer filters match few events, or are rare, so those events are counted.
function total(caller: Caller, filter: EventFilter, matching: Sql): Sql<bigint> {
  return isCounted(filter)
    ? totalOf('events', caller, { facet: filter.event })
    : sql<bigint>`(select count(*) from events where ${matching})`
}

export function eventFrom({ id, environment, event, data, createdAt, era, xid, place }: EventRow): Event {
  return { id, environment, event, data, createdAt, position: { era, xid: BigInt(xid), place } }
}
