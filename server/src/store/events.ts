import { sql } from 'kysely'
import type { Caller } from '../domain/caller.ts'
import type { Environment } from '../domain/environment.ts'
import type { Page, PageRequest } from '../domain/page.ts'
import { pageStart, totalOf } from './counts.ts'
import type { Db } from './database.ts'

export type Event = {
  readonly id: string
  readonly environment: Environment
  readonly event: string
  readonly data: Record<string, unknown>
  readonly createdAt: Date
}

export type NewEvent = Omit<Event, 'createdAt' | 'data'> & {
  readonly merchantId: string
  readonly data: object
}

export function eventsOn(db: Db) {
  const ofCaller = (caller: Caller) =>
    db
      .selectFrom('events')
      .where('merchant_id', '=', caller.merchantId)
      .where('environment', '=', caller.environment)

  const columns = [
    'id',
    sql<Environment>`environment`.as('environment'),
    'event',
    sql<Record<string, unknown>>`data`.as('data'),
    'created_at as createdAt',
  ] as const

  return {
    /** Appends what happened, in order. Call it in the transaction that makes it happen. */
    async append(...events: readonly NewEvent[]): Promise<void> {
      if (events.length === 0) return
      const records = events.map(({ merchantId, ...event }, order) => ({
        ...event,
        merchant_id: merchantId,
        order,
      }))
      await sql`
        insert into events (id, merchant_id, environment, event, data)
        select id, merchant_id, environment, event, data
        from json_to_recordset(${JSON.stringify(records)}::json) as event
          (id uuid, merchant_id uuid, environment text, event text, data json, "order" integer)
        order by "order"`.execute(db)
    },

    async find(caller: Caller, id: string): Promise<Event | null> {
      return (await ofCaller(caller).select(columns).where('id', '=', id).executeTakeFirst()) ?? null
    },

    /** One page, newest first, and how many match in all, from one snapshot. */
    async list(caller: Caller, filter: { event: string | null } & PageRequest): Promise<Page<Event>> {
      const named = filter.event === null ? sql`` : sql`and events.event = ${filter.event}`
      const wanted = sql`events.merchant_id = ${caller.merchantId} and events.environment = ${caller.environment} ${named}`
      // The rows are looked up only after the page was found: what is skipped is read from the index alone.
      const { rows } = await sql<Event & { total: bigint }>`
        with start as materialized (${pageStart('events', caller, { facet: filter.event }, filter.offset)}),
        found as materialized (
          select position from events where ${wanted} and position <= (select top from start)
          order by position desc limit ${filter.limit} offset (select rest from start)
        )
        select ${totalOf('events', caller, { facet: filter.event })} as total,
          events.id, events.environment, events.event, events.data, events.created_at as "createdAt"
        from (select) as one
        left join (found join events on events.position = found.position and ${wanted}) on true
        order by found.position desc`.execute(db)
      return {
        // An empty page still has one row, which carries the total.
        rows: rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row])),
        total: Number(rows[0]?.total ?? 0n),
      }
    },
  }
}
