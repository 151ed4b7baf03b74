import { sql } from 'kysely'
import type { Db } from './database.ts'

export type Merchant = {
  readonly id: string
  readonly name: string
  readonly baseCurrency: string
  readonly createdAt: Date
}

export function merchantsOn(db: Db) {
  const rows = () =>
    db
      .selectFrom('merchants')
      .select(['id', 'name', 'base_currency as baseCurrency', 'created_at as createdAt'])

  return {
    async insert(merchant: { id: string; name: string }): Promise<void> {
      await db.insertInto('merchants').values(merchant).execute()
    },

    /** Keeps everyone else from making a merchant until the transaction ends. */
    async hold(): Promise<void> {
      await sql`lock table merchants in share row exclusive mode`.execute(db)
    },

    async find(id: string): Promise<Merchant | null> {
      return (await rows().where('id', '=', id).executeTakeFirst()) ?? null
    },

    async list(): Promise<Merchant[]> {
      return rows().orderBy('created_at').orderBy('id').execute()
    },
  }
}
