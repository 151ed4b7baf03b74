import type { Answer, Call, CallOptions, IdempotentCallOptions, QueryOf, Rows } from '../call.ts'
import type { NewPayout, Payout, PayoutResult } from '../contract.generated.ts'
import { rowsFrom } from '../pages.ts'

export type Payouts = {
  /**
   * Creates a payout, which then waits for approval. Adds an idempotency key if there is none, so that a request whose
   * answer was lost can be sent again without paying twice.
   */
  create(payout: NewPayout, options?: IdempotentCallOptions): Promise<Payout>
  /**
   * Creates up to 100 payouts, each with its own result, in the same order. Adds an idempotency key to each that has none, so
   * that the call can be repeated while it gets no answer. After that, only keys of your own let you send it again.
   */
  createMany(payouts: readonly NewPayout[], options?: CallOptions): Promise<PayoutResult[]>
  get(id: string, options?: CallOptions): Promise<Payout>
  /** Cancels a payout that is not on its way yet. */
  cancel(id: string, options?: CallOptions): Promise<Payout>
  /** One page of payouts, newest first. */
  list(query?: QueryOf<'listPayouts'>, options?: CallOptions): Promise<Answer<'listPayouts'>>
  /** Every payout that matches, newest first. */
  all(query?: QueryOf<'listPayouts'>, options?: CallOptions): Rows<Payout>
}

export function payoutsOf(request: Call): Payouts {
  const list: Payouts['list'] = (query = {}, call = {}) => request('listPayouts', { ...call, query })
  return {
    create: async (payout, call = {}) => {
      const idempotencyKey = call.idempotencyKey ?? payout.idempotency_key ?? globalThis.crypto.randomUUID()
      return (await request('createPayout', { ...call, idempotencyKey, body: payout })).data
    },
    createMany: async (payouts, call = {}) => {
      const keyed = payouts.map((payout) => ({
        ...payout,
        idempotency_key: payout.idempotency_key ?? globalThis.crypto.randomUUID(),
      }))
      return (await request('createPayouts', { ...call, body: { payouts: keyed } })).data
    },
    get: async (id, call = {}) => (await request('getPayout', { ...call, path: { payoutID: id } })).data,
    cancel: async (id, call = {}) =>
      (await request('cancelPayout', { ...call, path: { payoutID: id } })).data,
    list,
    all: (query = {}, call = {}) => rowsFrom(query, (page) => list(page, call)),
  }
}
