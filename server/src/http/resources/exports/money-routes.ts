import type { App } from '../../../app/app.ts'
import { exportInvoices } from '../../../app/exports/export-invoices.ts'
import { exportLedger } from '../../../app/exports/export-ledger.ts'
import { exportPayouts } from '../../../app/exports/export-payouts.ts'
import { pages } from '../../../app/exports/pages.ts'
import { getAddress } from '../../../app/static-addresses/get-address.ts'
import { isUuid } from '../../../domain/ids.ts'
import type { Invoice } from '../../../domain/invoices.ts'
import type { Refund } from '../../../domain/payouts.ts'
import type { ExportFilter } from '../../../store/reports/exports.ts'
import type { Place } from '../../../store/reports/list-page.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { currencyFrom, knownCurrencyFrom, ledgerFilterFrom, narrowingFrom } from '../list-filters.ts'
import { refundView } from '../payouts/refund-view.ts'
import { timeFrom } from '../values.ts'
import { invoiceFileColumns, ledgerFileColumns, payoutFileColumns, refundFileColumns } from './columns.ts'
import { answersFiles, viewed } from './file.ts'

type ListQuery = {
  readonly created_after?: string
  readonly created_before?: string
  readonly status?: string
  readonly currency?: string
  readonly search?: string
  readonly ids?: string
  readonly order?: 'newest_first' | 'oldest_first'
}

/** Lists of what moves money, as files. */
export function dashboardMoneyExports(
  app: App,
  onFailed: (error: unknown) => void,
): Pick<
  DashboardHandlers,
  'exportLedger' | 'exportInvoices' | 'exportPayouts' | 'exportRefunds' | 'exportAddressInvoices'
> {
  const file = answersFiles(app, onFailed)
  return {
    exportLedger: ({ caller, query }) => {
      const filter = ledgerFilterFrom(app, query)
      const { currency, entryType, from, to } = filter
      const { environment } = caller
      return file(
        { kind: 'ledger', environment, filters: [currency, entryType], from, to },
        ledgerFileColumns,
        exportLedger(app, caller, filter),
      )
    },
    exportInvoices: ({ caller, query }) => {
      const filter = listFilter(query)
      return file(
        { kind: 'invoices', environment: caller.environment, ...named(filter) },
        invoiceFileColumns(app.proofs),
        exportInvoices(app, caller, filter),
      )
    },
    exportPayouts: ({ caller, query }) => {
      const filter = listFilter(query)
      return file(
        { kind: 'payouts', environment: caller.environment, ...named(filter) },
        payoutFileColumns(app.assets),
        exportPayouts(app, caller, filter),
      )
    },
    exportRefunds: async ({ caller, query }) => {
      const narrowing = narrowingFrom(app, { ...query, offset: 0 })
      const { createdAfter: from, createdBefore: to } = narrowing
      const filter = { invoiceId: query.invoice_id ?? null, currency: currencyFrom(query), narrowing }
      const rows = pages<Refund, Place>((after, limit) =>
        app.reading((store) => store.refunds.exportPage(caller, filter, after, limit)),
      )
      return file(
        { kind: 'refunds', environment: caller.environment, filters: [filter.currency], from, to },
        refundFileColumns,
        viewed(rows, (refund) => refundView(app.assets, refund)),
      )
    },
    exportAddressInvoices: async ({ caller, path, query }) => {
      const { id } = await getAddress(app, caller, path.addressID)
      const narrowing = narrowingFrom(app, { ...query, offset: 0 })
      const { createdAfter: from, createdBefore: to } = narrowing
      return file(
        { kind: 'deposits', environment: caller.environment, filters: [id.slice(0, 8)], from, to },
        invoiceFileColumns(app.proofs),
        pages<Invoice, Place>((after, limit) =>
          app.reading((store) => store.invoices.exportPageOfAddress(caller, id, narrowing, after, limit)),
        ),
      )
    },
  }

  function listFilter(query: ListQuery): ExportFilter {
    return {
      status: query.status ?? null,
      currency: knownCurrencyFrom(app, query),
      search: query.search ?? null,
      ids: query.ids?.split(',').filter(isUuid) ?? null,
      oldestFirst: query.order === 'oldest_first',
      from: timeFrom(query.created_after),
      to: timeFrom(query.created_before),
    }
  }
}

function named({ status, currency, from, to }: ExportFilter) {
  return { filters: [status, currency], from, to }
}
