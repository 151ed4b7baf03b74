import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import { nativeAsset } from './native-asset.ts'

/**
 * Whether the operator's float pays so much more for our own moves: beyond it, the money belongs to merchants. On networks
 * without sweeps no float is needed: there, as on networks with coins, the books note what the operator owes for a move.
 */
export async function floatPays(tx: Store, gate: Gate, units: bigint): Promise<boolean> {
  const { spending } = gate
  if (spending.kind === 'coins' || spending.depositsAreHot) return true
  return (await freeFloat(tx, gate)) >= units
}

/** What remains of the operator's float for our own moves if every running one costs its maximum. */
export async function freeFloat(tx: Store, gate: Gate): Promise<bigint> {
  const float = await tx.floats.of(gate.id, nativeAsset(gate).currency)
  return float - (await tx.unswept.claimedForMoves(gate.id))
}
