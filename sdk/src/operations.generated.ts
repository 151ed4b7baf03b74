// This file is generated from the contract.
import type { Operations } from './contract.generated.ts'
import type { Route } from './route.ts'

/** Where each operation of the contract lives. */
export const operations: { readonly [Id in keyof Operations]: Route } = {
  listInvoices: { method: 'GET', path: '/v1/invoices', needsKey: true, takesIdempotencyHeader: false },
  createInvoice: { method: 'POST', path: '/v1/invoices', needsKey: true, takesIdempotencyHeader: false },
  getInvoice: { method: 'GET', path: '/v1/invoices/{invoiceID}', needsKey: true, takesIdempotencyHeader: false },
  cancelInvoice: { method: 'POST', path: '/v1/invoices/{invoiceID}/cancel', needsKey: true, takesIdempotencyHeader: false },
  listAddresses: { method: 'GET', path: '/v1/addresses', needsKey: true, takesIdempotencyHeader: false },
  createAddress: { method: 'POST', path: '/v1/addresses', needsKey: true, takesIdempotencyHeader: false },
  getAddress: { method: 'GET', path: '/v1/addresses/{addressID}', needsKey: true, takesIdempotencyHeader: false },
  listAddressInvoices: { method: 'GET', path: '/v1/addresses/{addressID}/invoices', needsKey: true, takesIdempotencyHeader: false },
  listBalances: { method: 'GET', path: '/v1/balances', needsKey: true, takesIdempotencyHeader: false },
  listLedgerEntries: { method: 'GET', path: '/v1/balances/{currency}/ledger', needsKey: true, takesIdempotencyHeader: false },
  listCurrencies: { method: 'GET', path: '/v1/currencies', needsKey: false, takesIdempotencyHeader: false },
  listRates: { method: 'GET', path: '/v1/rates', needsKey: false, takesIdempotencyHeader: false },
  listEvents: { method: 'GET', path: '/v1/events', needsKey: true, takesIdempotencyHeader: false },
  redeliverEvents: { method: 'POST', path: '/v1/events/redeliver', needsKey: true, takesIdempotencyHeader: false },
  getEvent: { method: 'GET', path: '/v1/events/{eventID}', needsKey: true, takesIdempotencyHeader: false },
  redeliverEvent: { method: 'POST', path: '/v1/events/{eventID}/redeliver', needsKey: true, takesIdempotencyHeader: false },
  listWebhookEndpoints: { method: 'GET', path: '/v1/webhook_endpoints', needsKey: true, takesIdempotencyHeader: false },
  createWebhookEndpoint: { method: 'POST', path: '/v1/webhook_endpoints', needsKey: true, takesIdempotencyHeader: false },
  getWebhookEndpoint: { method: 'GET', path: '/v1/webhook_endpoints/{endpointID}', needsKey: true, takesIdempotencyHeader: false },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/v1/webhook_endpoints/{endpointID}', needsKey: true, takesIdempotencyHeader: false },
  rotateWebhookSecret: { method: 'POST', path: '/v1/webhook_endpoints/{endpointID}/rotate_secret', needsKey: true, takesIdempotencyHeader: false },
  enableWebhookEndpoint: { method: 'POST', path: '/v1/webhook_endpoints/{endpointID}/enable', needsKey: true, takesIdempotencyHeader: false },
  testWebhookEndpoint: { method: 'POST', path: '/v1/webhook_endpoints/{endpointID}/test', needsKey: true, takesIdempotencyHeader: false },
  createTestDeposit: { method: 'POST', path: '/v1/test/deposits', needsKey: true, takesIdempotencyHeader: false },
  mineTestBlocks: { method: 'POST', path: '/v1/test/blocks', needsKey: true, takesIdempotencyHeader: false },
  reorganiseTestChain: { method: 'POST', path: '/v1/test/reorgs', needsKey: true, takesIdempotencyHeader: false },
  setTestGate: { method: 'POST', path: '/v1/test/gates', needsKey: true, takesIdempotencyHeader: false },
  activateTestInvoice: { method: 'POST', path: '/v1/test/invoices/{invoiceID}/activate', needsKey: true, takesIdempotencyHeader: false },
  expireTestInvoice: { method: 'POST', path: '/v1/test/invoices/{invoiceID}/expire', needsKey: true, takesIdempotencyHeader: false },
}
