import type { Environment } from '../../domain/environment.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import type { ExportPage } from '../reports/export-page.ts'
import { pageOf } from '../reports/page-of.ts'
import { type Db, type Sql, sql } from '../sql.ts'
import type { Attempt, Delivery } from './webhook-deliveries.ts'

/** A delivery with the event that was sent. */
export type EndpointDelivery = Omit<Delivery, 'log' | 'url' | 'endpointId'> & {
  readonly eventId: string
  readonly event: string
  readonly environment: Environment
  readonly eventCreatedAt: Date
  /** The event's data as JSON text. */
  readonly data: string
  readonly log: readonly SignedAttempt[]
}

export type DeliveryFilter = {
  readonly status: string | null
  readonly from?: Date | null
  readonly to?: Date | null
}

/** A delivery with its last attempt. */
export type ExportedDelivery = Omit<EndpointDelivery, 'log' | 'data' | 'environment' | 'eventCreatedAt'> & {
  readonly lastStatusCode: number | null
  readonly lastDurationMs: number | null
  readonly lastError: string | null
}

/** How far the deliveries were read; the time is to the microsecond. */
export type DeliveryPlace = { readonly at: string; readonly id: string }

export type SignedAttempt = Attempt & {
  /** In seconds since 1970; null for an attempt from before this was recorded. */
  readonly signedAt: number | null
  readonly signature: string | null
}

type Row = Omit<EndpointDelivery, 'log'> & {
  readonly log: (Omit<SignedAttempt, 'at'> & { readonly at: string })[] | null
}

// Counting all deliveries of 90 days would take longer the more there are.
const leastCounted = 1_000

export function endpointDeliveriesOn(db: Db) {
  return {
    /**
     * One page of an endpoint's deliveries, newest first. The total is exact up to 1,000; from there on it may stop at one more
     * than the end of the page.
     */
    async list(endpointId: string, filter: DeliveryFilter & PageRequest): Promise<Page<EndpointDelivery>> {
      const wanted = wantedDeliveries(endpointId, filter)
      const end = filter.offset + filter.limit + 1
      const counted = end <= leastCounted ? sql.lit(leastCounted) : sql`${end}`
      const order = sql`created_at desc, id desc`
      const page = pageOf(sql`select * from webhook_deliveries where ${wanted}`, order, filter)
      const { total } = await sql<{ total: bigint }>`
        select count(*) as total from (select from webhook_deliveries where ${wanted} limit ${counted}) as first`.one(
        db,
      )
      const rows = await sql<Row>`
        with page as materialized (${page})
        select page.id, page.status, page.attempts, page.due_at as "nextAttemptAt",
          page.last_attempt_at as "lastAttemptAt", page.created_at as "createdAt", page.event_id as "eventId",
          events.event, events.environment, events.created_at as "eventCreatedAt", events.data::text as data, (
            select json_agg(json_build_object('number', attempt.number, 'at', attempt.attempted_at,
              'statusCode', attempt.status_code, 'durationMs', attempt.duration_ms, 'error', attempt.error,
              'answer', attempt.answer, 'signedAt', attempt.signed_at, 'signature', attempt.signature)
              order by attempt.number)
            from webhook_attempts as attempt where attempt.delivery_id = page.id
          ) as log
        from page cross join lateral (select * from events where id = page.event_id offset 0) as events
        order by page.created_at desc, page.id desc`.rows(db)
      return {
        rows: rows.map(({ log, ...delivery }) => ({
          ...delivery,
          log: (log ?? []).map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
        })),
        total: Number(total),
      }
    },

    /** The rows of that list after a place, without the total, and without what was sent. */
    async exportPage(
      endpointId: string,
      filter: DeliveryFilter,
      after: DeliveryPlace | null,
      limit: number,
    ): Promise<ExportPage<ExportedDelivery, DeliveryPlace>> {
      const beyond =
        after === null ? sql`` : sql`and (created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`
      const rows = await sql<ExportedDelivery & DeliveryPlace>`
        with page as materialized (
          select * from webhook_deliveries where ${wantedDeliveries(endpointId, filter)} ${beyond}
          order by created_at desc, id desc limit ${limit}
        )
        select page.id, page.created_at::text as at, page.status, page.attempts, page.due_at as "nextAttemptAt",
          page.last_attempt_at as "lastAttemptAt", page.created_at as "createdAt", page.event_id as "eventId",
          events.event, last.status_code as "lastStatusCode", last.duration_ms as "lastDurationMs", last.error as "lastError"
        from page cross join lateral (select event from events where id = page.event_id offset 0) as events
        left join lateral (
          select status_code, duration_ms, error from webhook_attempts as attempt
          where attempt.delivery_id = page.id order by attempt.number desc limit 1
        ) as last on true
        order by page.created_at desc, page.id desc`.rows(db)
      const end = rows.length < limit ? undefined : rows.at(-1)
      return { rows, next: end === undefined ? null : { at: end.at, id: end.id } }
    },
  }
}

function wantedDeliveries(endpointId: string, { status, from = null, to = null }: DeliveryFilter): Sql {
  // The status is named in the text: the indexes of pending and of failed deliveries serve no other one.
  return sql`endpoint_id = ${endpointId}
    ${status === null ? sql`` : sql`and status = ${sql.lit(status)}`}
    ${from === null ? sql`` : sql`and created_at >= ${from}`}
    ${to === null ? sql`` : sql`and created_at < ${to}`}`
}
