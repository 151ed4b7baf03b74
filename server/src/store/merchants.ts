import { sql } from 'kysely'
import type { MerchantSettings } from '../domain/caller.ts'
import type { Page, PageRequest } from '../domain/page.ts'
import type { Db } from './database.ts'

export type Merchant = MerchantSettings & {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
}

export type NewMerchant = {
  readonly id: string
  readonly name: string
  readonly settings?: Partial<MerchantSettings>
}

export function merchantsOn(db: Db) {
  const rows = () =>
    db
      .selectFrom('merchants')
      .select([
        'id',
        'name',
        'base_currency as baseCurrency',
        'fee_bps as feeBps',
        'payout_fee_bps as payoutFeeBps',
        'refund_fee_bps as refundFeeBps',
        'underpayment_tolerance_bps as toleranceBps',
        'created_at as createdAt',
      ])

  return {
    async insert({ settings = {}, ...merchant }: NewMerchant): Promise<void> {
      await db
        .insertInto('merchants')
        .values({ ...merchant, ...columnsOf(settings) })
        .execute()
    },

    /** Changes what was agreed with a merchant; false when there is none. What invoices have fixed stays fixed. */
    async update(id: string, settings: Partial<MerchantSettings>): Promise<boolean> {
      const changed = await db
        .updateTable('merchants')
        .set({ id, ...columnsOf(settings) })
        .where('id', '=', id)
        .executeTakeFirst()
      return changed.numUpdatedRows > 0n
    },

    async rename(id: string, name: string): Promise<void> {
      await db.updateTable('merchants').set({ name }).where('id', '=', id).execute()
    },

    /** Keeps everyone else from making a merchant until the transaction ends. */
    async hold(): Promise<void> {
      await sql`lock table merchants in share row exclusive mode`.execute(db)
    },

    async find(id: string): Promise<Merchant | null> {
      return (await rows().where('id', '=', id).executeTakeFirst()) ?? null
    },

    /** The merchant, held until the transaction ends. */
    async lock(id: string): Promise<Merchant | null> {
      return (await rows().where('id', '=', id).forUpdate().executeTakeFirst()) ?? null
    },

    /** One page of all merchants, newest first. */
    async listPage(asked: PageRequest): Promise<Page<Merchant>> {
      const page = await rows()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(asked.limit)
        .offset(asked.offset)
        .execute()
      const { total } = await db
        .selectFrom('merchants')
        .select(db.fn.countAll<bigint>().as('total'))
        .executeTakeFirstOrThrow()
      return { rows: page, total: Number(total) }
    },

    async list(): Promise<Merchant[]> {
      return rows().orderBy('created_at').orderBy('id').execute()
    },
  }
}

function columnsOf(settings: Partial<MerchantSettings>) {
  const { baseCurrency, feeBps, payoutFeeBps, refundFeeBps, toleranceBps } = settings
  return {
    ...(baseCurrency !== undefined && { base_currency: baseCurrency }),
    ...(feeBps !== undefined && { fee_bps: feeBps }),
    ...(payoutFeeBps !== undefined && { payout_fee_bps: payoutFeeBps }),
    ...(refundFeeBps !== undefined && { refund_fee_bps: refundFeeBps }),
    ...(toleranceBps !== undefined && { underpayment_tolerance_bps: toleranceBps }),
  }
}
