import type { BlockRef } from '../../domain/chain.ts'
import { type Gate, GateOutageError, noAddresses } from '../../gates/gate.ts'
import type { Store } from '../../store/store.ts'

/**
 * Begins following a gate's chain at its current tip. No address was given out before, so no payment can be missed. The
 * blocks below are stored too, so that a reorganisation right after the start is handled like any other.
 */
export async function beginFollowing(
  store: Pick<Store, 'followedChains'>,
  gate: Gate,
  maxDepth: number,
): Promise<void> {
  if ((await store.followedChains.find(gate.id)) !== null) return
  const tip = await gate.tip()
  const newest = await gate.block(tip.height, noAddresses)
  if (newest?.hash !== tip.hash) throw changed()
  const below: BlockRef[] = []
  let above = newest
  for (let depth = 0; depth < maxDepth && above.height > 0n; depth++) {
    const block = await gate.block(above.height - 1n, noAddresses)
    // The node may not keep older blocks.
    if (block === null) break
    if (above.parentHash !== block.hash) throw changed()
    below.push(block)
    above = block
  }
  // The node has answered, so the gate knows its chain by now.
  if (gate.chain === null) throw changed()
  await store.followedChains.begin(gate.id, gate.chain, tip, below)

  function changed(): GateOutageError {
    return new GateOutageError(`The chain of ${gate.id} changed while it was being read.`)
  }
}
