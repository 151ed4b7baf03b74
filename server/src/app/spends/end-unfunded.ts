import {
  type AccountPlan,
  claimsOf,
  isCancelling,
  maxFeeOf,
  replacingPrice,
  type Spend,
} from '../../domain/spends.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { beingCancelled, planCancelling, usingUp } from './cancel-refused.ts'
import { inWords } from './hot-wallet.ts'
import { isHalted } from './is-halted.ts'
import { nativeAsset } from './native-asset.ts'
import { ownGasBudget } from './transfer-gas.ts'

/**
 * Sees to a signed payout whose turn it is and that sends and pays more of the network's own coin than the hot wallet has, since a
 * reorganisation has taken what was gathered for it. The network never runs it, and all that comes after it waits. When people have had
 * their time, an attempt is planned that uses the same number and pays nobody. Whichever of the two is mined, the other never can be, and
 * decides what has become of the payout. Returns why the payout waits; null when it is short of nothing.
 */
export async function endUnfunded(app: App, gate: Gate, spend: Spend): Promise<string | null> {
  const { spending } = gate
  const plan = spend.transactions.findLast(({ signed }) => signed !== null)?.plan
  if (spend.kind !== 'payout' || plan?.kind !== 'account' || spending.kind !== 'account') return null
  if (gate.nativeBalance === undefined || isCancelling(plan)) return null
  if (spend.shortSince !== null && spend.transactions.some((each) => isCancelling(each.plan)))
    return beingCancelled
  // What is there on a branch that may be the wrong one says nothing.
  if (await isHalted(app, gate)) return null
  const native = nativeAsset(gate)
  const { address } = plan.from
  const neededUnits = claimsOf(plan, native.currency).get(native.currency) ?? 0n
  const isNext = (await gate.nextNonce(address)) === plan.nonce
  const hasUnits = isNext ? await gate.nativeBalance(address) : neededUnits
  const shortMs = await app.store.nonces.noteShort(spend.id, hasUnits < neededUnits)
  if (shortMs === null) return null
  const short = `The hot wallet has ${inWords(native, neededUnits - hasUnits)} less than this takes: a reorganisation has taken what was there for it.`
  if (shortMs < app.spending.cancelAfterMs)
    return `${short} It goes on by itself if that comes back, and is cancelled if it does not.`
  const cancelling = usingUp(gate, plan, await ownGasBudget(gate, spending), await priceAbove(gate, plan))
  if (hasUnits < maxFeeOf(cancelling))
    return `${short} To cancel it takes ${inWords(native, maxFeeOf(cancelling))}. The operator can send it to ${address}.`
  await planCancelling(app, gate, spend, cancelling, short)
  return `${short} ${beingCancelled}`
}

/** Nodes that still have the other one take this only for clearly more. */
async function priceAbove(gate: Gate, { gasPrice }: AccountPlan): Promise<bigint> {
  const [now, least] = [await gate.feeRate(), replacingPrice(gasPrice)]
  if (now > least) return now
  return least
}
