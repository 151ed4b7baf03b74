import type { Payout } from '../../../domain/payouts.ts'
import { say, sayAll } from '../../../domain/reasons/reasons.ts'
import {
  type AccountPlan,
  type Budget,
  claimWith,
  isCancelling,
  maxFeeOf,
  type SolanaPlan,
  type Spend,
} from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { inWords } from '../hot-wallet/hot-wallet.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { letWait } from '../planning/submit-payout.ts'
import { type HotPlan, isHotPlan, transferPlan } from '../planning/transfer-plan.ts'
import { cancelBudget } from '../simulating/transfer-gas.ts'

const maxAtOnce = 50
// Each attempt is cheaper than the one before it: enough for fees that fall for a long time.
const maxAttempts = 10

/**
 * Plans the cancellation of account payouts and moves to the cold wallet that the signer has refused for good and for which nothing was ever signed: an
 * attempt that uses the same nonce and pays no one. Payouts planned after it can continue as soon as that is signed. Its own
 * payout fails once it is deep in the chain, since then nothing else can ever use the nonce. Returns how many were planned.
 */
export async function cancelRefused(app: App): Promise<number> {
  let planned = 0
  for (const spend of await app.store.spends.refusedForGood(app.spending.cancelAfterMs, maxAtOnce)) {
    const gate = app.gates.find(spend.gateId)
    if (gate === null || !app.gates.isOnline(gate.id)) continue
    const { spending } = gate
    if (spending.kind === 'coins') continue
    const plan = cancellation(gate, spend, await cancelBudget(gate, spending), await gate.feeRate())
    if (plan !== null && (await planCancelling(app, gate, spend, plan, behind(spend)))) planned++
  }
  return planned
}

/** The cancelling plan; null where it would not help, since the signer has already refused one that costs as much. */
function cancellation(gate: Gate, { transactions }: Spend, budget: Budget, price: bigint): HotPlan | null {
  const last = transactions.at(-1)
  // A plan of an earlier version, in a form that the network no longer has, cannot be cancelled by one of today's.
  if (last === undefined || !isHotPlan(last.plan) || last.plan.kind !== gate.spending.kind) return null
  const plan = inPlaceOf(gate, last.plan, budget, price)
  if (!isCancelling(last.plan)) return plan
  return transactions.length < maxAttempts && maxFeeOf(plan) < maxFeeOf(last.plan) ? plan : null
}

/** A plan that uses up the same nonce as another, and pays no one. */
export function inPlaceOf(gate: Gate, plan: HotPlan, budget: Budget, price: bigint): HotPlan {
  const cancelling = usingUp(gate, plan.from, budget, price)
  if (plan.kind === 'account') return { ...cancelling, nonce: plan.nonce } as AccountPlan
  return { ...cancelling, lifetime: plan.lifetime } as SolanaPlan
}

/** A plan of the hot wallet that pays no one. */
export function usingUp(gate: Gate, from: HotPlan['from'], budget: Budget, price: bigint): HotPlan {
  const to = { address: from.address, tag: null }
  return transferPlan(gate, { from, to, asset: nativeAsset(gate), units: 0n, budget, price, payoutId: null })
}

/** Plans an attempt that uses a spend's nonce and pays no one, unless the spend has ended or got a new signature or plan. */
export async function planCancelling(
  app: App,
  gate: Gate,
  seen: Spend,
  plan: HotPlan,
  why: string,
): Promise<boolean> {
  return app.transaction(async (tx) => {
    const payouts = await tx.payouts.lockOfSpend(seen.id)
    const spend = await tx.spends.lock(seen.id)
    const last = spend.transactions.at(-1)
    const isAsSeen =
      spend.status === 'open' &&
      spend.transactions.length === seen.transactions.length &&
      signedOf(spend) === signedOf(seen)
    if (last === undefined || !isAsSeen) return false
    const claimedUnits = claimFor(gate, spend, last.maxFeeUnits, plan)
    const missing = await claim(tx, gate, claimedUnits - last.maxFeeUnits)
    if (missing > 0n) {
      const amount = inWords(nativeAsset(gate), missing)
      const short = say('cancelling_short', { amount, address: plan.from.address })
      await tellAll(app, tx, payouts, sayAll(why, short))
      return false
    }
    await tx.spends.addAttempt(spend.id, spend.transactions.length + 1, plan, claimedUnits)
    await tellAll(app, tx, payouts, sayAll(why, beingCancelled))
    return true
  })
}

const signedOf = ({ transactions }: Spend) => transactions.filter(({ signed }) => signed !== null).length

/**
 * The fee to claim once the cancelling attempt is planned too. The signer may be signing an earlier attempt right now, so
 * the fee of that stays claimed; the amount that a payout in native currency has claimed to send can cover both.
 */
function claimFor(gate: Gate, { moved }: Spend, claimedUnits: bigint, plan: HotPlan): bigint {
  const sentUnits = moved?.currency === nativeAsset(gate).currency ? moved.units : 0n
  return maxFeeOf(plan) <= claimedUnits + sentUnits ? claimedUnits : claimWith(claimedUnits, plan)
}

/** Explains what happens to a payout that is being cancelled. */
export const beingCancelled = say('being_cancelled')

/** Why a spend is given up: the signer's refusal of the payment itself. */
export function refusalBehind({ transactions }: Spend): string | null {
  return transactions.findLast(({ plan }) => !isCancelling(plan))?.refusal ?? null
}

function behind(spend: Spend): string {
  return sayAll(say('signer_refuses'), refusalBehind(spend))
}

async function tellAll(app: App, tx: Store, payouts: readonly Payout[], reason: string): Promise<void> {
  for (const payout of payouts) await letWait(app, tx, payout, reason)
}

/** Claims more native currency from the hot wallet. Returns how much is missing; if any is, claims nothing. */
async function claim(tx: Store, gate: Gate, extraUnits: bigint): Promise<bigint> {
  if (extraUnits <= 0n) return 0n
  const { currency } = nativeAsset(gate)
  const free = (await tx.holdings.lockHot(gate.id, [currency])).get(currency) ?? 0n
  if (free < extraUnits) return extraUnits - free
  await tx.holdings.changeHot(gate.id, new Map([[currency, -extraUnits]]))
  return 0n
}
