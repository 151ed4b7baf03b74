import { coldPostings, coldReversalPostings } from '../../../domain/cold-postings.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { LedgerTransaction } from '../../../domain/ledger.ts'
import { coldUnitsOf, type Spend, type SpendPlan } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import { assetOn, ledgerAsset, nativeAsset } from '../hot-wallet/native-asset.ts'

/** Adds what a mined move brought to the cold wallet, and returns its posting. */
export async function keepCold(
  tx: Store,
  gate: Gate,
  spend: Spend,
  hash: string,
): Promise<LedgerTransaction> {
  const plan = planOf(spend, hash)
  await addColdCoin(tx, spend, plan, hash)
  return coldPostings(assetOf(gate, plan), spend.id, coldUnitsOf(plan))
}

/** Removes it again after a reorganisation has undone the move for good. */
export async function takeBackCold(
  tx: Store,
  gate: Gate,
  spend: Spend,
  hash: string,
): Promise<LedgerTransaction> {
  const plan = planOf(spend, hash)
  await removeColdCoin(tx, spend.id)
  return coldReversalPostings(assetOf(gate, plan), spend.id, coldUnitsOf(plan))
}

/**
 * Replaces the coin of the booked attempt with that of another one, which pays the cold wallet the same amount. Throws while
 * a refill uses it.
 */
export async function exchangeColdCoin(tx: Store, spend: Spend, hash: string): Promise<void> {
  await removeColdCoin(tx, spend.id)
  await addColdCoin(tx, spend, planOf(spend, hash), hash)
}

/** Adds the coin that a transaction brought to the cold wallet, if it did. */
export async function addColdCoin(
  tx: Store,
  { id, gateId }: Spend,
  plan: SpendPlan,
  hash: string,
): Promise<void> {
  if (plan.kind !== 'coins' || plan.cold === undefined) return
  const { outputIndex, index } = plan.cold
  const output = plan.outputs[outputIndex]
  if (output === undefined) throw new Error('The cold wallet’s output is not an output of its plan.')
  const { address, units } = output
  await tx.coldMoves.addCoin({ gateId, txHash: hash, outputIndex, address, index, units, madeBy: id })
}

/** Removes it again. Throws while a refill uses it: that one must be ended first. */
export async function removeColdCoin(tx: Store, spendId: string): Promise<void> {
  const refillId = await tx.coldMoves.refillOf(spendId)
  if (refillId !== null)
    throw new ServiceError(
      'conflict',
      `Its coin in the cold wallet is used by a refill, which can never be mined either. End that one first: npx sluice wallet give-up ${refillId}`,
    )
  await tx.coldMoves.removeCoin(spendId)
}

/** The plan of the attempt with this hash. */
export function planOf({ id, transactions }: Spend, hash: string): SpendPlan {
  const plan = transactions.find(({ signed }) => signed?.hash === hash)?.plan
  if (plan === undefined) throw new Error(`Spend ${id} has no transaction ${hash}.`)
  return plan
}

function assetOf(gate: Gate, plan: SpendPlan) {
  return ledgerAsset(gate, plan.kind === 'account' ? assetOn(gate, plan.currency) : nativeAsset(gate))
}
