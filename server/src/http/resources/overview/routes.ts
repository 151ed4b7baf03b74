import type { App } from '../../../app/app.ts'
import { invalid } from '../../../app/choose-asset.ts'
import { exportInvoices } from '../../../app/exports/export-invoices.ts'
import { exportLedger } from '../../../app/exports/export-ledger.ts'
import { exportPayouts } from '../../../app/exports/export-payouts.ts'
import { getOverview } from '../../../app/overview/get-overview.ts'
import { searchMerchant } from '../../../app/search/search-merchant.ts'
import { upperCode } from '../../../domain/assets.ts'
import type { Caller } from '../../../domain/caller.ts'
import { isUuid } from '../../../domain/ids.ts'
import type { ExportFilter } from '../../../store/reports/exports.ts'
import { type CsvFile, csvFile } from '../../dashboard/csv-stream.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { ok, okPage } from '../../reply.ts'
import { ledgerEntryView } from '../balances/view.ts'
import { invoiceFileColumns, ledgerFileColumns, payoutFileColumns } from '../export-columns.ts'
import { timeFrom } from '../values.ts'
import { searchResultView } from './search-result-view.ts'
import { overviewView } from './view.ts'

type Times = { readonly created_after?: string; readonly created_before?: string }
type ListQuery = Times & {
  readonly status?: string
  readonly currency?: string
  readonly search?: string
  readonly ids?: string
  readonly order?: 'newest_first' | 'oldest_first'
}
type LedgerQuery = Times & {
  readonly currency?: string
  readonly entry_type?: string
  readonly reference_id?: string
}

/** What the dashboard shows of one merchant in one environment. */
export function dashboardOverview(
  app: App,
  onExportFailed: (error: unknown) => void,
): Pick<
  DashboardHandlers,
  'getOverview' | 'searchMerchant' | 'listLedger' | 'exportLedger' | 'exportInvoices' | 'exportPayouts'
> {
  return {
    getOverview: async ({ caller, query }) =>
      ok(overviewView(await getOverview(app, caller, query.days ?? defaultDays))),
    searchMerchant: async ({ caller, query }) =>
      ok((await searchMerchant(app, caller, query.q)).map(searchResultView)),
    listLedger: async ({ caller, query }) => {
      const filter = ledgerFilter(query)
      const { currency, entryType, referenceId, from, to } = filter
      const { limit, offset } = query
      // Pages of one currency's whole ledger are found by kept counts, however deep they are.
      const page = await app.reading((store) =>
        currency !== null && referenceId === null && from === null && to === null
          ? store.ledger.list(caller, { currency, entryType, limit, offset })
          : store.ledgerList.list(caller, { ...filter, limit, offset }),
      )
      return okPage(page, query, ledgerEntryView)
    },
    exportLedger: ({ caller, query }) => {
      const filter = ledgerFilter(query)
      const name = fileName('ledger', [filter.currency, filter.entryType])
      return file(caller, name, ledgerFileColumns, exportLedger(app, caller, filter))
    },
    exportInvoices: ({ caller, query }) => {
      const filter = listFilter(query)
      return file(
        caller,
        fileName('invoices', [filter.status, filter.currency]),
        invoiceFileColumns(app.proofs),
        exportInvoices(app, caller, filter),
      )
    },
    exportPayouts: ({ caller, query }) => {
      const filter = listFilter(query)
      return file(
        caller,
        fileName('payouts', [filter.status, filter.currency]),
        payoutFileColumns(app.assets),
        exportPayouts(app, caller, filter),
      )
    },
  }

  function file<Row>(
    { environment }: Caller,
    name: string,
    columns: CsvFile<Row>['columns'],
    pages: CsvFile<Row>['pages'],
  ) {
    const day = app.now().toISOString().slice(0, 10)
    return csvFile({ name: `${name}-${environment}-${day}`, columns, pages, onError: onExportFailed })
  }

  function ledgerFilter(query: LedgerQuery) {
    const { entry_type: entryType = null, reference_id: referenceId = null } = query
    return { currency: currencyFrom(query.currency), entryType, referenceId, ...times(query) }
  }

  function listFilter(query: ListQuery): ExportFilter {
    return {
      status: query.status ?? null,
      currency: currencyFrom(query.currency),
      search: query.search ?? null,
      ids: query.ids?.split(',').filter(isUuid) ?? null,
      oldestFirst: query.order === 'oldest_first',
      ...times(query),
    }
  }

  function currencyFrom(text: string | undefined): string | null {
    if (text === undefined) return null
    const currency = upperCode(text)
    if (!app.assets.some(({ code }) => code === currency))
      throw invalid('/currency: is not a supported currency; GET /v1/currencies lists them')
    return currency
  }
}

const defaultDays = 30

/**
 * The name of a filtered file includes the filters. A filter may be any text; one that could break a file name is left
 * out.
 */
function fileName(what: string, filters: readonly (string | null)[]): string {
  return [what, ...filters.filter((each) => each !== null && /^\w{1,32}$/.test(each))].join('-')
}

function times(query: Times) {
  return { from: timeFrom(query.created_after), to: timeFrom(query.created_before) }
}
