import type { StaticAddress as StaticAddressView } from '@sluice/sdk/contract'
import type { App } from '../../../app/app.ts'
import { createAddress } from '../../../app/static-addresses/create-address.ts'
import { getAddress } from '../../../app/static-addresses/get-address.ts'
import { valueAddresses } from '../../../app/static-addresses/value-addresses.ts'
import type { Caller } from '../../../domain/caller.ts'
import type { StaticAddress } from '../../../store/invoices/static-addresses.ts'
import { created, type Handlers, ok, okCursorPage } from '../../reply.ts'
import type { InvoiceViewer } from '../invoices/view.ts'
import { currencyFrom, narrowingFrom } from '../list-filters.ts'
import { staticAddressView } from './view.ts'

export function addresses(
  app: App,
  invoiceView: InvoiceViewer,
): Pick<Handlers, 'createAddress' | 'listAddresses' | 'getAddress' | 'listAddressInvoices'> {
  async function views(caller: Caller, rows: readonly StaticAddress[]) {
    return (await valueAddresses(app, caller, rows)).map((address) => staticAddressView(app, address))
  }
  async function view(caller: Caller, address: StaticAddress) {
    const [shown] = await views(caller, [address])
    return shown as StaticAddressView
  }
  return {
    createAddress: async ({ caller, body }) => {
      const { currency, network = null, label = null } = body
      return created(await view(caller, await createAddress(app, caller, { currency, network, label })))
    },
    listAddresses: async ({ caller, query }) => {
      const { limit, offset } = query
      const narrowing = narrowingFrom(app, query)
      const filter = { limit, offset, currency: currencyFrom(query), narrowing }
      const page = await app.reading((store) => store.staticAddresses.list(caller, filter))
      return okCursorPage({ ...page, rows: await views(caller, page.rows) }, query, (shown) => shown)
    },
    getAddress: async ({ caller, path }) =>
      ok(await view(caller, await getAddress(app, caller, path.addressID))),
    listAddressInvoices: async ({ caller, path, query }) => {
      const { id } = await getAddress(app, caller, path.addressID)
      const { limit, offset } = query
      const asked = { limit, offset, narrowing: narrowingFrom(app, query) }
      return okCursorPage(await app.store.invoices.listOfAddress(caller, id, asked), query, invoiceView)
    },
  }
}
