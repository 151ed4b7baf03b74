import type { Environment } from '../../domain/environment.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { Payout } from '../../domain/payouts.ts'
import { type InvoiceRow, invoiceColumns, invoiceFrom } from '../invoices/invoice-rows.ts'
import { searchedOfInvoices } from '../invoices/invoices.ts'
import type { LedgerEntry } from '../ledger/ledger.ts'
import { type LedgerFilter, ledgerColumns, ledgerOrder, wantedEntries } from '../ledger/ledger-list.ts'
import { payoutColumns } from '../payouts/payout-rows.ts'
import { searchedOfPayouts } from '../payouts/payouts.ts'
import { type Db, type Sql, sql } from '../sql.ts'
import { type ExportPage, nextPlace } from './export-page.ts'
import { afterPlace, ageOrder, contains, type Place } from './list-page.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

export type ExportFilter = {
  readonly status: string | null
  readonly currency: string | null
  readonly from: Date | null
  readonly to: Date | null
  readonly search?: string | null
  /** Only these; null: any. */
  readonly ids?: readonly string[] | null
  /** Otherwise the newest rows come first. */
  readonly oldestFirst?: boolean
}

/** How far a ledger was read, to the microsecond, which a JavaScript date cannot hold. */
export type LedgerCursor = { readonly at: string; readonly currency: string; readonly number: bigint }

/** How far a list was read. */
export type ListCursor = Place

/**
 * Long lists in pages, in the order of the lists. Each page begins where the last one ended, so that neither the service nor
 * the database holds more than one page, and an export stops when its reader stops. A search, and the currency of payouts,
 * have no index: rows are read in order and those that do not match left out, so that no statement runs for long.
 */
export function exportsOn(db: Db) {
  return {
    async ledger(
      owner: Owner,
      filter: LedgerFilter,
      after: LedgerCursor | null,
      limit: number,
    ): Promise<ExportPage<LedgerEntry, LedgerCursor>> {
      const order = ledgerOrder(filter)
      const below =
        after === null
          ? sql``
          : order.byNumber
            ? sql`and entry.number < ${after.number}`
            : sql`and (entry.created_at, entry.currency, entry.number)
                < (${after.at}::timestamptz, ${after.currency}, ${after.number}::bigint)`
      const rows = await sql<LedgerEntry & { at: string }>`
        select ${ledgerColumns}, entry.created_at::text as at from ledger_entries as entry
        where ${wantedEntries(owner, filter)} ${below} order by ${order.by} limit ${limit}`.rows(db)
      const last = rows.length < limit ? undefined : rows.at(-1)
      const next = last === undefined ? null : { at: last.at, currency: last.currency, number: last.number }
      return { rows, next }
    },

    async invoices(
      owner: Owner,
      filter: ExportFilter,
      after: ListCursor | null,
      limit: number,
    ): Promise<ExportPage<Invoice, ListCursor>> {
      const ofCurrency = filter.currency === null ? sql`` : sql`and currency = ${filter.currency}`
      const rows = await sql<InvoiceRow & Found>`
        select ${invoiceColumns}, ${place}, ${matches(searchedOfInvoices, filter)} as matches from invoices
        where ${wanted('invoices', owner, filter, after)} ${ofCurrency}
        order by ${orderOf('invoices', filter)} limit ${limit}`.rows(db)
      return { rows: rows.filter(({ matches }) => matches).map(invoiceFrom), next: nextPlace(rows, limit) }
    },

    async payouts(
      owner: Owner,
      filter: ExportFilter,
      after: ListCursor | null,
      limit: number,
    ): Promise<ExportPage<Payout, ListCursor>> {
      const ofCurrency = filter.currency === null ? sql`` : sql`and payouts.currency = ${filter.currency}`
      const rows = await sql<Payout & Found>`
        select ${payoutColumns}, ${place}, ${matches(searchedOfPayouts, filter)} ${ofCurrency} as matches from payouts
        where ${wanted('payouts', owner, filter, after)} order by ${orderOf('payouts', filter)} limit ${limit}`.rows(
        db,
      )
      return { rows: rows.filter(({ matches }) => matches), next: nextPlace(rows, limit) }
    },
  }
}

type Found = ListCursor & { readonly matches: boolean }
const place = sql`position, created_at::text as at`

// A time range is read by time, since by position everything outside of it would be read as well.
function isByTime({ from, to }: ExportFilter): boolean {
  return from !== null || to !== null
}

function orderOf(table: 'invoices' | 'payouts', filter: ExportFilter): Sql {
  return ageOrder(sql.ref(table), isByTime(filter), filter.oldestFirst ?? false)
}

function matches(searched: Sql, { search = null }: ExportFilter): Sql {
  return search === null ? sql`true` : contains(searched, search)
}

function wanted(
  table: 'invoices' | 'payouts',
  owner: Owner,
  filter: ExportFilter,
  after: ListCursor | null,
): Sql {
  const { status, from, to, ids = null, oldestFirst = false } = filter
  const beyond =
    after === null ? sql`` : sql`and ${afterPlace(sql.ref(table), isByTime(filter), after, oldestFirst)}`
  return sql`merchant_id = ${owner.merchantId} and environment = ${owner.environment}
    ${ids === null ? sql`` : sql`and ${sql.ref(table, 'id')} = any(${[...ids]}::uuid[])`}
    ${status === null ? sql`` : sql`and status = ${status}`} ${from === null ? sql`` : sql`and created_at >= ${from}`}
    ${to === null ? sql`` : sql`and created_at < ${to}`} ${beyond}`
}
