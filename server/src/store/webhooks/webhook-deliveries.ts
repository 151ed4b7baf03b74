import type { Environment } from '../../domain/environment.ts'
import { say } from '../../domain/reasons/reasons.ts'
import { type Db, sql } from '../sql.ts'
import { busyEndpoints } from './busy-endpoints.ts'

/** Notified when deliveries were added or requested again. */
export const webhookDeliveryChannel = 'webhook_delivery_due'

/** A delivery that this process is to attempt now. */
export type ClaimedDelivery = {
  readonly id: string
  readonly endpointId: string
  readonly url: string
  /** How many scheduled attempts were made since it was last requested. */
  readonly tries: number
  readonly eventId: string
  readonly event: string
  readonly environment: Environment
  readonly eventCreatedAt: Date
  /** The event's data as JSON text, byte for byte the same at every attempt. */
  readonly data: string
  /** The span in which the event was appended, if it was traced. */
  readonly traceparent: string | null
}

/**
 * How many deliveries to one endpoint this process may have under way at once, depending on whether the endpoint accepted
 * the last ones. Each process counts its own, so that the claims of one that died use up nothing.
 */
export type EndpointLimits = {
  readonly sound: number
  readonly failing: number
  readonly underWay: ReadonlyMap<string, number>
  /** Endpoints that get nothing more for now. */
  readonly full: readonly string[]
}

/** The result of an attempt. */
export type AttemptResult = {
  readonly deliveryId: string
  readonly endpointId: string
  readonly succeeded: boolean
  /** When to try again; null after the last attempt or a success. */
  readonly retryInMs: number | null
  /** Set when the endpoint refuses all further events. */
  readonly disableReason: string | null
  readonly statusCode: number | null
  readonly durationMs: number
  readonly error: string | null
  readonly answer: string | null
  /** The time that was signed, in seconds since 1970, and the signature. */
  readonly signedAt: number
  readonly signature: string
}

export type Delivery = {
  readonly id: string
  readonly endpointId: string
  readonly url: string
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly attempts: number
  readonly nextAttemptAt: Date | null
  readonly lastAttemptAt: Date | null
  readonly createdAt: Date
  readonly log: readonly Attempt[]
}

export type Attempt = {
  readonly number: number
  readonly at: Date
  readonly statusCode: number | null
  readonly durationMs: number
  readonly error: string | null
  readonly answer: string | null
}

// No harm is done if a claim is lost because the database's machine fails, so the commit does not wait for the disk.
const withoutWaiting = sql`set_config('synchronous_commit', 'off', true)`

export function webhookDeliveriesOn(db: Db) {
  /** Gives up the pending deliveries to an endpoint that was deleted or disabled. */
  async function giveUp(endpointId: string): Promise<void> {
    await sql`
      update webhook_deliveries set status = 'failed', due_at = null, claimed = false
      where endpoint_id = ${endpointId} and status = 'pending'`.run(db)
  }

  return {
    /**
     * Claims due deliveries. What this process has under way to one endpoint is limited, so that a slow endpoint does not
     * hold up others. The endpoint with the least under way comes first, so that none takes all the room there is. Only
     * endpoints with something to deliver are read, however many there are.
     */
    async claim(limit: number, claimMs: number, limits: EndpointLimits): Promise<ClaimedDelivery[]> {
      const { underWay, full } = limits
      // Uses the statement's time, by which an index can be searched: a dead endpoint's backlog is not read through.
      return sql<ClaimedDelivery & { set_config: string }>`
        with recursive ${busyEndpoints}, room as (
          select endpoint.id, coalesce(own.held, 0) as held,
            case when endpoint.failing_since is null then ${limits.sound}::integer
              else ${limits.failing}::integer end as allowed
          from busy join webhook_endpoints as endpoint on endpoint.id = busy.endpoint_id
          left join unnest(${[...underWay.keys()]}::uuid[], ${[...underWay.values()]}::integer[]) as own (id, held)
            on own.id = endpoint.id
          where endpoint.status = 'enabled' and endpoint.id <> all (${[...full]}::uuid[])
        ), fair as (
          select due.id from room cross join lateral (
            select first.id, first.due_at, room.held + row_number() over (order by first.due_at) as turn from (
              select id, due_at from webhook_deliveries
              where endpoint_id = room.id and status = 'pending' and due_at <= statement_timestamp()
              order by due_at limit greatest(room.allowed - room.held, 0)
            ) as first
          ) as due
          order by due.turn, due.due_at limit ${limit}
        ), picked as (
          select id from webhook_deliveries
          where id = any (array(select id from fair)) and status = 'pending' and due_at <= statement_timestamp()
          for update skip locked
        ), claimed as (
          update webhook_deliveries as delivery
          set claimed = true, due_at = clock_timestamp() + ${claimMs} * interval '1 millisecond'
          where delivery.id = any (array(select id from picked))
          returning delivery.id, delivery.endpoint_id, delivery.event_id, delivery.tries
        )
        select claimed.id, claimed.endpoint_id as "endpointId", endpoint.url, claimed.tries,
          claimed.event_id as "eventId", events.event, events.environment,
          events.created_at as "eventCreatedAt", events.data::text as data,
          events.traceparent, ${withoutWaiting}
        from claimed
        join webhook_endpoints as endpoint on endpoint.id = claimed.endpoint_id
        cross join lateral (select * from events where id = claimed.event_id offset 0) as events`.rows(db)
    },

    /** Renews the claims on deliveries that are under way. Skips those whose result is being written at this moment. */
    async renew(ids: readonly string[], claimMs: number): Promise<void> {
      await sql`
        with held as (
          select id from webhook_deliveries where id = any (${[...ids]}::uuid[]) and claimed for update skip locked
        )
        update webhook_deliveries as delivery set due_at = clock_timestamp() + ${claimMs} * interval '1 millisecond'
        from held where delivery.id = held.id`.run(db)
    },

    /** Releases a claimed delivery that was not attempted. */
    async putBack(id: string, waitMs: number): Promise<void> {
      await sql`
        update webhook_deliveries set claimed = false, due_at = clock_timestamp() + ${waitMs} * interval '1 millisecond'
        where id = ${id} and status = 'pending'`.run(db)
    },

    /**
     * Saves the results of attempts, and updates deliveries and endpoints accordingly. A delivery that was asked for again
     * while its attempt was under way stays due: the attempt was not the answer to that.
     */
    async saveResults(results: readonly AttemptResult[], disableAfterDays: number): Promise<void> {
      const json = JSON.stringify(
        results.map((result) => ({
          delivery_id: result.deliveryId,
          endpoint_id: result.endpointId,
          succeeded: result.succeeded,
          retry_in_ms: result.retryInMs,
          disable_reason: result.disableReason,
          status_code: result.statusCode,
          duration_ms: result.durationMs,
          error: result.error,
          answer: result.answer,
          signed_at: result.signedAt,
          signature: result.signature,
        })),
      )
      await sql`
        with result as (
          select * from json_to_recordset(${json}::json) as result (delivery_id uuid, endpoint_id uuid, succeeded boolean,
            retry_in_ms bigint, disable_reason text, status_code integer, duration_ms integer, error text, answer text,
            signed_at bigint, signature text)
        ), saved as (
          update webhook_deliveries as delivery set attempts = delivery.attempts + 1,
            tries = delivery.tries + delivery.claimed::integer, claimed = false, last_attempt_at = clock_timestamp(),
            status = case when not delivery.claimed then 'pending' when result.succeeded then 'succeeded'
              when result.retry_in_ms is null then 'failed' else 'pending' end,
            due_at = case when not delivery.claimed then delivery.due_at
              when not result.succeeded then clock_timestamp() + result.retry_in_ms * interval '1 millisecond' end
          from result where delivery.id = result.delivery_id and delivery.status = 'pending'
            and delivery.id = any (${results.map(({ deliveryId }) => deliveryId)}::uuid[])
          returning delivery.id, delivery.attempts
        )
        insert into webhook_attempts (delivery_id, number, attempted_at, status_code, duration_ms, error, answer,
          signed_at, signature)
        select saved.id, saved.attempts, clock_timestamp() - result.duration_ms * interval '1 millisecond',
          result.status_code, result.duration_ms, result.error, result.answer, result.signed_at, result.signature
        from saved join result on result.delivery_id = saved.id`.run(db)
      const changed = await sql<{ id: string; status: string }>`
        with result as (
          select endpoint_id, bool_or(succeeded) as succeeded, min(disable_reason) as disable_reason
          from json_to_recordset(${json}::json) as result (endpoint_id uuid, succeeded boolean, disable_reason text)
          group by endpoint_id
        )
        update webhook_endpoints as endpoint set
          failing_since = case when result.succeeded then null else coalesce(endpoint.failing_since, clock_timestamp()) end,
          status = case when decided.reason is null then endpoint.status else 'disabled' end,
          disabled_reason = decided.reason,
          disabled_at = case when decided.reason is not null then clock_timestamp() end
        from result
        join webhook_endpoints as before on before.id = result.endpoint_id
        cross join lateral (select coalesce(result.disable_reason, case
          when not result.succeeded and before.failing_since < clock_timestamp() - ${disableAfterDays} * interval '1 day'
          then ${say('endpoint_silent', { days: disableAfterDays })} end) as reason) as decided
        where endpoint.id = result.endpoint_id and endpoint.status = 'enabled'
          and (decided.reason is not null or result.succeeded = (endpoint.failing_since is not null))
        returning endpoint.id, endpoint.status`.rows(db)
      for (const { id, status } of changed) if (status === 'disabled') await giveUp(id)
    },

    async ofEvent(eventId: string): Promise<Delivery[]> {
      const rows = await sql<
        Omit<Delivery, 'log'> & { log: (Omit<Attempt, 'at'> & { at: string })[] | null }
      >`
        select delivery.id, delivery.endpoint_id as "endpointId", endpoint.url, delivery.status, delivery.attempts,
          delivery.due_at as "nextAttemptAt", delivery.last_attempt_at as "lastAttemptAt",
          delivery.created_at as "createdAt", (
            select json_agg(json_build_object('number', attempt.number, 'at', attempt.attempted_at,
              'statusCode', attempt.status_code, 'durationMs', attempt.duration_ms, 'error', attempt.error,
              'answer', attempt.answer) order by attempt.number)
            from webhook_attempts as attempt where attempt.delivery_id = delivery.id
          ) as log
        from webhook_deliveries as delivery join webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id
        where delivery.event_id = ${eventId} order by delivery.created_at, delivery.id`.rows(db)
      return rows.map(({ log, ...delivery }) => ({
        ...delivery,
        log: (log ?? []).map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
      }))
    },

    /** The enabled endpoints that an event was, or is being, delivered to. */
    async endpointsOf(eventId: string): Promise<string[]> {
      const rows = await sql<{ id: string }>`
        select endpoint.id from webhook_deliveries as delivery
        join webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id
        where delivery.event_id = ${eventId} and endpoint.status = 'enabled'`.rows(db)
      return rows.map(({ id }) => id)
    },

    /** Sends an event to these endpoints again, even to one that it was never meant for. */
    async askAgain(eventId: string, endpointIds: readonly string[]): Promise<void> {
      await sql`
        insert into webhook_deliveries (event_id, endpoint_id)
        select ${eventId}, id from unnest(${[...endpointIds]}::uuid[]) as id
        on conflict (event_id, endpoint_id) do update set status = 'pending', tries = 0, claimed = false,
          due_at = clock_timestamp()`.run(db)
      await sql`select pg_notify(${webhookDeliveryChannel}, '')`.run(db)
    },

    giveUp,

    /** Deletes deliveries that ended long ago. Returns how many. */
    async forget(olderThanDays: number, limit: number): Promise<number> {
      const { count } = await sql<{ count: number }>`
        with old as (
          select delivery.id from webhook_endpoints as endpoint cross join lateral (
            select id from webhook_deliveries
            where endpoint_id = endpoint.id and status <> 'pending'
              and created_at < statement_timestamp() - ${olderThanDays} * interval '1 day'
            order by created_at limit ${limit}
          ) as delivery limit ${limit}
        ), gone as (
          delete from webhook_deliveries using old where webhook_deliveries.id = old.id returning 1
        )
        select count(*)::integer as count from gone`.one(db)
      return count
    },
  }
}
