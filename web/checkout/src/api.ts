import type {
  Checkout,
  CheckoutChoice,
  CheckoutOffer,
  CheckoutSimulation,
  CheckoutToken,
} from '@sluice/web/contract'
import {
  chooseCheckoutAsset,
  followCheckout,
  getCheckout,
  listCheckoutAssets,
  makePaymentTransaction,
  renewCheckoutToken,
  simulateCheckoutPayment,
} from '@sluice/web/operations'
import {
  type BodyOf,
  type Data,
  type Operation,
  type OperationId,
  type RequestOf,
  requestTo,
} from '@sluice/web/ui/operation.ts'

/** The service answered with a refusal. `code` is one of the contract's, or empty if the answer had none. */
export class RefusedError extends Error {
  readonly status: number
  readonly code: string
  readonly retryAfterMs: number

  constructor(status: number, code: string, retryAfterMs: number) {
    super(`The service answered ${status} ${code}.`)
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** No answer arrived: no connection, or a timeout. */
export class UnreachableError extends Error {}

const answerWithinMs = 15_000
const renewBeforeMs = 5 * 60_000
const longestRetryAfterMs = 60_000

/** The operations without path parameters and query, which are all that the page uses. */
type CheckoutId = {
  [Id in OperationId]: RequestOf<Id> extends { path?: never; query?: never } ? Id : never
}[OperationId]

/** The page's calls to the service, always with the newest token, which is sent only in the header. */
export type CheckoutApi = {
  invoice(): Promise<Checkout>
  assets(): Promise<CheckoutOffer[]>
  choose(choice: CheckoutChoice): Promise<Checkout>
  simulate(action: CheckoutSimulation['action']): Promise<Checkout>
  stream(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  keep(token: CheckoutToken): void
  /** Replaces the token if it expires soon; otherwise does nothing. */
  renewIfOld(): Promise<void>
}

/** `serviceNowMs` is the service's time as far as the page knows it: tokens expire by that clock. */
export function checkoutApi(
  first: CheckoutToken,
  serviceNowMs: () => number,
  send: typeof fetch = fetch,
): CheckoutApi {
  let token = first
  let renewing: Promise<void> | null = null

  const ask = async (
    operation: Operation<OperationId>,
    signal: AbortSignal,
    body?: unknown,
  ): Promise<Response> => {
    const { method, url } = requestTo(operation)
    return reach(send, url, {
      method,
      signal,
      headers: {
        authorization: `Bearer ${token.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  const call = async <Id extends CheckoutId>(
    operation: Operation<Id>,
    ...[body]: BodyOf<Id>
  ): Promise<Data<Id>> => {
    const answer = await ask(operation, AbortSignal.timeout(answerWithinMs), body)
    const text = await answer.text().catch((error: unknown) => {
      throw new UnreachableError('The answer of the service broke off.', { cause: error })
    })
    return (JSON.parse(text) as { data: Data<Id> }).data
  }

  return {
    invoice: () => call(getCheckout),
    assets: () => call(listCheckoutAssets),
    choose: (choice) => call(chooseCheckoutAsset, choice),
    simulate: (action) => call(simulateCheckoutPayment, { action }),
    async stream(signal) {
      const { body } = await ask(followCheckout, signal)
      if (body === null) throw new UnreachableError('The stream has no body.')
      return body
    },
    keep(newer) {
      token = newer
    },
    async renewIfOld() {
      if (Date.parse(token.expires_at) - serviceNowMs() > renewBeforeMs) return
      // Concurrent callers wait for the same answer.
      renewing ??= call(renewCheckoutToken)
        .then((renewed) => {
          token = renewed
        })
        .finally(() => {
          renewing = null
        })
      await renewing
    },
  }
}

/** The transaction with which an account pays what is missing now. It takes the ticket instead of the token. */
export async function paymentTransaction(
  ticket: string,
  account: string,
  send: typeof fetch = fetch,
): Promise<Uint8Array> {
  const { method, url } = requestTo(makePaymentTransaction, { path: { ticket } })
  const answer = await reach(send, url, {
    method,
    signal: AbortSignal.timeout(answerWithinMs),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account }),
  })
  const { transaction } = (await answer.json().catch((error: unknown) => {
    throw new UnreachableError('The answer of the service broke off.', { cause: error })
  })) as { transaction: string }
  return Uint8Array.from(atob(transaction), (letter) => letter.charCodeAt(0))
}

/** A good answer of the service, or the reason why there is none. */
async function reach(send: typeof fetch, url: string, request: RequestInit): Promise<Response> {
  const options: RequestInit = { ...request, cache: 'no-store', referrerPolicy: 'no-referrer' }
  const answer = await send(url, options).catch((error: unknown) => {
    throw new UnreachableError('The service cannot be reached.', { cause: error })
  })
  if (answer.ok) return answer
  throw await refusal(answer)
}

async function refusal(answer: Response): Promise<RefusedError> {
  const seconds = Number(answer.headers.get('retry-after') ?? 0)
  const retryAfterMs = Number.isFinite(seconds) ? Math.min(seconds * 1000, longestRetryAfterMs) : 0
  // A proxy between the service and this page may answer with something other than JSON.
  const body = (await answer.json().catch(() => null)) as { error?: { code?: unknown } } | null
  const code = body?.error?.code
  return new RefusedError(answer.status, typeof code === 'string' ? code : '', retryAfterMs)
}
