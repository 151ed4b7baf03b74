import type { Environment } from '../../domain/environment.ts'
import type { CursorPage, PageRequest } from '../../domain/page.ts'
import type { Payout, PayoutStatus, Refund } from '../../domain/payouts.ts'
import { type ExportPage, exportPage, type PlacedRow } from '../reports/export-page.ts'
import { type Listed, type ListedRow, listPage, type Narrowing, type Place } from '../reports/list-page.ts'
import { type Db, sql } from '../sql.ts'
import { hashText, payoutColumns } from './payout-rows.ts'
import { searchedOfPayouts } from './payouts.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** A refund to be inserted; its payout exists already. */
export type NewRefund = Owner &
  Pick<Refund, 'id' | 'invoiceId' | 'idempotencyKey'> & {
    readonly payoutId: string
    readonly amountUnits: bigint
    readonly requestHash: Buffer | null
  }

type RefundRow = Payout & {
  readonly ownId: string
  readonly invoiceId: string
  readonly ownKey: string | null
  readonly refundedAt: Date
  readonly requestHash: Buffer | null
}

// Both tables have columns of the same names, so the refund's own get other ones.
const refundColumns = sql`
  refunds.id as "ownId", refunds.invoice_id as "invoiceId", refunds.idempotency_key as "ownKey",
  refunds.created_at as "refundedAt", refunds.request_hash as "requestHash", ${payoutColumns}`

export function refundsOn(db: Db) {
  return {
    /** Call it after inserting its payout, in the same transaction. Returns null if its idempotency key is taken. */
    async insert(refund: NewRefund): Promise<{ createdAt: Date } | null> {
      const { id, merchantId, environment, invoiceId, payoutId, amountUnits, idempotencyKey } = refund
      return sql<{ createdAt: Date }>`
        insert into refunds (id, merchant_id, environment, invoice_id, payout_id, amount_units, idempotency_key,
          request_hash, created_at)
        values (${id}, ${merchantId}, ${environment}, ${invoiceId}, ${payoutId}, ${amountUnits.toString()},
          ${idempotencyKey}, ${hashText(refund.requestHash)}::bytea, merchant_now(${merchantId}, ${environment}))
        on conflict (merchant_id, environment, idempotency_key) where idempotency_key is not null do nothing
        returning created_at as "createdAt"`.maybeOne(db)
    },

    async findByKey(owner: Owner, key: string): Promise<{ refund: Refund; requestHash: Buffer } | null> {
      const row = await sql<RefundRow>`
        select ${refundColumns} from refunds join payouts on payouts.id = refunds.payout_id
        where ${ofOwner(owner)} and refunds.idempotency_key = ${key}`.maybeOne(db)
      return row === null ? null : { refund: refundFrom(row), requestHash: row.requestHash as Buffer }
    },

    async find(owner: Owner, id: string): Promise<Refund | null> {
      const row = await sql<RefundRow>`
        select ${refundColumns} from refunds join payouts on payouts.id = refunds.payout_id
        where refunds.id = ${id} and ${ofOwner(owner)}`.maybeOne(db)
      return row === null ? null : refundFrom(row)
    },

    /** The refunds that these payouts carry out. */
    async ofPayouts(payoutIds: readonly string[]): Promise<Refund[]> {
      if (payoutIds.length === 0) return []
      const rows = await sql<RefundRow>`
        select ${refundColumns} from refunds join payouts on payouts.id = refunds.payout_id
        where refunds.payout_id = any(${[...payoutIds]}::uuid[]) order by refunds.id`.rows(db)
      return rows.map(refundFrom)
    },

    /** The refunds of these invoices of the owner, newest first. */
    async ofInvoices(owner: Owner, invoiceIds: readonly string[]): Promise<Refund[]> {
      if (invoiceIds.length === 0) return []
      const rows = await sql<RefundRow>`
        select ${refundColumns} from refunds join payouts on payouts.id = refunds.payout_id
        where refunds.invoice_id = any(${[...invoiceIds]}::uuid[]) and ${ofOwner(owner)}
        order by refunds.position desc`.rows(db)
      return rows.map(refundFrom)
    },

    /** The refunds whose payouts a spend pays. */
    async ofSpend(spendId: string): Promise<Refund[]> {
      const rows = await sql<RefundRow>`
        select ${refundColumns} from refunds join payouts on payouts.id = refunds.payout_id
        where payouts.spend_id = ${spendId} order by refunds.id`.rows(db)
      return rows.map(refundFrom)
    },

    /** How much of an invoice was refunded, or may still be. While the invoice is locked, this cannot grow. */
    async claimed(invoiceId: string): Promise<bigint> {
      const { units } = await sql<{ units: bigint }>`
        select coalesce(sum(refunds.amount_units), 0) as units
        from refunds join payouts on payouts.id = refunds.payout_id
        where refunds.invoice_id = ${invoiceId} and payouts.status not in ('failed', 'cancelled')`.one(db)
      return units
    },

    /** By invoice, the total of its refunds in these statuses, without those that the given payouts carry out. */
    async taken(
      invoiceIds: readonly string[],
      statuses: readonly PayoutStatus[],
      butFor: readonly string[],
    ): Promise<Map<string, bigint>> {
      if (invoiceIds.length === 0) return new Map()
      const rows = await sql<{ invoiceId: string; units: bigint }>`
        select refunds.invoice_id as "invoiceId", sum(refunds.amount_units) as units
        from refunds join payouts on payouts.id = refunds.payout_id
        where refunds.invoice_id = any(${[...invoiceIds]}::uuid[]) and payouts.status = any(${[...statuses]}::text[])
          and payouts.id <> all(${[...butFor]}::uuid[])
        group by 1`.rows(db)
      return new Map(rows.map(({ invoiceId, units }) => [invoiceId, units]))
    },

    /** One page, newest first, with the total of matching rows, from one snapshot. */
    async list(owner: Owner, filter: RefundFilter & PageRequest): Promise<CursorPage<Refund>> {
      // Totals are kept by merchant. The refunds of one invoice are few, so they are counted.
      const wanted = { ...wantedRefunds(owner, filter), counted: filter.invoiceId === null ? {} : null }
      return listPage(db, listedRefunds, owner, wanted, filter, {
        id: 'ownId',
        read: (page) => sql<ListedRow<RefundRow>>`${page}`.rows(db),
        from: refundFrom,
      })
    },

    /** The rows of that list after a place, without the total. */
    exportPage(
      owner: Owner,
      filter: RefundFilter,
      after: Place | null,
      limit: number,
    ): Promise<ExportPage<Refund, Place>> {
      const asked = { ...filter, after, limit }
      return exportPage(listedRefunds, wantedRefunds(owner, filter), asked, {
        read: (page) => sql<PlacedRow<RefundRow>>`${page}`.rows(db),
        from: refundFrom,
      })
    },
  }
}

/** What a list of refunds is filtered by; null: by nothing. */
export type RefundFilter = {
  readonly invoiceId: string | null
  readonly currency?: string | null
  readonly narrowing?: Narrowing
}

const listedRefunds: Listed = {
  list: 'refunds',
  table: 'refunds',
  columns: refundColumns,
  joined: sql`join payouts on payouts.id = refunds.payout_id`,
  details: 'payouts',
  hasTimes: false,
  hasBuckets: true,
  searched: searchedOfPayouts,
}

function wantedRefunds(owner: Owner, { invoiceId, currency = null }: RefundFilter) {
  return {
    indexed: sql`${ofOwner(owner)} ${invoiceId === null ? sql`` : sql`and refunds.invoice_id = ${invoiceId}`}`,
    others: currency === null ? [] : [sql`payouts.currency = ${currency}`],
  }
}

function ofOwner({ merchantId, environment }: Owner) {
  return sql`refunds.merchant_id = ${merchantId} and refunds.environment = ${environment}`
}

function refundFrom(row: RefundRow): Refund {
  const { ownId, invoiceId, ownKey, refundedAt, requestHash: _, ...payout } = row
  return { id: ownId, invoiceId, idempotencyKey: ownKey, createdAt: refundedAt, payout }
}
