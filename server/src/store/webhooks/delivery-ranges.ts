import { type Db, type Sql, sql } from '../sql.ts'
import { webhookDeliveryChannel } from './webhook-deliveries.ts'

/** The most events that one request sends again, or counts. */
export const mostRedelivered = 10_000
/** The most events of a range that one request looks at to find those. */
export const mostLookedAt = 100_000

/** The events of a time range that are meant for an endpoint. */
export type DeliveryRange = {
  readonly endpointId: string
  readonly from: Date
  readonly to: Date
  /** Only events with these names; null: all that the endpoint selects. */
  readonly events: readonly string[] | null
}

/** How many events of a range fared how. */
export type RangeCounts = {
  readonly succeeded: number
  readonly failed: number
  readonly untried: number
  readonly retrying: number
  readonly unsent: number
  /** Where the rest of the range begins; null if that was all. */
  readonly continueFrom: Date | null
}

/** The deliveries of time ranges. The oldest part of a long range is taken at a time: no request reads it all. */
export function deliveryRangesOn(db: Db) {
  /** Expressions `wanted`, the events with what became of them, and `rest`, where the rest of the range begins. */
  const partOf = (range: DeliveryRange, condition: Sql) => sql`
    looked as materialized (
      select events.id, events.event, events.created_at, endpoint.events as names
      from webhook_endpoints as endpoint
      join events on events.merchant_id = endpoint.merchant_id and events.environment = endpoint.environment
      where endpoint.id = ${range.endpointId} and events.created_at >= ${range.from} and events.created_at < ${range.to}
      order by events.created_at limit ${mostLookedAt + 1}
    ), end_of_look as (
      select case when count(*) > ${mostLookedAt} then max(created_at) end as at from looked
    ), found as materialized (
      select looked.id, looked.created_at, delivery.status, delivery.tries
      from looked cross join end_of_look
      left join lateral (
        select status, tries from webhook_deliveries
        where event_id = looked.id and endpoint_id = ${range.endpointId} offset 0
      ) as delivery on true
      where looked.event <> 'webhook.test' and (looked.names is null or looked.event = any (looked.names))
        and (${range.events === null} or looked.event = any (${range.events}::text[]))
        and (end_of_look.at is null or looked.created_at < end_of_look.at) and ${condition}
      order by looked.created_at limit ${mostRedelivered + 1}
    ), rest as (
      select case when (select count(*) from found) > ${mostRedelivered} then (select max(created_at) from found)
        else (select at from end_of_look) end as at
    ), wanted as (
      select found.id, found.status, found.tries from found order by found.created_at limit ${mostRedelivered}
    )`

  return {
    /** Counts what became of the events, the oldest first. */
    async count(range: DeliveryRange): Promise<RangeCounts> {
      return sql<RangeCounts>`
        with ${partOf(range, sql`true`)}
        select count(*) filter (where wanted.status = 'succeeded')::integer as succeeded,
          count(*) filter (where wanted.status = 'failed')::integer as failed,
          count(*) filter (where wanted.status = 'pending' and wanted.tries = 0)::integer as untried,
          count(*) filter (where wanted.status = 'pending' and wanted.tries > 0)::integer as retrying,
          count(*) filter (where wanted.status is null)::integer as unsent,
          (select at from rest) as "continueFrom"
        from wanted`.one(db)
    },

    /**
     * Sends the endpoint these events again, the oldest first, or only those whose delivery failed. Includes events that it was never
     * sent but subscribes to.
     */
    async askAgain(
      range: DeliveryRange,
      onlyFailed: boolean,
    ): Promise<{ count: number; continueFrom: Date | null }> {
      const condition = onlyFailed ? sql`delivery.status = 'failed'` : sql`true`
      const asked = await sql<{ count: number; continueFrom: Date | null }>`
        with ${partOf(range, condition)}, asked as (
          insert into webhook_deliveries (event_id, endpoint_id) select id, ${range.endpointId} from wanted
          on conflict (event_id, endpoint_id) do update set status = 'pending', tries = 0, claimed = false,
            due_at = clock_timestamp()
          returning 1
        )
        select (select count(*) from asked)::integer as count, at as "continueFrom" from rest`.one(db)
      await sql`select pg_notify(${webhookDeliveryChannel}, '')`.run(db)
      return asked
    },
  }
}
