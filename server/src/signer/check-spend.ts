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

/** What the signer itself is told to keep to. */
export type SignerLimits = {
  readonly spending: readonly SpendingLimit[]
  /** By network, the most that one transaction may cost. */
  readonly maxFees: ReadonlyMap<string, bigint>
}

/** What may be signed: for whom, and by how much it adds to what has left. */
export type Cleared = {
  readonly payouts: readonly PayoutToSign[]
  readonly value: ReadonlyMap<string, bigint>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Checks an attempt from the start, trusting nobody's earlier word: what may be signed, or why nothing is. */
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
    return forNow('The transaction is for another environment than this wallet.')
  // What the journal knows comes first: while something signed exists nothing is refused for good.
  const signed = kind === 'fill' ? await stillAlive(app, journal, attempt) : signedBefore(journal, attempt)
  if (signed !== null) return forNow(signed)
  const ceiling = ceilingOf(limits.maxFees, network.network.id)
  if (maxFeeOf(plan) > ceiling)
    return forGood('The network would get more than the signer allows for one transaction.')
  if (kind === 'absorb') return forNow('Nothing is to be signed for coins that only arrived.')

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

/** What speaks against the plan itself, and against what it pays. */
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
    // One that is for good stays so, whatever becomes of the others.
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
      return 'What fills a number pays nobody, from the hot wallet to itself.'
    case 'absorb':
      return null
    default:
      // The row may have been forged: the database's own list of kinds binds nobody who can change it.
      return `The signer knows no spend of the kind “${kind satisfies never}”.`
  }
}

/**
 * Why a number may not be filled: it belongs to a spend that has not ended, by the journal's account or the database's. What
 * was signed for spends that are dead is ruled out by this, and cannot be mined beside it.
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
        return `Transaction ${earlier.hash} was signed for its number, and its spend has not ended.`
    }
  return (await store.nonces.isTaken(gateId, plan.from.address, plan.nonce, spendId))
    ? 'Its number belongs to another spend that has not ended.'
    : null
}

/**
 * A number is used up only where nothing was signed that pays by it, or what was signed of the same spend pays what is not there; and
 * once that is signed, nothing pays by it. Of all that is signed for a number the network takes one.
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
        ? `Transaction ${other.hash} was signed for its number before, so it cannot be cancelled any more.`
        : `Its number was given up with transaction ${other.hash}, which pays nothing.`
  }
  return null
}

function forGood(reason: string): Refusal {
  return { reason, isForGood: true }
}

function forNow(reason: string): Refusal {
  return { reason, isForGood: false }
}

/** The number of the deposit address that a plan pays to; null when it is none of ours. */
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

/** Whatever was signed for a payout before must be ruled out by this transaction, or it could be paid twice. */
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
        `The journal knows transaction ${other.hash} for payout ${id}, and this one would pay it a second time. Restore a ` +
        'newer database, or run: npx sluice wallet reconcile'
      )
  }
  return null
}

/** What a transaction adds to what has left. Of those that rule each other out only the dearest counts. */
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
    const reason = `It would go over the signer's own limit of ${over.limit}.`
    return over.passes ? forNow(`${reason} It is signed when that allows.`) : forGood(reason)
  }
  return null
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
