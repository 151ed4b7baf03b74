import type { MerchantSettings } from '../../domain/caller.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import type { Permission } from '../../domain/permissions.ts'
import { type Db, type Sql, sql } from '../sql.ts'

/** The channel on which the database announces the id of a key that was changed or deleted. */
export const apiKeyChanged = 'api_key_changed'

export type ApiKey = {
  readonly id: string
  readonly merchantId: string
  readonly environment: Environment
  readonly name: string
  readonly hint: string
  readonly permissions: readonly Permission[]
  /** Refused from this time on; null when it does not expire. */
  readonly expiresAt: Date | null
  /** IP addresses and CIDR ranges that it may be used from; null when it may be used from anywhere. */
  readonly allowedIps: readonly string[] | null
  readonly lastUsedAt: Date | null
  /** `user:<id>` or `cli:<name>`; null where that was not recorded. */
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly revokedAt: Date | null
}

export type NewApiKey = Omit<ApiKey, 'createdAt' | 'revokedAt' | 'lastUsedAt'> & { readonly hash: Buffer }

/** A key with the name of the user who created it; null if no user did. */
export type ListedKey = ApiKey & { readonly createdByName: string | null }

/** A use of a key. */
export type KeyUse = { readonly keyId: string; readonly at: Date }

const columns = sql`
  api_keys.id, api_keys.merchant_id as "merchantId", api_keys.environment, api_keys.name, api_keys.hint,
  api_keys.permissions, api_keys.expires_at as "expiresAt", api_keys.allowed_ips as "allowedIps",
  api_keys.last_used_at as "lastUsedAt", api_keys.created_by as "createdBy", api_keys.created_at as "createdAt",
  api_keys.revoked_at as "revokedAt"`

const createdByName = sql`(
  select users.name from users where api_keys.created_by like 'user:%'
    and users.id = substr(api_keys.created_by, 6)::uuid) as "createdByName"`

export function apiKeysOn(db: Db) {
  const list = async (where: Sql): Promise<ApiKey[]> => {
    return sql<ApiKey>`
      select ${columns} from api_keys ${where} order by api_keys.created_at, api_keys.id`.rows(db)
  }

  async function find(id: string): Promise<ListedKey | null> {
    return sql<ListedKey>`
      select ${columns}, ${createdByName} from api_keys where id = ${id}`.maybeOne(db)
  }

  return {
    async insert(key: NewApiKey): Promise<void> {
      const { id, merchantId, environment, name, hash, hint } = key
      await sql`
        insert into api_keys (id, merchant_id, environment, name, hash, hint, permissions, expires_at, allowed_ips,
          created_by)
        values (${id}, ${merchantId}, ${environment}, ${name}, ${hash}, ${hint}, ${[...key.permissions]}::text[],
          ${key.expiresAt}, ${key.allowedIps === null ? null : [...key.allowedIps]}::text[], ${key.createdBy})`.run(
        db,
      )
    },

    /** The key with this hash, and its merchant's settings. */
    async findByHash(hash: Buffer): Promise<(ApiKey & { readonly merchant: MerchantSettings }) | null> {
      const found = await sql<ApiKey & MerchantSettings>`
        select ${columns}, base_currency as "baseCurrency", fee_bps as "feeBps", payout_fee_bps as "payoutFeeBps",
          refund_fee_bps as "refundFeeBps", underpayment_tolerance_bps as "toleranceBps"
        from api_keys join merchants on merchants.id = api_keys.merchant_id where hash = ${hash}`.maybeOne(db)
      if (found === null) return null
      const { baseCurrency, feeBps, payoutFeeBps, refundFeeBps, toleranceBps, ...key } = found
      return { ...key, merchant: { baseCurrency, feeBps, payoutFeeBps, refundFeeBps, toleranceBps } }
    },

    /** The keys of one merchant, or all when none is named. */
    list: (merchantId: string | null): Promise<ApiKey[]> =>
      list(merchantId === null ? sql`` : sql`where merchant_id = ${merchantId}`),

    /** One page of a merchant's keys in an environment, newest first. There are few, so they are counted. */
    async listPage(
      owner: Pick<ApiKey, 'merchantId' | 'environment'>,
      asked: PageRequest,
    ): Promise<Page<ListedKey>> {
      const rows = await sql<ListedKey & { total: bigint }>`
        select ${columns}, ${createdByName}, count(*) over () as total from api_keys
        where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
        order by api_keys.created_at desc, api_keys.id desc`.rows(db)
      const page = rows.slice(asked.offset, asked.offset + asked.limit)
      return { rows: page.map(({ total: _, ...key }) => key), total: rows.length }
    },

    find,

    /** The names of keys, by id. */
    async names(ids: readonly string[]): Promise<Map<string, string>> {
      const rows = await sql<{ id: string; name: string }>`
        select id, name from api_keys where id = any(${[...ids]}::uuid[])`.rows(db)
      return new Map(rows.map(({ id, name }) => [id, name]))
    },

    /** Revokes the key and returns it; null when there is none. Revoking it again keeps the first time. */
    async revoke(id: string): Promise<ListedKey | null> {
      await sql`
        update api_keys set revoked_at = clock_timestamp() where id = ${id} and revoked_at is null`.run(db)
      return find(id)
    },

    /** Records when keys were last used, for each key at most once a minute over all processes. */
    async noteUses(uses: readonly KeyUse[]): Promise<void> {
      await sql`
        update api_keys set last_used_at = used.at
        from unnest(${uses.map(({ keyId }) => keyId)}::uuid[], ${uses.map(({ at }) => at)}::timestamptz[]) as used (id, at)
        where api_keys.id = used.id
          and (api_keys.last_used_at is null or api_keys.last_used_at <= used.at - interval '1 minute')`.run(
        db,
      )
    },
  }
}
