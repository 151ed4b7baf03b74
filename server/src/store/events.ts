import { sql } from 'kysely'
import type { Caller } from '../domain/caller.ts'
import type { Environment } from '../domain/environment.ts'
import type { Page, PageRequest } from '../domain/page.ts'
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
    /** Appends what happened. Call it in the transaction that makes it happen. */
    async append({ merchantId, data, ...event }: NewEvent): Promise<void> {
      await db
        .insertInto('events')
        .values({ ...event, merchant_id: merchantId, data: JSON.stringify(data) })
        .execute()
    },

    async find(caller: Caller, id: string): Promise<Event | null> {
      return (await ofCaller(caller).select(columns).where('id', '=', id).executeTakeFirst()) ?? null
    },

    /** One page, newest first, and how many match in all, from one snapshot. */
    async list(caller: Caller, filter: { event: string | null } & PageRequest): Promise<Page<Event>> {
      const named =
        filter.event === null ? ofCaller(caller) : ofCaller(caller).where('event', '=', filter.event)
      const rows = await db
        .with('page', () =>
          named
            .select(columns)
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(filter.limit)
            .offset(filter.offset),
        )
        .with('counted', () => named.select(sql<number>`count(*)::int`.as('total')))
        .selectFrom('counted')
        .leftJoin('page', (join) => join.onTrue())
        .select(['counted.total', 'page.id', 'page.environment', 'page.event', 'page.data', 'page.createdAt'])
        .execute()
      return {
        // An empty page still has one row, which carries the total.
        rows: rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row as Event])),
        total: rows[0]?.total ?? 0,
      }
    },
  }
}
