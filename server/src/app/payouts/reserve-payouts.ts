import { balanceDecimals, networkIn } from '../../domain/assets.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { formatDecimal } from '../../domain/money.ts'
import { reservePostings } from '../../domain/payout-postings.ts'
import { chargedUnits, type Payout } from '../../domain/payouts.ts'
import type { NewPayout } from '../../store/payouts/payout-rows.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { gateOffline } from '../gates/gate-book.ts'

/** The result for a draft: a payout, an idempotency key that is already taken, or a refusal. */
export type Reservation = Payout | 'taken' | ServiceError

type Charge = Pick<
  NewPayout,
  'currency' | 'network' | 'decimals' | 'amountUnits' | 'feeUnits' | 'networkFeeUnits'
>

/** Another transaction has just used the idempotency key of a draft. Trying again decides without that draft. */
export class TakenMeanwhileError extends Error {
  constructor() {
    super('Payouts were refused because of a reservation for one that already exists.')
  }
}

/**
 * Creates payouts from drafts inside the caller's transaction and reserves the charge of each, in order, while the balance
 * covers it. The balance is locked meanwhile, so that concurrent requests cannot spend it twice.
 */
export async function reservePayouts(
  app: Pick<App, 'assets' | 'now'>,
  tx: Store,
  drafts: readonly NewPayout[],
): Promise<Reservation[]> {
  const decisions = await decidePayouts(app, tx, drafts, await tx.ledger.holdAvailable(accountsOf(drafts)))
  const granted = decisions.filter(isDraft)
  const made = await tx.payouts.insert(granted)
  // If an idempotency key is already taken, the amount reserved for it must not block later payouts in the batch: throw, so
  // that each draft is tried alone.
  const isShort = made.size < granted.length && decisions.some((decision) => decision instanceof ServiceError)
  if (isShort) throw new TakenMeanwhileError()
  await tx.ledger.post(
    granted
      .filter(({ id }) => made.has(id))
      .flatMap((draft) => reservePostings(draft))
      .map((transaction) => ({ ...transaction, id: uuidv7(app.now()) })),
    (currency) => balanceDecimals(app.assets, currency),
  )
  return decisions.map((decision) => (isDraft(decision) ? (made.get(decision.id) ?? 'taken') : decision))
}

/**
 * Which of the drafts can be reserved, in this order, with these available balances: the draft itself if it can. Writes
 * nothing.
 */
export async function decidePayouts(
  app: Pick<App, 'assets'>,
  store: Store,
  drafts: readonly NewPayout[],
  available: (account: NewPayout) => bigint,
): Promise<(NewPayout | 'taken' | ServiceError)[]> {
  const offline = await store.gatesOffline.among(
    distinct(drafts, ({ merchantId, gateId }) => `${merchantId} ${gateId}`),
  )
  const keys = new Set<string>()
  const spent = new Map<string, bigint>()
  return drafts.map((draft): NewPayout | 'taken' | ServiceError => {
    const key = keyName(draft)
    if (key !== null && keys.has(key)) return 'taken'
    const account = accountName(draft)
    const before = spent.get(account) ?? 0n
    const refusal = insufficient(app, draft, available(draft) - before)
    if (refusal !== null) return refusal
    if (offline.has(`${draft.merchantId} ${draft.gateId}`)) return gateOffline(draft.network)
    if (key !== null) keys.add(key)
    spent.set(account, before + chargedUnits(draft))
    return draft
  })
}

/** One draft for each account that they are charged to. */
export function accountsOf(drafts: readonly NewPayout[]): NewPayout[] {
  return distinct(drafts, accountName)
}

/** The error for a charge that exceeds the available balance, or null. */
export function insufficient(
  { assets }: Pick<App, 'assets'>,
  charge: Charge,
  availableUnits: bigint,
): ServiceError | null {
  const needed = chargedUnits(charge)
  if (availableUnits >= needed) return null
  const shown = (units: bigint) => `${formatDecimal(units, charge.decimals)} ${charge.currency}`
  return new ServiceError(
    'insufficient_balance',
    `The available balance is too low: this needs ${shown(needed)} including fees, and on ${networkIn(assets, charge.network).name} you have ${shown(availableUnits)}.`,
    [`/amount: needs ${shown(needed)} including fees, and ${shown(availableUnits)} is available`],
  )
}

function accountName({ merchantId, environment, currency, network }: NewPayout): string {
  return `${merchantId} ${environment} ${currency} ${network}`
}

function distinct(drafts: readonly NewPayout[], name: (draft: NewPayout) => string): NewPayout[] {
  return [...new Map(drafts.map((draft) => [name(draft), draft])).values()]
}

function isDraft(decision: NewPayout | 'taken' | ServiceError): decision is NewPayout {
  return decision !== 'taken' && !(decision instanceof ServiceError)
}

function keyName(payout: Pick<Payout, 'merchantId' | 'environment' | 'idempotencyKey'>): string | null {
  const { merchantId, environment, idempotencyKey } = payout
  return idempotencyKey === null ? null : `${merchantId} ${environment} ${idempotencyKey}`
}
