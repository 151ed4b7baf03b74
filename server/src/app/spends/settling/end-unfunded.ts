import { say, sayAll } from '../../../domain/reasons/reasons.ts'
import { claimsOf, isCancelling, maxFeeOf, replacingPrice, type Spend } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { inWords } from '../hot-wallet/hot-wallet.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { type HotPlan, isHotPlan, priceOf } from '../planning/transfer-plan.ts'
import { cancelBudget } from '../simulating/transfer-gas.ts'
import { beingCancelled, inPlaceOf, planCancelling } from './cancel-refused.ts'
import { isHalted } from './is-halted.ts'

/**
 * Handles a signed payout or move to the cold wallet that is next in turn but needs more native currency than the hot wallet has, because a
 * reorganisation removed funds that were swept for it. The network never runs it, and everything after it waits. Once people
 * have had time to resolve it, plans an attempt that uses the same nonce and pays no one. Only one of the two can be mined,
 * and that one decides the fate of the payout. Returns why the payout waits; null when the hot wallet is not short.
 */
export async function endUnfunded(app: App, gate: Gate, spend: Spend): Promise<string | null> {
  const { spending } = gate
  const plan = spend.transactions.findLast(({ signed }) => signed !== null)?.plan
  if (spend.kind !== 'payout' && spend.kind !== 'cold') return null
  if (plan === undefined || !isHotPlan(plan) || spending.kind === 'coins') return null
  if (gate.nativeBalance === undefined || isCancelling(plan)) return null
  if (spend.shortSince !== null && spend.transactions.some((each) => isCancelling(each.plan)))
    return beingCancelled
  // Balances on a branch that may be the wrong one mean nothing.
  if (await isHalted(app, gate)) return null
  const native = nativeAsset(gate)
  const { address } = plan.from
  const neededUnits = claimsOf(plan, native.currency).get(native.currency) ?? 0n
  // Where transactions are not numbered, none waits for another.
  const isNext = plan.kind === 'solana' || (await gate.nextNonce(address)) === plan.nonce
  const hasUnits = isNext ? await gate.nativeBalance(address) : neededUnits
  const shortMs = await app.store.nonces.noteShort(spend.id, hasUnits < neededUnits)
  if (shortMs === null) return null
  const short = say('funds_reorganised', { amount: inWords(native, neededUnits - hasUnits) })
  if (shortMs < app.spending.cancelAfterMs) return sayAll(short, say('continues_or_cancelled'))
  const budget = await cancelBudget(gate, spending)
  const cancelling = inPlaceOf(gate, plan, budget, await priceAbove(gate, plan))
  if (hasUnits < maxFeeOf(cancelling))
    return sayAll(short, say('cancelling_takes', { amount: inWords(native, maxFeeOf(cancelling)), address }))
  await planCancelling(app, gate, spend, cancelling, short)
  return sayAll(short, beingCancelled)
}

/** Nodes that still have the payout's transaction accept a replacement only at a clearly higher price. */
async function priceAbove(gate: Gate, plan: HotPlan): Promise<bigint> {
  const [now, least] = [await gate.feeRate(), replacingPrice(priceOf(plan))]
  if (now > least) return now
  return least
}
