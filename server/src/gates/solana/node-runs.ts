import { GateOutageError } from '../gate.ts'
import type { NodeHeader } from './node-answers.ts'
import type { Missing } from './node-blocks.ts'
import type { SlotIndex } from './node-slots.ts'

/** The node does not keep blocks this old. */
export class PrunedError extends GateOutageError {}

/** The blocks at these heights, as far as there are any. Checks that they are the ones, each on top of the one before. */
export async function readRun<T extends NodeHeader>(
  index: SlotIndex,
  heights: readonly bigint[],
  ask: (slot: number) => Promise<T | Missing>,
): Promise<T[]> {
  const first = await readOnce(index, heights, ask)
  if (first !== null) return first
  // The branch has changed since its slots were listed.
  await index.forget()
  await index.newest()
  const again = await readOnce(index, heights, ask)
  if (again !== null) return again
  await index.forget()
  throw new GateOutageError(
    `The node does not show the blocks that it lists from height ${heights[0]} on. If this persists, it lacks some of them: ` +
      'point rpc_url at another node.',
  )
}

/** Null when the node contradicts its own list of slots. */
async function readOnce<T extends NodeHeader>(
  index: SlotIndex,
  heights: readonly bigint[],
  ask: (slot: number) => Promise<T | Missing>,
): Promise<T[] | null> {
  const slots: number[] = []
  for (const height of heights) {
    const slot = await index.slotAt(height)
    if (slot === 'above') break
    if (slot === 'below') throw pruned(height)
    slots.push(slot)
  }
  const answers = await Promise.all(slots.map(ask))
  const blocks: T[] = []
  for (const [at, found] of answers.entries()) {
    const height = heights[at] as bigint
    if (found === 'pruned') throw pruned(height)
    if (found === 'absent' || found.height !== height) return null
    const parent = slots[at - 1] ?? index.known(height - 1n)
    const isOnBranch = parent === null || found.parentSlot === parent
    const before = blocks.at(-1)
    if (!isOnBranch || (before !== undefined && found.parentHash !== before.hash)) return null
    blocks.push(found)
  }
  return blocks
}

function pruned(height: bigint): PrunedError {
  return new PrunedError(
    `The node no longer has the block at height ${height}, so payments in it cannot be read. Add a node to rpc_urls that ` +
      'keeps older blocks, at least until the gate has caught up.',
  )
}
