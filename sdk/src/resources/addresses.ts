import type { Answer, Call, CallOptions, QueryOf, Rows } from '../call.ts'
import type { Invoice, NewStaticAddress, StaticAddress } from '../contract.generated.ts'
import { rowsFrom } from '../pages.ts'

export type Addresses = {
  /** A permanent deposit address; every deposit to it creates an invoice. Sent once: it takes no idempotency key. */
  create(address: NewStaticAddress, options?: CallOptions): Promise<StaticAddress>
  get(id: string, options?: CallOptions): Promise<StaticAddress>
  /** One page of static addresses, newest first. */
  list(query?: QueryOf<'listAddresses'>, options?: CallOptions): Promise<Answer<'listAddresses'>>
  /** Every static address that matches, newest first. */
  all(query?: QueryOf<'listAddresses'>, options?: CallOptions): Rows<StaticAddress>
  /** Every invoice that a deposit to the address created, newest first. */
  invoices(id: string, query?: QueryOf<'listAddressInvoices'>, options?: CallOptions): Rows<Invoice>
}

export function addressesOf(request: Call): Addresses {
  const list: Addresses['list'] = (query = {}, call = {}) => request('listAddresses', { ...call, query })
  return {
    create: async (address, call = {}) => (await request('createAddress', { ...call, body: address })).data,
    get: async (id, call = {}) => (await request('getAddress', { ...call, path: { addressID: id } })).data,
    list,
    all: (query = {}, call = {}) => rowsFrom(query, (page) => list(page, call)),
    invoices: (id, query = {}, call = {}) =>
      rowsFrom(query, (page) =>
        request('listAddressInvoices', { ...call, path: { addressID: id }, query: page }),
      ),
  }
}
