import type { Answer, Call, CallOptions, IdempotentCallOptions, QueryOf, Rows } from '../call.ts'
import type { NewRefund, Refund } from '../contract.generated.ts'
import { rowsFrom } from '../pages.ts'
import { keyInHeaders } from '../route.ts'

export type Refunds = {
  /**
   * Refunds part or all of what an invoice was credited. Adds an idempotency key if there is none, so that a request whose
   * answer was lost can be sent again without paying twice.
   */
  create(refund: NewRefund, options?: IdempotentCallOptions): Promise<Refund>
  get(id: string, options?: CallOptions): Promise<Refund>
  /** One page of refunds, newest first. */
  list(query?: QueryOf<'listRefunds'>, options?: CallOptions): Promise<Answer<'listRefunds'>>
  /** Every refund that matches, newest first. */
  all(query?: QueryOf<'listRefunds'>, options?: CallOptions): Rows<Refund>
}

export function refundsOf(request: Call): Refunds {
  const list: Refunds['list'] = (query = {}, call = {}) => request('listRefunds', { ...call, query })
  return {
    create: async (refund, call = {}) => {
      const idempotencyKey =
        call.idempotencyKey ?? keyInHeaders(call.headers) ?? globalThis.crypto.randomUUID()
      return (await request('createRefund', { ...call, idempotencyKey, body: refund })).data
    },
    get: async (id, call = {}) => (await request('getRefund', { ...call, path: { refundID: id } })).data,
    list,
    all: (query = {}, call = {}) => rowsFrom(query, (page) => list(page, call)),
  }
}
