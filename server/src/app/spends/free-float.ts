import type { Gate } from '../../gates/gate.ts'
import type { Store } from '../../store/store.ts'
import { nativeAsset } from './native-asset.ts'

/** What the operator's float has left for moves of our own, once all that are under way have cost the most they can. */
export async function freeFloat(tx: Store, gate: Gate): Promise<bigint> {
  const float = await tx.floats.of(gate.id, nativeAsset(gate).currency)
  return float - (await tx.unswept.claimedForMoves(gate.id))
}
