import type { Caller } from '../../domain/caller.ts'
import { type Db, type Sql, sql } from '../sql.ts'

/** How many of an endpoint's newest deliveries are counted. */
const mostCounted = 2_000
/** Up to how many waiting deliveries are counted. */
const mostWaiting = 1_000
/** A merchant has fewer; no loop without an end. */
const mostEndpoints = 100

/** How deliveries of some time went. */
export type DeliveryFigures = {
  readonly succeeded: number
  readonly failed: number
  /** How long attempts took; null without attempts. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  /** Since when deliveries are counted, if there are too many to count all. */
  readonly from: Date | null
}

/** How well an endpoint is reached. */
export type EndpointFigures = {
  readonly endpointId: string
  readonly day: DeliveryFigures
  readonly week: DeliveryFigures
  readonly waiting: number
  readonly waitingHasMore: boolean
  readonly nextAttemptAt: Date | null
}

type Row = Pick<EndpointFigures, 'endpointId' | 'waiting' | 'waitingHasMore' | 'nextAttemptAt'> & {
  readonly newestOfDay: number
  readonly newest: number
  readonly oldestCounted: Date | null
  readonly daySucceeded: number
  readonly dayFailed: number
  readonly dayP50: number | null
  readonly dayP95: number | null
  readonly weekSucceeded: number
  readonly weekFailed: number
  readonly weekP50: number | null
  readonly weekP95: number | null
}

export function endpointFiguresOn(db: Db) {
  return {
    /** The figures of all endpoints of a merchant in an environment, over the newest deliveries of seven days. */
    async list(owner: Pick<Caller, 'merchantId' | 'environment'>): Promise<EndpointFigures[]> {
      const ofDay = sql`recent.created_at >= statement_timestamp() - interval '1 day'`
      const count = (status: string, condition: Sql) =>
        sql`(select count(*) filter (where recent.status = ${sql.lit(status)} and ${condition})::integer from recent)`
      const percentile = (share: string, condition: Sql) => sql`(
        select percentile_disc(${sql.lit(share)}::float8) within group (order by attempt.duration_ms)
        from recent join webhook_attempts as attempt on attempt.delivery_id = recent.id where ${condition})`
      const rows = await sql<Row>`
        select endpoint.id as "endpointId", figures.*, waiting.* from webhook_endpoints as endpoint
        cross join lateral (
          with recent as materialized (
            select id, status, created_at from webhook_deliveries
            where endpoint_id = endpoint.id and created_at >= statement_timestamp() - interval '7 days'
            order by created_at desc, id desc limit ${mostCounted}
          )
          select (select count(*)::integer from recent) as newest,
            (select count(*)::integer from recent where ${ofDay}) as "newestOfDay",
            (select min(created_at) from recent) as "oldestCounted",
            ${count('succeeded', ofDay)} as "daySucceeded", ${count('failed', ofDay)} as "dayFailed",
            ${percentile('0.5', ofDay)} as "dayP50", ${percentile('0.95', ofDay)} as "dayP95",
            ${count('succeeded', sql`true`)} as "weekSucceeded", ${count('failed', sql`true`)} as "weekFailed",
            ${percentile('0.5', sql`true`)} as "weekP50", ${percentile('0.95', sql`true`)} as "weekP95"
        ) as figures
        cross join lateral (
          select least(count(*), ${mostWaiting})::integer as waiting, count(*) > ${mostWaiting} as "waitingHasMore",
            min(due_at) filter (where not claimed) as "nextAttemptAt"
          from (
            select due_at, claimed from webhook_deliveries where endpoint_id = endpoint.id and status = 'pending'
            order by due_at limit ${mostWaiting + 1}
          ) as pending
        ) as waiting
        where endpoint.merchant_id = ${owner.merchantId} and endpoint.environment = ${owner.environment}
          and endpoint.status <> 'deleted'
        order by endpoint.position desc limit ${mostEndpoints}`.rows(db)
      return rows.map((row) => {
        const from = (counted: number) => (counted === mostCounted ? row.oldestCounted : null)
        return {
          endpointId: row.endpointId,
          day: {
            succeeded: row.daySucceeded,
            failed: row.dayFailed,
            p50Ms: row.dayP50,
            p95Ms: row.dayP95,
            from: from(row.newestOfDay),
          },
          week: {
            succeeded: row.weekSucceeded,
            failed: row.weekFailed,
            p50Ms: row.weekP50,
            p95Ms: row.weekP95,
            from: from(row.newest),
          },
          waiting: row.waiting,
          waitingHasMore: row.waitingHasMore,
          nextAttemptAt: row.nextAttemptAt,
        }
      })
    },
  }
}
