import { GateOutageError } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { type NodeHeader, readCount, readSlots } from './node-answers.ts'
import { askHeader, type Commitment } from './node-blocks.ts'

/**
 * In which slot each block is. A block's height is the number of blocks below it; its slot also counts those that are empty.
 * Nodes find blocks by slot only, but they list the slots with blocks. Counted down from a block whose height is known, that
 * list gives the slot of every height. See decision 0037.
 */
export type SlotIndex = {
  /** Asks the node for its newest block. */
  newest(): Promise<NodeHeader>
  /** The newest block as of the last `newest`. */
  readonly top: NodeHeader | null
  /** The slot of the block at a height; `above` the newest block, or `below` the oldest that the node lists. */
  slotAt(height: bigint): Promise<number | 'above' | 'below'>
  /** The same without asking the node; null if it is not known. */
  known(height: bigint): number | null
  /** Forgets everything, since the node contradicts it. */
  forget(): Promise<void>
}

// Nodes list up to 500,000 slots at once. This is a megabyte.
const maxRange = 100_000
// About a month. No node without an archive goes back this far, and an archive must not fill our memory.
const maxHeights = 6_000_000
// Where the list reaches further down than needed, this much is kept: more than any reorganisation replaces.
const keptBelow = 20_000
// How far below its newest slot a node must have a block that it can show.
const maxBehind = 150
const maxTries = 4

export function slotIndex(rpc: NodeRpc, commitment: Commitment): SlotIndex {
  let top: NodeHeader | null = null
  /** Consecutive slots with blocks, up to that of `top`. */
  let slots: number[] = []
  let lowestAsked = 0n
  let last: Promise<unknown> = Promise.resolve()
  // Callers share an answer that is on its way. In turn, they would wait for each other's time to run out.
  let coming: Promise<NodeHeader> | null = null

  /** One at a time: reads ahead ask while others do. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work, work)
    last = mine.catch(() => {})
    return mine
  }

  const list = async (first: number, end: number) =>
    readSlots(await rpc.call('getBlocks', first, end, { commitment }), first, end)

  async function askNewest(): Promise<NodeHeader> {
    const slot = readCount(await rpc.call('getSlot', { commitment }), 'it has no slot')
    const found = await askHeader(rpc, slot, commitment)
    return found === 'absent' || found === 'pruned' ? newestBelow(slot) : found
  }

  /** Nodes name a slot a little before they show its block, all the more where several answer under one address. */
  async function newestBelow(slot: number): Promise<NodeHeader> {
    const first = Math.max(0, slot - maxBehind)
    const listed = slot === 0 ? [] : await list(first, slot - 1)
    for (const each of listed.slice(-maxTries).reverse()) {
      const found = await askHeader(rpc, each, commitment)
      if (found !== 'absent' && found !== 'pruned') return found
    }
    throw new GateOutageError(`The node is at slot ${slot}, but shows none of its newest blocks.`)
  }

  async function moveTo(found: NodeHeader): Promise<void> {
    const before = top
    if (before !== null && found.height === before.height && found.hash === before.hash) return
    slots = (before === null ? null : await slotsUpTo(before, found)) ?? [found.slot]
    top = found
    const surplus = slots.length - Number(top.height - lowestAsked) - keptBelow
    if (surplus > keptBelow) slots = slots.slice(surplus)
  }

  /** The slots up to a new top; null if it does not follow from what we know. */
  async function slotsUpTo(before: NodeHeader, found: NodeHeader): Promise<number[] | null> {
    const more = Number(found.height - before.height)
    // Of several nodes under one address, one that is behind has answered.
    if (more <= 0) return slots.at(more - 1) === found.slot ? slots.slice(0, slots.length + more) : null
    if (found.slot <= before.slot || found.slot - before.slot > maxRange) return null
    const listed = more === 1 && found.parentSlot === before.slot ? [found.slot] : null
    const added = listed ?? (await list(before.slot + 1, found.slot))
    return added.length === more && added.at(-1) === found.slot ? slots.concat(added) : null
  }

  async function extendTo(count: number): Promise<void> {
    if (count > maxHeights)
      throw new GateOutageError(`The last block that was read is ${count} blocks old, too many to catch up.`)
    for (;;) {
      const lowest = slots[0] ?? unbelievable('it has no slots')
      const missing = count - slots.length
      if (missing <= 0 || lowest === 0) return
      // Most slots have a block.
      const range = Math.min(maxRange, missing + Math.ceil(missing / 4) + 64)
      const more = await list(Math.max(0, lowest - range), lowest - 1)
      if (more.length === 0) return
      slots = more.concat(slots)
    }
  }

  function known(height: bigint): number | null {
    if (top === null || height > top.height || height < 0n) return null
    return slots[slots.length - 1 - Number(top.height - height)] ?? null
  }

  return {
    get top() {
      return top
    },
    known,
    newest() {
      coming ??= inTurn(async () => {
        const found = await askNewest()
        await moveTo(found)
        return found
      }).finally(() => {
        coming = null
      })
      return coming
    },
    slotAt: (height) =>
      inTurn(async () => {
        const end = top
        if (end === null || height > end.height) return 'above'
        lowestAsked = height
        await extendTo(Number(end.height - height) + 1)
        return known(height) ?? 'below'
      }),
    forget: () =>
      inTurn(async () => {
        top = null
        slots = []
      }),
  }
}
