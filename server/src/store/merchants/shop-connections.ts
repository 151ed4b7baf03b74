import type { Caller } from '../../domain/caller.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import type { ShopPermission } from '../../domain/shops.ts'
import { type Db, sql } from '../sql.ts'
import type { WebhookEndpoint } from '../webhooks/webhook-endpoints.ts'

type Shop = {
  readonly id: string
  readonly merchantId: string
  readonly environment: Environment
  readonly app: string
  readonly name: string
  readonly returnUrl: string
  readonly webhookUrl: string
  readonly permissions: readonly ShopPermission[]
  /** The id of the user who allowed it. */
  readonly allowedBy: string
}

export type NewShopOffer = Shop & { readonly codeHash: Buffer; readonly challenge: Buffer }

/** A shop that was allowed to connect and has not done so yet. */
export type ShopOffer = Shop & { readonly allowedByName: string; readonly merchantName: string }

/** A shop that is connected, or was. */
export type ConnectedShop = Shop & {
  readonly allowedByName: string
  readonly keyId: string
  readonly endpointId: string
  readonly keyRevokedAt: Date | null
  readonly endpointStatus: WebhookEndpoint['status']
  readonly connectedAt: Date
  readonly disconnectedAt: Date | null
}

type Owner = Pick<Caller, 'merchantId' | 'environment'>

const columns = sql`
  shop.id, shop.merchant_id as "merchantId", shop.environment, shop.app, shop.name, shop.return_url as "returnUrl",
  shop.webhook_url as "webhookUrl", shop.permissions, shop.allowed_by as "allowedBy", users.name as "allowedByName"`
const isOpen = sql`shop.connected_at is null and shop.expires_at > clock_timestamp()`
const connected = sql`
  select ${columns}, shop.key_id as "keyId", shop.endpoint_id as "endpointId", api_keys.revoked_at as "keyRevokedAt",
    endpoint.status as "endpointStatus", shop.connected_at as "connectedAt", shop.disconnected_at as "disconnectedAt"
  from shop_connections as shop
  join users on users.id = shop.allowed_by
  join api_keys on api_keys.id = shop.key_id
  join webhook_endpoints as endpoint on endpoint.id = shop.endpoint_id`

export function shopConnectionsOn(db: Db) {
  const ofOwner = ({ merchantId, environment }: Owner) =>
    sql`shop.merchant_id = ${merchantId} and shop.environment = ${environment}`

  return {
    /** Adds an offer and returns when it expires. */
    async offer(shop: NewShopOffer, goodMs: number): Promise<Date> {
      const { expiresAt } = await sql<{ expiresAt: Date }>`
        insert into shop_connections (id, merchant_id, environment, app, name, return_url, webhook_url, permissions,
          allowed_by, code_hash, challenge, expires_at)
        values (${shop.id}, ${shop.merchantId}, ${shop.environment}, ${shop.app}, ${shop.name}, ${shop.returnUrl},
          ${shop.webhookUrl}, ${[...shop.permissions]}::text[], ${shop.allowedBy}, ${shop.codeHash}, ${shop.challenge},
          clock_timestamp() + ${goodMs} * interval '1 millisecond')
        returning expires_at as "expiresAt"`.one(db)
      return expiresAt
    },

    /** The offer with this code and challenge, unless it was taken up or has expired, or its user is disabled. */
    async findOffer(codeHash: Buffer, challenge: Buffer): Promise<ShopOffer | null> {
      return sql<ShopOffer>`
        select ${columns}, merchants.name as "merchantName"
        from shop_connections as shop join merchants on merchants.id = shop.merchant_id
        join users on users.id = shop.allowed_by and users.disabled_at is null
        where shop.code_hash = ${codeHash} and shop.challenge = ${challenge} and ${isOpen}`.maybeOne(db)
    },

    /** Takes up an offer and returns when. Null if it was taken up or has expired meanwhile. */
    async connect(id: string, keyId: string, endpointId: string): Promise<Date | null> {
      const taken = await sql<{ connectedAt: Date }>`
        update shop_connections as shop
        set connected_at = clock_timestamp(), key_id = ${keyId}, endpoint_id = ${endpointId}
        where shop.id = ${id} and ${isOpen} returning connected_at as "connectedAt"`.maybeOne(db)
      return taken?.connectedAt ?? null
    },

    /** The owner's connections with this webhook URL that have not ended. */
    async withWebhook(owner: Owner, webhookUrl: string): Promise<ConnectedShop[]> {
      return sql<ConnectedShop>`
        ${connected} where ${ofOwner(owner)} and shop.webhook_url = ${webhookUrl}
          and shop.connected_at is not null and shop.disconnected_at is null
        order by shop.position`.rows(db)
    },

    async find(owner: Owner, id: string): Promise<ConnectedShop | null> {
      return sql<ConnectedShop>`
        ${connected} where ${ofOwner(owner)} and shop.id = ${id} and shop.connected_at is not null`.maybeOne(
        db,
      )
    },

    /** One page, newest first. There are few, so they are counted. */
    async list(owner: Owner, asked: PageRequest): Promise<Page<ConnectedShop>> {
      const rows = await sql<ConnectedShop>`
        ${connected} where ${ofOwner(owner)} and shop.connected_at is not null
        order by shop.position desc`.rows(db)
      return { rows: rows.slice(asked.offset, asked.offset + asked.limit), total: rows.length }
    },

    /** Ends a connection. False if it had ended. */
    async end(id: string): Promise<boolean> {
      const ended = await sql`
        update shop_connections set disconnected_at = clock_timestamp()
        where id = ${id} and disconnected_at is null`.run(db)
      return ended > 0
    },

    /** Deletes offers that expired a day ago, at most `limit` at a time. Returns how many. */
    async forget(limit: number): Promise<number> {
      return sql`
        delete from shop_connections where id in (
          select id from shop_connections
          where connected_at is null and expires_at < clock_timestamp() - interval '1 day'
          order by expires_at limit ${limit} for update skip locked)`.run(db)
    },
  }
}
