import type { Answer, Call, CallOptions, QueryOf, Rows } from '../call.ts'
import type { LedgerEntry, SuspensePayment } from '../contract.generated.ts'
import { allRows, largestPage } from '../pages.ts'

export type Balances = {
  /** One row per currency ever seen. */
  list(options?: CallOptions): Promise<Answer<'listBalances'>>
  /** Every entry of a currency's ledger, newest first. */
  ledger(currency: string, query?: QueryOf<'listLedgerEntries'>, options?: CallOptions): Rows<LedgerEntry>
}

export function balancesOf(request: Call): Balances {
  return {
    list: (call = {}) => request('listBalances', call),
    ledger: (currency, query = {}, call = {}) =>
      allRows(query.offset ?? 0, (offset) =>
        request('listLedgerEntries', {
          ...call,
          path: { currency },
          query: { ...query, limit: query.limit ?? largestPage, offset },
        }),
      ),
  }
}

export type Suspense = {
  /** One page of payments that could not be credited, newest first. */
  list(query?: QueryOf<'listSuspense'>, options?: CallOptions): Promise<Answer<'listSuspense'>>
  /** Every payment that could not be credited and matches, newest first. */
  all(query?: QueryOf<'listSuspense'>, options?: CallOptions): Rows<SuspensePayment>
}

export function suspenseOf(request: Call): Suspense {
  const list: Suspense['list'] = (query = {}, call = {}) => request('listSuspense', { ...call, query })
  return {
    list,
    all: (query = {}, call = {}) =>
      allRows(query.offset ?? 0, (offset) =>
        list({ ...query, limit: query.limit ?? largestPage, offset }, call),
      ),
  }
}
