import type { Payout } from '../../../domain/payouts.ts'
import { say } from '../../../domain/reasons/reasons.ts'
import {
  type CoinPlan,
  claimWith,
  isCancelling,
  isClearlyMore,
  maxFeeOf,
  type Spend,
  type SpendPlan,
  splitFee,
} from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { floatPays } from '../hot-wallet/free-float.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { raiseSweep } from '../sweeping/raise-sweep.ts'
import { costsIn, type NetworkCosts } from './network-cost.ts'
import { raiseReserve, reserveTooLow } from './submit-payout.ts'
import { atPrice, isHotPlan } from './transfer-plan.ts'

const maxAttempts = 10

/**
 * Plans another attempt, at a higher fee, of a spend that waits too long while the network asks for more than it pays. It
 * uses the same coins or nonce, so that only one attempt can ever be mined. Does nothing while there is no need, no room for
 * it, or an attempt is still to be signed. Returns why a payout that needs it cannot get it; null otherwise.
 */
export async function bumpSpend(app: App, gate: Gate, seen: Spend): Promise<string | null> {
  // Once the payment itself is signed, an unsigned cancelling attempt will never be: skip it. If a cancelling attempt is
  // signed, a dearer one will be signed too.
  const isCancelled = seen.transactions.some(({ signed, plan }) => signed !== null && isCancelling(plan))
  const last = seen.transactions.findLast(
    ({ signed, plan }) => signed !== null || !isCancelling(plan) || isCancelled,
  )
  const claimedUnits = seen.transactions.at(-1)?.maxFeeUnits ?? 0n
  if (last?.sentAt == null || seen.transactions.length >= maxAttempts) return null
  if (app.now().getTime() - last.sentAt.getTime() < app.spending.bumpAfterMs) return null
  // A value of a nonce account pays once: the signer signs no second payment with it, and the first stays valid.
  if (last.plan.kind === 'solana') return null
  if (seen.kind === 'sweep') {
    await raiseSweep(app, gate, seen)
    return null
  }
  // Only the operator can sign a refill.
  if (seen.kind === 'refill') return null
  // Consolidation happens only because it is cheap, so it can wait, unless a payout may need the coins.
  if (seen.kind === 'consolidation' && !(await app.store.payouts.waitingOn(gate.id)).isDue) return null
  const plan = dearer(gate, last.plan, await gate.feeRate())
  if (plan === null) return null
  const costs = await costsIn(app, gate, maxFeeOf(plan))
  return app.transaction(async (tx) => {
    const payouts = await tx.payouts.lockOfSpend(seen.id)
    const spend = await tx.spends.lock(seen.id)
    if (spend.status !== 'open' || spend.transactions.length !== seen.transactions.length) return null
    // Merchants do not pay for a transaction that makes none of their payouts.
    if (!isCancelling(plan) && !(await covers(app, tx, gate, payouts, plan, costs))) return reserveTooLow
    const newUnits = claimWith(claimedUnits, plan)
    // A move can wait for the float, unless payouts wait behind its nonce.
    if (seen.kind === 'cold' && !(await tx.payouts.waitingOn(gate.id)).isDue)
      if (!(await floatPays(tx, gate, newUnits - claimedUnits))) return null
    if (isHotPlan(plan) && !(await claimMore(tx, gate, newUnits - claimedUnits))) return say('hot_too_low')
    await tx.spends.addAttempt(seen.id, spend.transactions.length + 1, plan, newUnits)
    return null
  })
}

/** The same plan at the current fee rate; null when that is not clearly more, or nothing is left to pay for it. */
function dearer(gate: Gate, plan: SpendPlan, feeRate: bigint): SpendPlan | null {
  const replacement = plan.kind === 'coins' ? dearerCoins(gate, plan, feeRate) : atPrice(plan, feeRate)
  return replacement === null || !isClearlyMore(maxFeeOf(plan), maxFeeOf(replacement)) ? null : replacement
}

function dearerCoins(gate: Gate, plan: CoinPlan, feeRate: bigint): CoinPlan | null {
  if (gate.spending.kind !== 'coins' || plan.change === null) return null
  const { change } = plan
  const addresses = plan.outputs.map(({ address }) => address)
  const feeUnits = feeRate * gate.spending.sizeOf(plan.inputs.length, addresses)
  const output = plan.outputs[change.outputIndex]
  const left = (output?.units ?? 0n) - (feeUnits - plan.feeUnits)
  if (left < gate.spending.dustUnits) return null
  return {
    ...plan,
    feeUnits,
    outputs: plan.outputs.map((each, at) => (at === change.outputIndex ? { ...each, units: left } : each)),
  }
}

async function covers(
  app: App,
  tx: Store,
  gate: Gate,
  payouts: readonly Payout[],
  plan: SpendPlan,
  costs: NetworkCosts,
): Promise<boolean> {
  for (const payout of payouts) {
    const isNative = payout.currency === nativeAsset(gate).currency
    const whole = isNative ? maxFeeOf(plan) : (costs.get(payout.currency) ?? null)
    const needed = whole === null ? null : (splitFee(whole, payouts.length)[0] ?? 0n)
    if (needed === null || (await raiseReserve(app, tx, payout, needed)) === null) return false
  }
  return true
}

async function claimMore(tx: Store, gate: Gate, extraUnits: bigint): Promise<boolean> {
  const { currency } = nativeAsset(gate)
  const hot = await tx.holdings.lockHot(gate.id, [currency])
  if ((hot.get(currency) ?? 0n) < extraUnits) return false
  await tx.holdings.changeHot(gate.id, new Map([[currency, -extraUnits]]))
  return true
}
