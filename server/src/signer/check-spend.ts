import type { App } from '../app/app.ts'
import type { Environment } from '../domain/environment.ts'
import { keychainOf, networkIdOf } from '../domain/networks/network.ts'
import { ceilingOf, overLimit, type SpendingLimit } from '../domain/spending-limits.ts'
import { isCancelling, maxFeeOf, type Refusal } from '../domain/spends.ts'
import { useNamesOf } from '../domain/uses.ts'
import { nativeOf } from '../gates/gate.ts'
import type { PayoutToSign } from '../store/spends/signing.ts'
import type { UnsignedTransaction } from '../store/spends/spends.ts'
import { payoutObjection } from './check-payout.ts'
import {
  cancellingPlanObjection,
  consolidationObjection,
  ownPlanObjection,
  payoutPlanObjection,
} from './check-plan.ts'
import type { Journal } from './journal.ts'
import type { PasskeyTrust } from './passkey-trust.ts'
import type { Wallet, WalletNetwork } from './wallet.ts'

/** The signer's own limits, from its settings. */
export type SignerLimits = {
  readonly spending: readonly SpendingLimit[]
  /** The highest fee of one transaction, by network. */
  readonly maxFees: ReadonlyMap<string, bigint>
}

/** A transaction that may be signed: its payouts, and how much it adds to what has left. */
export type Cleared = {
  readonly payouts: readonly PayoutToSign[]
  readonly value: ReadonlyMap<string, bigint>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Checks an attempt from scratch, without trusting any earlier check: clears it for signing, or refuses it with the reason. */
export async function judge(
  app: Pick<App, 'store' | 'now'>,
  wallet: Wallet,
  journal: Journal,
  attempt: UnsignedTransaction,
  limits: SignerLimits,
  trust: PasskeyTrust,
  ownNow: Date,
): Promise<Cleared | Refusal> {
  const { gateId, kind, plan } = attempt
  const network = wallet.network(networkIdOf(gateId))
  if (gateId !== `${network.network.id}-${wallet.environment}`)
    return forNow('The transaction is for a different environment from this wallet’s.')
  // The journal is checked first: while a signed transaction exists, nothing may be refused for good.
  const signed = kind === 'fill' ? await stillAlive(app, journal, attempt) : signedBefore(journal, attempt)
  if (signed !== null) return forNow(signed)
  const ceiling = ceilingOf(limits.maxFees, network.network.id)
  if (maxFeeOf(plan) > ceiling)
    return forGood('The network fee is higher than the signer allows for one transaction.')
  if (kind === 'absorb') return forNow('A spend that only receives funds needs no signature.')

  const payouts = kind === 'payout' ? await app.store.signing.payoutsOf(attempt.spendId) : []
  const second = isCancelling(plan) ? null : secondSpend(journal, attempt, payouts)
  if (second !== null) return forNow(second)
  const objection = await objectionTo(app, wallet, network, attempt, payouts, trust, ceiling)
  if (objection !== null) return objection
  const value = addedBy(journal, attempt, nativeOf(network.assets).currency, payouts)
  return (
    overLimits(journal, wallet.environment, attempt, network, limits, payouts, value, ownNow) ?? {
      payouts,
      value,
    }
  )
}

/** Why the plan or one of its payouts may not be signed; null when they may. */
async function objectionTo(
  app: Pick<App, 'store' | 'now'>,
  wallet: Wallet,
  network: WalletNetwork,
  attempt: UnsignedTransaction,
  payouts: readonly PayoutToSign[],
  trust: PasskeyTrust,
  ceiling: bigint,
): Promise<Refusal | null> {
  const { kind, plan } = attempt
  if (kind === 'payout' && !isCancelling(plan)) {
    const objections = payouts.map((payout) => payoutObjection(payout, attempt, trust, app.now()))
    // An objection that is for good decides, whatever becomes of the others.
    const worst = objections.find((each) => each?.isForGood) ?? objections.find((each) => each !== null)
    if (worst != null) return worst
  }
  const objection = await planObjection(app, wallet, network, attempt, payouts, ceiling)
  return objection === null ? null : forGood(objection)
}

async function planObjection(
  app: Pick<App, 'store'>,
  wallet: Wallet,
  network: WalletNetwork,
  attempt: UnsignedTransaction,
  payouts: readonly PayoutToSign[],
  ceiling: bigint,
): Promise<string | null> {
  const { kind, plan } = attempt
  if (isCancelling(plan)) return cancellingPlanObjection(wallet, network, kind, plan)
  switch (kind) {
    case 'payout':
      return payoutPlanObjection(wallet, network, plan, payouts)
    case 'consolidation':
      return consolidationObjection(wallet, network, plan)
    case 'sweep':
    case 'gas':
      return ownPlanObjection(wallet, network, kind, plan, await positionOf(app, network, attempt), ceiling)
    case 'fill':
      return 'A fill must pay no one, from the hot wallet to itself.'
    case 'absorb':
      return 'A spend that only receives funds is never signed.'
    default:
      // The row may have been forged: the database's own list of kinds binds nobody who can change it.
      return `The signer knows no spend of the kind “${kind satisfies never}”.`
  }
}

/**
 * Why a nonce may not be filled: according to the journal or the database, it belongs to a spend that has not ended. The fill
 * rules out whatever was signed for dead spends, since only one transaction with that nonce can be mined.
 */
async function stillAlive(
  { store }: Pick<App, 'store'>,
  journal: Journal,
  { spendId, gateId, plan }: UnsignedTransaction,
): Promise<string | null> {
  if (plan.kind !== 'account') return null
  for (const use of useNamesOf(plan))
    for (const earlier of journal.ofUse(gateId, use)) {
      if (earlier.spendId === spendId || journal.isAccepted(earlier.hash)) continue
      if ((await store.spends.find(earlier.spendId))?.status !== 'dead')
        return `Transaction ${earlier.hash} was signed for the same nonce, and its spend has not ended.`
    }
  return (await store.nonces.isTaken(gateId, plan.from.address, plan.nonce, spendId))
    ? 'Its nonce belongs to another spend that has not ended.'
    : null
}

/**
 * Why a nonce may not be cancelled, or may not pay any more. The network mines only one of the transactions signed for a
 * nonce. So a nonce may be cancelled only if no paying transaction was signed for it, except by the same spend when its
 * funds are missing. Once a cancelling transaction is signed, no paying one may follow.
 */
function signedBefore(
  journal: Journal,
  { spendId, gateId, plan, isUnfunded }: UnsignedTransaction,
): string | null {
  const cancels = isCancelling(plan)
  for (const use of useNamesOf(plan)) {
    const other = journal
      .ofUse(gateId, use)
      .find(
        (earlier) => earlier.cancels !== cancels && !(cancels && isUnfunded && earlier.spendId === spendId),
      )
    if (other !== undefined)
      return cancels
        ? `Transaction ${other.hash} was already signed for its nonce, so it can no longer be cancelled.`
        : `Its nonce was cancelled with transaction ${other.hash}, which pays nothing.`
  }
  return null
}

function forGood(reason: string): Refusal {
  return { reason, isForGood: true }
}

function forNow(reason: string): Refusal {
  return { reason, isForGood: false }
}

/** The position of the deposit address that a plan pays; null when it is not one of ours. */
async function positionOf(
  { store }: Pick<App, 'store'>,
  { network }: WalletNetwork,
  { gateId, plan }: UnsignedTransaction,
): Promise<number | null> {
  if (plan.kind !== 'account') return null
  const keychain = keychainOf(network, gateId.endsWith('-live') ? 'live' : 'test')
  const [found] = await store.depositAddresses.find(keychain, [plan.to])
  return found?.position ?? null
}

/** This transaction must rule out everything signed for its payouts before; otherwise one of them could be paid twice. */
function secondSpend(
  journal: Journal,
  { plan }: UnsignedTransaction,
  payouts: readonly PayoutToSign[],
): string | null {
  const uses = new Set(useNamesOf(plan))
  for (const { id } of payouts) {
    const other = journal.ofPayout(id).find((earlier) => !earlier.uses.some((use) => uses.has(use)))
    if (other !== undefined)
      return (
        `The journal has transaction ${other.hash} for payout ${id}, so this one would pay it a second time. Restore a ` +
        'newer database, or run: npx sluice wallet reconcile'
      )
  }
  return null
}

/** What a transaction adds to the total that has left. Of transactions that rule each other out, only the highest fee counts. */
export function addedBy(
  journal: Pick<Journal, 'ofPayout' | 'ofSpend'>,
  { spendId, plan }: Pick<UnsignedTransaction, 'spendId' | 'plan'>,
  native: string,
  payouts: readonly PayoutToSign[],
): ReadonlyMap<string, bigint> {
  const value = new Map<string, bigint>()
  const add = (currency: string, units: bigint) => value.set(currency, (value.get(currency) ?? 0n) + units)
  for (const { id, currency, amountUnits } of isCancelling(plan) ? [] : payouts)
    if (journal.ofPayout(id).every(({ cancels }) => cancels)) add(currency, amountUnits)
  const paid = journal.ofSpend(spendId).reduce((most, { maxFeeUnits }) => max(most, maxFeeUnits), 0n)
  const fee = maxFeeOf(plan)
  if (fee > paid) add(native, fee - paid)
  return value
}

function overLimits(
  journal: Journal,
  environment: Environment,
  { gateId, plan }: UnsignedTransaction,
  { network }: WalletNetwork,
  { spending }: SignerLimits,
  payouts: readonly PayoutToSign[],
  value: ReadonlyMap<string, bigint>,
  ownNow: Date,
): Refusal | null {
  const paid = isCancelling(plan) ? [] : payouts
  const own = spending.filter(
    (limit) => limit.network === network.id && (limit.environment ?? environment) === environment,
  )
  for (const [currency, addedUnits] of value) {
    const since = (span: number) => journal.spentSince(gateId, currency, ownNow.getTime() - span)
    const over = overLimit(own, {
      currency,
      payoutUnits: paid.filter((each) => each.currency === currency).map((each) => each.amountUnits),
      addedUnits,
      lastHourUnits: since(hourMs),
      lastDayUnits: since(dayMs),
    })
    if (over === null) continue
    const reason = `It would exceed the signer's own limit of ${over.limit}.`
    return over.passes ? forNow(`${reason} It is signed when the limit allows it.`) : forGood(reason)
  }
  return null
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
