import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import { nativeAsset } from './native-asset.ts'

/** What remains of the operator's float for our own moves if every running one costs its maximum. */
export async function freeFloat(tx: Store, gate: Gate): Promise<bigint> {
  const float = await tx.floats.of(gate.id, nativeAsset(gate).currency)
  return float - (await tx.unswept.claimedForMoves(gate.id))
}
