import type { App } from '../../../app/app.ts'
import { listBalances } from '../../../app/balances/list-balances.ts'
import { valueEntries } from '../../../app/balances/value-entries.ts'
import { invalid } from '../../../app/choose-asset.ts'
import { valueHeld } from '../../../app/suspense/value-held.ts'
import { upperCode } from '../../../domain/assets.ts'
import { type Handlers, ok, okPage } from '../../reply.ts'
import { suspenseViewFor } from '../operator/suspense-view.ts'
import { balanceView, ledgerEntryView } from './view.ts'

export function balances(app: App): Pick<Handlers, 'listBalances' | 'listLedgerEntries' | 'listSuspense'> {
  return {
    listBalances: async ({ caller }) => ok((await listBalances(app, caller)).map(balanceView)),
    listLedgerEntries: async ({ caller, path, query }) => {
      const currency = upperCode(path.currency)
      if (!app.assets.some(({ code }) => code === currency))
        throw invalid('/currency: is not a supported currency; GET /v1/currencies lists them')
      const filter = { ...query, currency, entryType: query.entry_type ?? null }
      const page = await app.reading(async (store) =>
        valueEntries(store, caller, await store.ledger.list(caller, filter)),
      )
      return okPage(page, query, ledgerEntryView)
    },
    listSuspense: async ({ caller, query }) => {
      const { reason = null, invoice_id: invoiceId = null, tx_hash: txHash = null, limit, offset } = query
      const filter = { reason, invoiceId, txHash, limit, offset }
      const page = await app.store.suspense.list(caller, filter)
      const rows = await valueHeld(app, page.rows, () => caller.merchant.baseCurrency)
      return okPage({ ...page, rows }, query, (payment) =>
        suspenseViewFor(app.assets, caller.merchantId, payment),
      )
    },
  }
}
