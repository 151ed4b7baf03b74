import type { Caller } from '../../domain/caller.ts'
import type { NewPayout } from '../../store/payouts/payout-rows.ts'
import type { App } from '../app.ts'
import { requestHash } from '../idempotency.ts'
import { type PayoutDrafter, type PayoutRequest, readPayout } from './draft-payout.ts'

/** A payout to create, and its body as sent, to tell a repeated request from a different one with the same key. */
export type PayoutOrder = {
  readonly request: PayoutRequest & { readonly idempotencyKey: string | null }
  readonly body: Readonly<Record<string, unknown>>
}

/** An order with everything decided that can be without the ledger. A refusal counts only if its key made no payout before. */
export type DraftedOrder = {
  readonly hash: Buffer | null
  readonly wanted: NewPayout | { readonly refusal: unknown }
}

/** Makes the drafter of orders. It rejects only for a request that no retry could have sent before. */
export function orderDrafter(
  app: App,
  draft: PayoutDrafter,
): (caller: Caller, order: PayoutOrder) => Promise<DraftedOrder> {
  return async (caller, { request, body }) => {
    const read = readPayout(app, request)
    const { idempotencyKey } = request
    const hash = idempotencyKey === null ? null : requestHash(body)
    const terms = {
      idempotencyKey,
      requestHash: hash,
      refundId: null,
      feeBps: caller.merchant.payoutFeeBps,
    }
    const wanted = draft(caller, request, read, terms)
    return { hash, wanted: await wanted.catch((refusal: unknown) => ({ refusal })) }
  }
}
