import type { App } from '../../../app/app.ts'
import { valueEntries } from '../../../app/balances/value-entries.ts'
import { getOverview } from '../../../app/overview/get-overview.ts'
import { searchMerchant } from '../../../app/search/search-merchant.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { ok, okPage } from '../../reply.ts'
import { ledgerEntryViewForPeople } from '../balances/view.ts'
import { ledgerFilterFrom } from '../list-filters.ts'
import { searchResultView } from './search-result-view.ts'
import { overviewView } from './view.ts'

/** What the dashboard shows of one merchant in one environment. */
export function dashboardOverview(
  app: App,
): Pick<DashboardHandlers, 'getOverview' | 'searchMerchant' | 'listLedger'> {
  return {
    getOverview: async ({ caller, query }) =>
      ok(overviewView(await getOverview(app, caller, query.days ?? defaultDays))),
    searchMerchant: async ({ caller, query }) =>
      ok((await searchMerchant(app, caller, query.q)).map(searchResultView)),
    listLedger: async ({ caller, query }) => {
      const filter = ledgerFilterFrom(app, query)
      const { currency, entryType, referenceId, from, to } = filter
      const { limit, offset } = query
      // Pages of one currency's whole ledger are found by kept counts, however deep they are.
      const page = await app.reading(async (store) => {
        const isWhole = currency !== null && referenceId === null && from === null && to === null
        const entries = isWhole
          ? await store.ledger.list(caller, { currency, entryType, limit, offset })
          : await store.ledgerList.list(caller, { ...filter, limit, offset })
        return valueEntries(store, caller, entries)
      })
      return okPage(page, query, ledgerEntryViewForPeople)
    },
  }
}

const defaultDays = 30
