import type { App } from '../../../app/app.ts'
import { createAddress } from '../../../app/static-addresses/create-address.ts'
import { getAddress } from '../../../app/static-addresses/get-address.ts'
import type { StaticAddress } from '../../../store/invoices/static-addresses.ts'
import { created, type Handlers, ok, okCursorPage } from '../../reply.ts'
import type { InvoiceViewer } from '../invoices/view.ts'
import { currencyFrom, narrowingFrom } from '../list-filters.ts'
import { staticAddressView } from './view.ts'

export function addresses(
  app: App,
  invoiceView: InvoiceViewer,
): Pick<Handlers, 'createAddress' | 'listAddresses' | 'getAddress' | 'listAddressInvoices'> {
  const view = (address: StaticAddress) => staticAddressView(app, address)
  return {
    createAddress: async ({ caller, body }) => {
      const { currency, network = null, label = null } = body
      return created(view(await createAddress(app, caller, { currency, network, label })))
    },
    listAddresses: async ({ caller, query }) => {
      const { limit, offset } = query
      const narrowing = narrowingFrom(app, query)
      const filter = { limit, offset, currency: currencyFrom(query), narrowing }
      return okCursorPage(
        await app.reading((store) => store.staticAddresses.list(caller, filter)),
        query,
        view,
      )
    },
    getAddress: async ({ caller, path }) => ok(view(await getAddress(app, caller, path.addressID))),
    listAddressInvoices: async ({ caller, path, query }) => {
      const { id } = await getAddress(app, caller, path.addressID)
      const { limit, offset } = query
      const asked = { limit, offset, narrowing: narrowingFrom(app, query) }
      return okCursorPage(await app.store.invoices.listOfAddress(caller, id, asked), query, invoiceView)
    },
  }
}
