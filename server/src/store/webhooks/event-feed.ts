import type { Caller } from '../../domain/caller.ts'
import { type EventPosition, laterPosition } from '../../domain/event-position.ts'
import type { Absent } from '../outer-rows.ts'
import { type Db, sql } from '../sql.ts'
import { type Event, type EventRow, eventFrom, firstAfter, ofCaller } from './events.ts'

/** Notified with the ids of merchants that have a new event, separated by commas. */
export const eventAppended = 'event_appended'

/** What a reader gets at once. */
export type FeedPage = {
  /** Oldest first. */
  readonly events: readonly Event[]
  /** From where to continue: no event that was asked for and is not here can appear before it any more. */
  readonly position: EventPosition
  readonly hasMore: boolean
  /** Whether there are events that a transaction which is still open may precede. */
  readonly isHeldBack: boolean
}

type HeadRow = { readonly headEra: number; readonly headXid: string; readonly isHeldBack: boolean }

export function eventFeedOn(db: Db) {
  return {
    /** Where a reader begins that wants only what happens from now on. */
    async now(): Promise<EventPosition> {
      const { era, xid } = await sql<{ era: number; xid: string }>`
        select current_event_era() as era, pg_snapshot_xmin(pg_current_snapshot())::text as xid`.one(db)
      return { era, xid: BigInt(xid), place: 0n }
    },

    /** The events after a position, shown as soon as `listAfter` shows them, of these names or of all. */
    async read(
      caller: Caller,
      wanted: {
        readonly after: EventPosition
        readonly events: readonly string[] | null
        readonly limit: number
      },
    ): Promise<FeedPage> {
      const { after, limit } = wanted
      const named = wanted.events === null ? sql`true` : sql`event = any(${wanted.events}::text[])`
      // The same snapshot throughout: everything below its oldest open transaction is here, so reading can go on from there.
      const rows = await sql<HeadRow & (EventRow | Absent<EventRow>)>`
        with head as (select current_event_era() as era, pg_snapshot_xmin(pg_current_snapshot()) as xid),
        page as (${firstAfter(sql`${ofCaller(caller)} and ${named}`, after, limit + 1)})
        select head.era as "headEra", head.xid::text as "headXid", exists (
            select from events where ${ofCaller(caller)} and events.era = head.era and events.xid >= head.xid
          ) as "isHeldBack", page.*
        from head left join page on true
        order by page.era, page.xid::numeric, page.place`.rows(db)
      const [head] = rows
      if (head === undefined) throw new Error('The statement always returns a row.')
      const found = rows.flatMap((row) => (row.id === null ? [] : [eventFrom(row)]))
      const events = found.slice(0, limit)
      const hasMore = found.length > limit
      const end = { era: head.headEra, xid: BigInt(head.headXid), place: 0n }
      const last = events.at(-1)?.position ?? after
      return {
        events,
        position: hasMore ? last : laterPosition(last, end),
        hasMore,
        isHeldBack: head.isHeldBack,
      }
    },
  }
}
