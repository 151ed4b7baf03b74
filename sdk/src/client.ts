import type { Answer, Call, IdempotentCallOptions } from './call.ts'
import { operations } from './operations.generated.ts'
import { type Addresses, addressesOf } from './resources/addresses.ts'
import { type Balances, balancesOf, type Suspense, suspenseOf } from './resources/balances.ts'
import { type Events, eventsOf } from './resources/events.ts'
import { type Invoices, invoicesOf } from './resources/invoices.ts'
import { type Payouts, payoutsOf } from './resources/payouts.ts'
import { type Currencies, currenciesOf, type Rates, ratesOf } from './resources/public-data.ts'
import { type Refunds, refundsOf } from './resources/refunds.ts'
import { type ShopConnections, shopConnectionsOf } from './resources/shop-connections.ts'
import { type TestEnvironment, testEnvironmentOf } from './resources/test-environment.ts'
import { type WebhookEndpoints, webhookEndpointsOf } from './resources/webhook-endpoints.ts'
import { realTiming, type Timing } from './retry.ts'
import { type Route, type RouteInput, withIdempotencyKey } from './route.ts'
import { createTransport, type SluiceOptions } from './transport.ts'

export type {
  Answer,
  Call,
  CallInput,
  CallOptions,
  IdempotentCallOptions,
  OperationId,
  Rows,
} from './call.ts'
export type {
  Balance,
  CreditedBalance,
  Currency,
  CursorPagination,
  Delivery,
  DeliveryAttempt,
  Environment,
  ErrorCode,
  Event,
  EventName,
  EventWithDeliveries,
  Invoice,
  InvoiceStatus,
  InvoiceWithIncluded,
  InvoiceWithPayments,
  LedgerEntry,
  NewInvoice,
  NewlyMadeWebhookEndpoint,
  NewPayout,
  NewRefund,
  NewShopConnection,
  NewStaticAddress,
  NewTestDeposit,
  NewWebhookEndpoint,
  Pagination,
  Payment,
  Payout,
  PayoutResult,
  PayoutStatus,
  Rate,
  Refund,
  RefundStatus,
  ShopConnection,
  StaticAddress,
  SuspensePayment,
  WebhookEndpoint,
} from './contract.generated.ts'
export {
  AuthenticationError,
  ConflictError,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  SluiceConnectionError,
  SluiceError,
  type SluiceErrorCode,
  UnprocessableError,
  ValidationError,
} from './errors.ts'
export type { Codes, RateFilter } from './resources/public-data.ts'
export { type ResponseInfo, responseOf } from './response.ts'
export type { Timing } from './retry.ts'
export type { SluiceOptions } from './transport.ts'
export type { FetchInit, FetchResponse } from './web-types.ts'
export type { KnownEventName, WebhookEvent, WebhookEventOf } from './webhooks/events.generated.ts'
export { SluiceWebhookError, type WebhookProblem } from './webhooks/webhook-error.ts'
export {
  isKnownEvent,
  type SignOptions,
  type UnknownWebhookEvent,
  type VerifyOptions,
  type WebhookBody,
  type WebhookHeaders,
  type WebhookSecret,
  webhooks,
} from './webhooks/webhooks.ts'

/**
 * The API by resource. A single resource is returned as itself; a list as `{ data, requestId }`, with `pagination` if
 * the contract pages it; `responseOf` gives the status and the request id of both. Every method rejects with a
 * `SluiceError` when the service refuses, a `SluiceConnectionError` when no answer arrives, the signal's reason when it
 * aborts, and a `TypeError` when the call itself is invalid.
 */
export type Sluice = {
  /** Any operation of the contract by its id, with the whole answer: data, request id, pagination. */
  readonly request: Call
  readonly currencies: Currencies
  readonly rates: Rates
  readonly invoices: Invoices
  readonly payouts: Payouts
  readonly refunds: Refunds
  readonly addresses: Addresses
  readonly balances: Balances
  readonly suspense: Suspense
  readonly events: Events
  readonly webhookEndpoints: WebhookEndpoints
  readonly shopConnections: ShopConnections
  readonly test: TestEnvironment
}

/**
 * A client for one Sluice. The key is kept in a closure: neither inspecting nor serialising the client shows it, and it
 * is removed from every error. `timing` is for tests.
 */
export function createSluice(options: SluiceOptions, timing: Timing = realTiming): Sluice {
  const send = createTransport(options, timing)

  const request: Call = async (operationId, ...[given]) => {
    if (!Object.hasOwn(operations, operationId)) throw new TypeError('The contract has no such operation.')
    const route: Route = operations[operationId]
    const { idempotencyKey, ...input } = (given ?? {}) as RouteInput & IdempotentCallOptions
    const keyed = idempotencyKey === undefined ? input : withIdempotencyKey(route, input, idempotencyKey)
    const answer = await send(route, { ...input, ...keyed })
    // The server guarantees the types: data is not validated again here, so new fields never break a client.
    return answer as unknown as Answer<typeof operationId>
  }

  return {
    request,
    currencies: currenciesOf(request),
    rates: ratesOf(request),
    invoices: invoicesOf(request),
    payouts: payoutsOf(request),
    refunds: refundsOf(request),
    addresses: addressesOf(request),
    balances: balancesOf(request),
    suspense: suspenseOf(request),
    events: eventsOf(request),
    webhookEndpoints: webhookEndpointsOf(request),
    shopConnections: shopConnectionsOf(request),
    test: testEnvironmentOf(request),
  }
}
