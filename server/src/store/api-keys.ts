import { sql } from 'kysely'
import type { MerchantSettings } from '../domain/caller.ts'
import type { Environment } from '../domain/environment.ts'
import type { Permission } from '../domain/permissions.ts'
import type { Db } from './database.ts'

/** The channel on which the database announces the id of a key that was changed or deleted. */
export const apiKeyChanged = 'api_key_changed'

export type ApiKey = {
  readonly id: string
  readonly merchantId: string
  readonly environment: Environment
  readonly name: string
  readonly hint: string
  readonly permissions: readonly Permission[]
  readonly createdAt: Date
  readonly revokedAt: Date | null
}

export type NewApiKey = Omit<ApiKey, 'createdAt' | 'revokedAt'> & { readonly hash: Buffer }

export function apiKeysOn(db: Db) {
  const rows = () =>
    db
      .selectFrom('api_keys')
      .select([
        'api_keys.id',
        'merchant_id as merchantId',
        sql<Environment>`environment`.as('environment'),
        'api_keys.name',
        'hint',
        sql<Permission[]>`permissions`.as('permissions'),
        'api_keys.created_at as createdAt',
        'revoked_at as revokedAt',
      ])

  return {
    async insert({ merchantId, permissions, ...key }: NewApiKey): Promise<void> {
      await db
        .insertInto('api_keys')
        .values({ ...key, merchant_id: merchantId, permissions: [...permissions] })
        .execute()
    },

    /** The key with this hash, and what was agreed with its merchant. */
    async findByHash(hash: Buffer): Promise<(ApiKey & { readonly merchant: MerchantSettings }) | null> {
      const found = await rows()
        .innerJoin('merchants', 'merchants.id', 'api_keys.merchant_id')
        .select([
          'base_currency as baseCurrency',
          'fee_bps as feeBps',
          'payout_fee_bps as payoutFeeBps',
          'refund_fee_bps as refundFeeBps',
          'underpayment_tolerance_bps as toleranceBps',
        ])
        .where('hash', '=', hash)
        .executeTakeFirst()
      if (found === undefined) return null
      const { baseCurrency, feeBps, payoutFeeBps, refundFeeBps, toleranceBps, ...key } = found
      return { ...key, merchant: { baseCurrency, feeBps, payoutFeeBps, refundFeeBps, toleranceBps } }
    },

    /** The keys of one merchant, or all when none is named. */
    async list(merchantId: string | null): Promise<ApiKey[]> {
      const all = rows().orderBy('api_keys.created_at').orderBy('api_keys.id')
      return merchantId === null ? all.execute() : all.where('merchant_id', '=', merchantId).execute()
    },

    /** Revokes the key and returns it, or null when there is none. Revoking twice keeps the first time. */
    async revoke(id: string): Promise<ApiKey | null> {
      await db
        .updateTable('api_keys')
        .set({ revoked_at: sql<Date>`clock_timestamp()` })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .execute()
      return (await rows().where('id', '=', id).executeTakeFirst()) ?? null
    },
  }
}
