// This file is generated from the contract.
import type { Operations } from './contract.generated.ts'
import type { Route } from './route.ts'

/** Where each operation of the contract lives. */
export const operations: { readonly [Id in keyof Operations]: Route } = {
  listCurrencies: { method: 'GET', path: '/v1/currencies', needsKey: false, takesIdempotencyHeader: false },
  listRates: { method: 'GET', path: '/v1/rates', needsKey: false, takesIdempotencyHeader: false },
  listEvents: { method: 'GET', path: '/v1/events', needsKey: true, takesIdempotencyHeader: false },
  getEvent: { method: 'GET', path: '/v1/events/{eventID}', needsKey: true, takesIdempotencyHeader: false },
}
