import type { MerchantSettings } from '../../domain/caller.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import { type Db, sql } from '../sql.ts'

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

const columns = sql`id, name, base_currency as "baseCurrency", fee_bps as "feeBps", payout_fee_bps as "payoutFeeBps",
  refund_fee_bps as "refundFeeBps", underpayment_tolerance_bps as "toleranceBps", created_at as "createdAt"`

export function merchantsOn(db: Db) {
  return {
    /** Settings that are left out get the table's defaults. */
    async insert({ id, name, settings = {} }: NewMerchant): Promise<void> {
      const set = settingsOf(settings)
      await sql`
        insert into merchants (${sql.join([sql`id`, sql`name`, ...set.map(({ column }) => column)])})
        values (${sql.join([id, name, ...set.map(({ value }) => value)])})`.run(db)
    },

    /**
     * Changes a merchant's settings; false when there is no such merchant. Existing invoices keep the settings they were
     * created with.
     */
    async update(id: string, settings: Partial<MerchantSettings>): Promise<boolean> {
      const set = settingsOf(settings).map(({ column, value }) => sql`${column} = ${value}`)
      const changed = await sql`
        update merchants set ${sql.join([sql`id = id`, ...set])} where id = ${id}`.run(db)
      return changed > 0
    },

    async rename(id: string, name: string): Promise<void> {
      await sql`update merchants set name = ${name} where id = ${id}`.run(db)
    },

    /** Keeps others from creating a merchant until the transaction ends. */
    async hold(): Promise<void> {
      await sql`lock table merchants in share row exclusive mode`.run(db)
    },

    async find(id: string): Promise<Merchant | null> {
      return sql<Merchant>`select ${columns} from merchants where id = ${id}`.maybeOne(db)
    },

    /** The base currency of each of these merchants. */
    async baseCurrencies(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (ids.length === 0) return new Map()
      const rows = await sql<{ id: string; baseCurrency: string }>`
        select id, base_currency as "baseCurrency" from merchants where id = any(${ids}::uuid[])`.rows(db)
      return new Map(rows.map(({ id, baseCurrency }) => [id, baseCurrency]))
    },

    /** The merchant, locked until the transaction ends. */
    async lock(id: string): Promise<Merchant | null> {
      return sql<Merchant>`select ${columns} from merchants where id = ${id} for update`.maybeOne(db)
    },

    /** One page of all merchants, newest first. */
    async listPage(asked: PageRequest): Promise<Page<Merchant>> {
      const rows = await sql<Merchant>`
        select ${columns} from merchants order by created_at desc, id desc
        limit ${asked.limit} offset ${asked.offset}`.rows(db)
      const { total } = await sql<{ total: bigint }>`select count(*) as total from merchants`.one(db)
      return { rows, total: Number(total) }
    },

    async list(): Promise<Merchant[]> {
      return sql<Merchant>`select ${columns} from merchants order by created_at, id`.rows(db)
    },
  }
}

/** The columns and values of the settings that are given. */
function settingsOf({
  baseCurrency,
  feeBps,
  payoutFeeBps,
  refundFeeBps,
  toleranceBps,
}: Partial<MerchantSettings>) {
  return [
    { column: sql`base_currency`, value: baseCurrency },
    { column: sql`fee_bps`, value: feeBps },
    { column: sql`payout_fee_bps`, value: payoutFeeBps },
    { column: sql`refund_fee_bps`, value: refundFeeBps },
    { column: sql`underpayment_tolerance_bps`, value: toleranceBps },
  ].flatMap(({ column, value }) => (value === undefined ? [] : [{ column, value }]))
}
