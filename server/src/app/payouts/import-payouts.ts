import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { NewPayout } from '../../store/payouts/payout-rows.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { keyMismatch } from '../idempotency.ts'
import { merchantNow } from '../test-clock/merchant-now.ts'
import { type DraftedOrder, orderDrafter, type PayoutOrder } from './draft-order.ts'
import { payoutDrafter } from './draft-payout.ts'
import { objectionOfPolicy } from './judge-policy.ts'
import { payoutDetails } from './payout-details.ts'
import { accountsOf, decidePayouts, reservePayouts, TakenMeanwhileError } from './reserve-payouts.ts'

/** What becomes of one payout of an import. */
export type PayoutVerdict =
  /** It can be created, and was not. `objection` says why the policy would not let it be approved now. */
  | { readonly outcome: 'ready'; readonly draft: NewPayout; readonly objection: string | null }
  | { readonly outcome: 'created' | 'replayed'; readonly payout: Payout }
  | { readonly outcome: 'refused'; readonly refusal: ServiceError }

export type PayoutImporter = {
  /** What `create` would say now, decided by the same code. Writes nothing. */
  check(caller: Caller, orders: readonly PayoutOrder[]): Promise<PayoutVerdict[]>
  /** Creates all payouts in one transaction, or none if one of them is refused. Those that exist already stay as they are. */
  create(caller: Caller, orders: readonly PayoutOrder[]): Promise<PayoutVerdict[]>
}

/** Makes the use case. Every order needs an idempotency key of its own. */
export function payoutImporter(app: App): PayoutImporter {
  const draftOf = orderDrafter(app, payoutDrafter(app))

  const draftAll = (caller: Caller, orders: readonly PayoutOrder[]) =>
    Promise.all(
      orders.map((order) =>
        draftOf(caller, order).catch(
          (refusal: unknown): DraftedOrder => ({ hash: null, wanted: { refusal } }),
        ),
      ),
    )

  return {
    async check(caller, orders) {
      const drafts = await draftAll(caller, orders)
      const { store } = app
      const found = await earlierOf(store, caller, orders, drafts)
      const fresh = freshOf(drafts, found)
      const decisions = await decidePayouts(
        app,
        store,
        fresh,
        await store.ledger.readAvailable(accountsOf(fresh)),
      )
      const verdicts = verdictsOf(drafts, found, new Map(fresh.map((draft, at) => [draft, decisions[at]])))
      return withObjections(app, caller, verdicts)
    },

    async create(caller, orders) {
      const drafts = await draftAll(caller, orders)
      const createAll = () => app.transaction((tx) => createOrUndo(app, tx, caller, orders, drafts))
      try {
        return await createAll().catch((error: unknown) => {
          if (error instanceof TakenMeanwhileError) return createAll()
          throw error
        })
      } catch (error) {
        if (error instanceof NothingCreated)
          return withObjections(app, caller, error.verdicts.map(undone(drafts)))
        throw error
      }
    },
  }
}

/** Creates every payout of an import, or throws `NothingCreated`. */
async function createOrUndo(
  app: App,
  tx: Store,
  caller: Caller,
  orders: readonly PayoutOrder[],
  drafts: readonly DraftedOrder[],
): Promise<PayoutVerdict[]> {
  // An earlier sending of the same request ends first, and is found then.
  await tx.ledger.holdAvailable(accountsOf(freshOf(drafts, [])))
  const found = await earlierOf(tx, caller, orders, drafts)
  const fresh = freshOf(drafts, found)
  const reserved = await reservePayouts(app, tx, fresh)
  const verdicts = verdictsOf(drafts, found, new Map(fresh.map((draft, at) => [draft, reserved[at]])))
  if (verdicts.some(({ outcome }) => outcome === 'refused')) throw new NothingCreated(verdicts)
  for (const verdict of verdicts)
    if (verdict.outcome === 'created') {
      const { payout } = verdict
      await noteActOf(tx, caller, {
        action: 'payout.created',
        subject: payout.id,
        details: payoutDetails(payout),
      })
    }
  return verdicts
}

/** Undoes the transaction of an import. */
class NothingCreated extends Error {
  readonly verdicts: readonly PayoutVerdict[]
  constructor(verdicts: readonly PayoutVerdict[]) {
    super('A payout of an import was refused.')
    this.verdicts = verdicts
  }
}

const undone =
  (drafts: readonly DraftedOrder[]) =>
  (verdict: PayoutVerdict, at: number): PayoutVerdict => {
    const wanted = drafts[at]?.wanted
    return verdict.outcome !== 'created' || wanted === undefined || 'refusal' in wanted
      ? verdict
      : { outcome: 'ready', draft: wanted, objection: null }
  }

/** For each order the payout that its key has made, or the refusal if that was another request; null if there is none. */
async function earlierOf(
  store: Store,
  { merchantId, environment }: Caller,
  orders: readonly PayoutOrder[],
  drafts: readonly DraftedOrder[],
): Promise<(Payout | ServiceError | null)[]> {
  const keys = orders.flatMap(({ request: { idempotencyKey } }) =>
    idempotencyKey === null ? [] : [{ merchantId, environment, idempotencyKey }],
  )
  const found = new Map(
    (await store.payouts.findByKeys(keys)).map((each) => [each.payout.idempotencyKey, each]),
  )
  return orders.map(({ request }, at) => {
    const earlier = request.idempotencyKey === null ? undefined : found.get(request.idempotencyKey)
    // What was not even read cannot have been created by the same request.
    const hash = drafts[at]?.hash ?? null
    if (earlier === undefined || hash === null) return null
    return earlier.requestHash.equals(hash) ? earlier.payout : keyMismatch()
  })
}

/** The drafts of the orders that have made no payout yet. */
function freshOf(
  drafts: readonly DraftedOrder[],
  found: readonly (Payout | ServiceError | null)[],
): NewPayout[] {
  return drafts.flatMap(({ wanted }, at) => ('refusal' in wanted || found[at] ? [] : [wanted]))
}

function verdictsOf(
  drafts: readonly DraftedOrder[],
  found: readonly (Payout | ServiceError | null)[],
  decided: ReadonlyMap<NewPayout, NewPayout | Payout | 'taken' | ServiceError | undefined>,
): PayoutVerdict[] {
  return drafts.map(({ wanted }, at): PayoutVerdict => {
    const earlier = found[at] ?? null
    if (earlier instanceof ServiceError) return { outcome: 'refused', refusal: earlier }
    if (earlier !== null) return { outcome: 'replayed', payout: earlier }
    if ('refusal' in wanted) {
      if (!(wanted.refusal instanceof ServiceError)) throw wanted.refusal
      return { outcome: 'refused', refusal: wanted.refusal }
    }
    const decision = decided.get(wanted)
    if (decision === undefined) throw new Error('A payout of an import was not decided.')
    // The same request would have been found under its key, so another one has taken it.
    if (decision === 'taken') return { outcome: 'refused', refusal: keyMismatch() }
    if (decision instanceof ServiceError) return { outcome: 'refused', refusal: decision }
    return 'status' in decision
      ? { outcome: 'created', payout: decision }
      : { outcome: 'ready', draft: decision, objection: null }
  })
}

/** What the policy has against those that are ready, were they approved in this order. */
async function withObjections(
  app: App,
  caller: Caller,
  verdicts: readonly PayoutVerdict[],
): Promise<PayoutVerdict[]> {
  const now = await merchantNow(app, caller)
  const policy = await app.store.payoutPolicies.find(caller)
  const judged: PayoutVerdict[] = []
  let besides = 0n
  for (const verdict of verdicts) {
    if (verdict.outcome !== 'ready') {
      judged.push(verdict)
      continue
    }
    const { draft } = verdict
    const objection = await objectionOfPolicy(app.store, draft, policy, now, besides)
    if (objection === null) besides += draft.amountInBaseCurrency ?? 0n
    judged.push({ ...verdict, objection })
  }
  return judged
}
