import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { NewPayout } from '../../store/payouts/payout-rows.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { batch } from '../batch.ts'
import { keyMismatch } from '../idempotency.ts'
import { type DraftedOrder, orderDrafter, type PayoutOrder } from './draft-order.ts'
import { type PayoutDrafter, payoutDrafter } from './draft-payout.ts'
import { payoutDetails } from './payout-details.ts'
import { type Reservation, reservePayouts } from './reserve-payouts.ts'

const maxBatch = 64

export type CreatedPayout = { readonly payout: Payout; readonly replayed: boolean }

export type PayoutCreator = {
  /** Creates a payout and reserves its charge; concurrent calls share one transaction. */
  one(caller: Caller, order: PayoutOrder): Promise<CreatedPayout>
  /**
   * The same for several, each with its own result, reserved in this order. Rejects when one of them could be neither created
   * nor refused; others may exist then, so every one needs an idempotency key.
   */
  many(caller: Caller, orders: readonly PayoutOrder[]): Promise<(CreatedPayout | ServiceError)[]>
}

/** Makes the use case, which queues calls so that they share transactions. */
export function payoutCreator(app: App, draft: PayoutDrafter = payoutDrafter(app)): PayoutCreator {
  const draftOf = orderDrafter(app, draft)
  const reserve = queues(() =>
    batch((drafts: readonly NewPayout[]) => app.transaction((tx) => reservePayouts(app, tx, drafts)), {
      maxBatch,
      // A second transaction on the same ledger would only wait for the first.
      maxRunning: 1,
      subjectOf: ({ id }) => id,
    }),
  )

  // A person's payout gets its own transaction, which also records the act; payouts of API keys are batched.
  const reserveAlone = (caller: Caller, wanted: NewPayout): Promise<Reservation> =>
    app.transaction(async (tx) => {
      const [reserved] = await reservePayouts(app, tx, [wanted])
      if (reserved === undefined) throw new Error('A payout was neither made nor refused.')
      if (typeof reserved !== 'string' && !(reserved instanceof ServiceError))
        await noteActOf(tx, caller, {
          action: 'payout.created',
          subject: reserved.id,
          details: payoutDetails(reserved),
        })
      return reserved
    })

  return {
    one: async (caller, order) => conclude(caller, order, await draftOf(caller, order)),
    async many(caller, orders) {
      const drafts = await Promise.all(orders.map((order) => draftOf(caller, order).catch(refusalOf)))
      const results = await Promise.allSettled(
        orders.map(async (order, at) => {
          const draft = drafts[at] as DraftedOrder | ServiceError
          return draft instanceof ServiceError ? draft : conclude(caller, order, draft).catch(refusalOf)
        }),
      )
      return results.map((result) => {
        if (result.status === 'rejected') throw result.reason
        return result.value
      })
    },
  }

  // Enters the queue before it waits for anything, so that callers keep their order.
  async function conclude(
    caller: Caller,
    { request }: PayoutOrder,
    draft: DraftedOrder,
  ): Promise<CreatedPayout> {
    const { idempotencyKey } = request
    const { hash, wanted } = draft
    let refusal: unknown
    try {
      if ('refusal' in wanted) throw wanted.refusal
      const reserved = await (caller.person === null ? reserve(wanted) : reserveAlone(caller, wanted))
      if (typeof reserved !== 'string' && !(reserved instanceof ServiceError))
        return { payout: reserved, replayed: false }
      refusal = reserved
    } catch (error) {
      refusal = error
    }
    // A repeated request gets its payout even if the balance or the gates have changed since.
    const earlier =
      idempotencyKey === null || hash === null ? null : await replay(caller, idempotencyKey, hash)
    if (earlier !== null) return earlier
    throw refusal === 'taken' ? new Error('A payout was neither made nor found.') : refusal
  }

  async function replay(caller: Caller, key: string, hash: Buffer): Promise<CreatedPayout | null> {
    const { merchantId, environment } = caller
    const [earlier] = await app.store.payouts.findByKeys([{ merchantId, environment, idempotencyKey: key }])
    if (earlier === undefined) return null
    if (earlier.requestHash.equals(hash)) return { payout: earlier.payout, replayed: true }
    throw keyMismatch()
  }
}

function refusalOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  throw error
}

/** Keeps one queue per ledger in use, so that waiting for one ledger does not hold up the others. */
function queues(make: () => (draft: NewPayout) => Promise<Reservation>) {
  const open = new Map<string, { readonly reserve: ReturnType<typeof make>; waiting: number }>()
  return async (draft: NewPayout): Promise<Reservation> => {
    const ledger = `${draft.merchantId} ${draft.environment} ${draft.currency}`
    const queue = open.get(ledger) ?? { reserve: make(), waiting: 0 }
    open.set(ledger, queue)
    queue.waiting++
    try {
      return await queue.reserve(draft)
    } finally {
      if (--queue.waiting === 0) open.delete(ledger)
    }
  }
}
