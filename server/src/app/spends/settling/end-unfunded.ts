import {
  type AccountPlan,
  claimsOf,
  isCancelling,
  maxFeeOf,
  replacingPrice,
  type Spend,
} from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { inWords } from '../hot-wallet/hot-wallet.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { ownGasBudget } from '../simulating/transfer-gas.ts'
import { beingCancelled, planCancelling, usingUp } from './cancel-refused.ts'
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
  if (plan?.kind !== 'account' || spending.kind !== 'account') return null
  if (gate.nativeBalance === undefined || isCancelling(plan)) return null
  if (spend.shortSince !== null && spend.transactions.some((each) => isCancelling(each.plan)))
    return beingCancelled
  // Balances on a branch that may be the wrong one mean nothing.
  if (await isHalted(app, gate)) return null
  const native = nativeAsset(gate)
  const { address } = plan.from
  const neededUnits = claimsOf(plan, native.currency).get(native.currency) ?? 0n
  const isNext = (await gate.nextNonce(address)) === plan.nonce
  const hasUnits = isNext ? await gate.nativeBalance(address) : neededUnits
  const shortMs = await app.store.nonces.noteShort(spend.id, hasUnits < neededUnits)
  if (shortMs === null) return null
  const short = `The hot wallet is short of ${inWords(native, neededUnits - hasUnits)} for this payout: a reorganisation removed funds that it needs.`
  if (shortMs < app.spending.cancelAfterMs)
    return `${short} It continues by itself if they come back, and is cancelled if they do not.`
  const cancelling = usingUp(gate, plan, await ownGasBudget(gate, spending), await priceAbove(gate, plan))
  if (hasUnits < maxFeeOf(cancelling))
    return `${short} Cancelling it takes ${inWords(native, maxFeeOf(cancelling))}. The operator can send that to ${address}.`
  await planCancelling(app, gate, spend, cancelling, short)
  return `${short} ${beingCancelled}`
}

/** Nodes that still have the payout's transaction accept a replacement only at a clearly higher price. */
async function priceAbove(gate: Gate, { gasPrice }: AccountPlan): Promise<bigint> {
  const [now, least] = [await gate.feeRate(), replacingPrice(gasPrice)]
  if (now > least) return now
  return least
}
