import type { Caller } from '../../domain/caller.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import { type Db, sql } from '../sql.ts'

export type WebhookEndpoint = {
  readonly id: string
  readonly merchantId: string
  readonly environment: Environment
  readonly url: string
  /** Null for every event. */
  readonly events: readonly string[] | null
  readonly description: string | null
  readonly status: 'enabled' | 'disabled' | 'deleted'
  readonly disabledReason: string | null
  readonly disabledAt: Date | null
  /** Until when the previous secret signs too. */
  readonly previousUntil: Date | null
  readonly createdAt: Date
}

export type NewWebhookEndpoint = Pick<
  WebhookEndpoint,
  'id' | 'merchantId' | 'environment' | 'url' | 'events' | 'description'
> & { readonly secret: Buffer }

type Owner = Pick<Caller, 'merchantId' | 'environment'>

const columns = sql`
  id, merchant_id as "merchantId", environment, url, events, description, status,
  disabled_reason as "disabledReason", disabled_at as "disabledAt",
  case when previous_until > clock_timestamp() then previous_until end as "previousUntil", created_at as "createdAt"`

export function webhookEndpointsOn(db: Db) {
  const ofOwner = (owner: Owner) =>
    sql`merchant_id = ${owner.merchantId} and environment = ${owner.environment} and status <> 'deleted'`

  /** Keeps others from adding an endpoint for this owner until the transaction ends. */
  async function hold(owner: Owner): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${owner.merchantId} ${owner.environment}`}, 0))`.run(
      db,
    )
  }

  return {
    hold,

    /** Counts the owner's endpoints, and keeps others from adding one until the transaction ends. */
    async holdAndCount(owner: Owner): Promise<number> {
      await hold(owner)
      const { count } = await sql<{ count: number }>`
        select count(*)::integer as count from webhook_endpoints where ${ofOwner(owner)}`.one(db)
      return count
    },

    async insert(endpoint: NewWebhookEndpoint): Promise<WebhookEndpoint> {
      return sql<WebhookEndpoint>`
        insert into webhook_endpoints (id, merchant_id, environment, url, events, description, secret)
        values (${endpoint.id}, ${endpoint.merchantId}, ${endpoint.environment}, ${endpoint.url},
          ${endpoint.events}::text[], ${endpoint.description}, ${endpoint.secret})
        returning ${columns}`.one(db)
    },

    /** Some enabled endpoints of all merchants, newest first. */
    async sample(limit: number): Promise<Pick<WebhookEndpoint, 'url' | 'environment'>[]> {
      return sql<Pick<WebhookEndpoint, 'url' | 'environment'>>`
        select url, environment from webhook_endpoints where status = 'enabled'
        order by position desc limit ${limit}`.rows(db)
    },

    async find(owner: Owner, id: string): Promise<WebhookEndpoint | null> {
      return sql<WebhookEndpoint>`
        select ${columns} from webhook_endpoints where id = ${id} and ${ofOwner(owner)}`.maybeOne(db)
    },

    /** One page, newest first. There are few, so they are counted. */
    async list(owner: Owner, asked: PageRequest): Promise<Page<WebhookEndpoint>> {
      const rows = await sql<WebhookEndpoint & { total: number }>`
        select ${columns}, count(*) over ()::integer as total from webhook_endpoints
        where ${ofOwner(owner)} order by position desc`.rows(db)
      return { rows: rows.slice(asked.offset, asked.offset + asked.limit), total: rows[0]?.total ?? 0 }
    },

    /** Deletes an endpoint: nothing more is sent to it. Its past deliveries stay visible. */
    async remove(owner: Owner, id: string): Promise<WebhookEndpoint | null> {
      return sql<WebhookEndpoint>`
        update webhook_endpoints set status = 'deleted', disabled_reason = null, disabled_at = null,
          previous_secret = null, previous_until = null
        where id = ${id} and ${ofOwner(owner)} returning ${columns}`.maybeOne(db)
    },

    /** Gives the endpoint a new secret; the old one keeps signing for a while. */
    async rotate(
      owner: Owner,
      id: string,
      secret: Buffer,
      overlapSeconds: number,
    ): Promise<WebhookEndpoint | null> {
      return sql<WebhookEndpoint>`
        update webhook_endpoints set previous_secret = secret, secret = ${secret},
          previous_until = clock_timestamp() + ${overlapSeconds} * interval '1 second'
        where id = ${id} and ${ofOwner(owner)} returning ${columns}`.maybeOne(db)
    },

    /** Enables a disabled endpoint again, for events from now on. */
    async enable(owner: Owner, id: string): Promise<WebhookEndpoint | null> {
      return sql<WebhookEndpoint>`
        update webhook_endpoints set status = 'enabled', disabled_reason = null, disabled_at = null, failing_since = null
        where id = ${id} and ${ofOwner(owner)} returning ${columns}`.maybeOne(db)
    },

    /** The sealed secrets that currently sign for each endpoint. */
    async secrets(ids: readonly string[]): Promise<Map<string, readonly Buffer[]>> {
      const rows = await sql<{ id: string; secret: Buffer; previous: Buffer | null }>`
        select id, secret, case when previous_until > clock_timestamp() then previous_secret end as previous
        from webhook_endpoints where id = any(${[...ids]}::uuid[])`.rows(db)
      return new Map(
        rows.map(({ id, secret, previous }) => [id, previous === null ? [secret] : [secret, previous]]),
      )
    },
  }
}
