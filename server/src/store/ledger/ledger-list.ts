import type { Environment } from '../../domain/environment.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import { type PageRow, pageFrom } from '../outer-rows.ts'
import { totalOf } from '../reports/counts.ts'
import { type Db, type Sql, sql } from '../sql.ts'
import type { LedgerEntry } from './ledger.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

export type LedgerFilter = {
  readonly currency: string | null
  readonly entryType: string | null
  /** The invoice, payout or refund that caused it. */
  readonly referenceId: string | null
  readonly from: Date | null
  readonly to: Date | null
}

/** The columns of a LedgerEntry. */
export const ledgerColumns = sql`
  entry.number, entry.currency, entry.network, entry.decimals, entry.environment, entry.entry_type as "entryType",
  entry.units, entry.balance_after as "balanceAfter", entry.balance_decimals as "balanceDecimals",
  entry.reference_type as "referenceType", entry.reference_id as "referenceId", entry.description,
  entry.created_at as "createdAt"`

export function wantedEntries(owner: Owner, filter: LedgerFilter): Sql {
  const { currency, entryType, referenceId, from, to } = filter
  return sql`entry.merchant_id = ${owner.merchantId} and entry.environment = ${owner.environment}
    ${currency === null ? sql`` : sql`and entry.currency = ${currency}`}
    ${entryType === null ? sql`` : sql`and entry.entry_type = ${entryType}`}
    ${referenceId === null ? sql`` : sql`and entry.reference_id = ${referenceId}`}
    ${from === null ? sql`` : sql`and entry.created_at >= ${from}`}
    ${to === null ? sql`` : sql`and entry.created_at < ${to}`}`
}

/** Newest first. Within a currency numbers rise with time, so both orders agree there, and each has an index. */
export function ledgerOrder({ currency, from, to }: LedgerFilter): {
  readonly byNumber: boolean
  readonly by: Sql
} {
  const byNumber = currency !== null && from === null && to === null
  return {
    byNumber,
    by: byNumber
      ? sql`entry.number desc`
      : sql`entry.created_at desc, entry.currency desc, entry.number desc`,
  }
}

export function ledgerListOn(db: Db) {
  return {
    /** One page of a ledger over all currencies, or of the entries that match a filter; newest first. */
    async list(owner: Owner, filter: LedgerFilter & PageRequest): Promise<Page<LedgerEntry>> {
      const { currency, entryType: facet, referenceId, from, to } = filter
      const isCounted = referenceId === null && from === null && to === null
      const matching = wantedEntries(owner, filter)
      const total = isCounted
        ? totalOf('ledger_entries', owner, { facet, currency })
        : sql`(select count(*) from ledger_entries as entry where ${matching})`
      const rows = await sql<PageRow<LedgerEntry & { place: bigint }>>`
        select ${total} as total, page.* from (select) as one left join (
          select ${ledgerColumns}, row_number() over () as place from (
            select * from ledger_entries as entry where ${matching}
            order by ${ledgerOrder(filter).by} limit ${filter.limit} offset ${filter.offset}
          ) as entry
        ) as page on true order by page.place`.rows(db)
      return pageFrom(rows, 'number', ({ place: _, ...entry }) => entry)
    },
  }
}
