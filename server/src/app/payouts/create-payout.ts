import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { NewPayout } from '../../store/payouts/payout-rows.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { batch } from '../batch.ts'
import { keyMismatch, requestHash } from '../idempotency.ts'
import { type PayoutDrafter, type PayoutRequest, payoutDrafter, readPayout } from './draft-payout.ts'
import { type Reservation, reservePayouts } from './reserve-payouts.ts'

const maxBatch = 64

export type CreatedPayout = { readonly payout: Payout; readonly replayed: boolean }

/** Creates a payout and reserves its charge; concurrent calls share one transaction. */
export type PayoutCreator = (
  caller: Caller,
  request: PayoutRequest & { readonly idempotencyKey: string | null },
  /** The body as sent, to tell a repeated request from a different one with the same key. */
  body: Readonly<Record<string, unknown>>,
) => Promise<CreatedPayout>

/** Makes the use case, which queues calls so that they share transactions. */
export function payoutCreator(app: App, draft: PayoutDrafter = payoutDrafter(app)): PayoutCreator {
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
          details: { destination: reserved.destination, currency: reserved.currency },
        })
      return reserved
    })

  return async (caller, request, body) => {
    const read = readPayout(app, request)
    const { idempotencyKey } = request
    const hash = idempotencyKey === null ? null : requestHash(body)
    const feeBps = caller.merchant.payoutFeeBps
    const terms = { idempotencyKey, requestHash: hash, refundId: null, feeBps }
    let refusal: unknown
    try {
      const wanted = await draft(caller, request, read, terms)
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
