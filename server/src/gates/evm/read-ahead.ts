import type { Block } from '../../domain/chain.ts'
import type { WatchedAddresses } from '../gate.ts'

/** These blocks with what they pay to whom is watched, from `from` on, as far as the node has them. */
export type ReadBlocks = (from: bigint, count: number, watched: WatchedAddresses) => Promise<Block[]>

export type BlockReader = {
  /** The block at this height; null above the node's tip. Those up to `last` are likely to be asked for next. */
  read(height: bigint, last: bigint, watched: WatchedAddresses): Promise<Block | null>
}

type Ahead = {
  readonly watched: WatchedAddresses
  readonly untilMs: number
  readonly list: Block[]
}

/** Blocks that were asked for before anybody wants them. */
type Coming = { readonly from: bigint; readonly count: number; readonly blocks: Promise<Ahead | null> }

// Enough that nobody waits block by block; a full block takes a megabyte, and nodes answer some 25 at most.
const maxCount = 8
// While we read one answer, the node can write the next.
const maxComing = 2
const aheadMs = 3_000

/**
 * Reads blocks that follow each other some at a time, and the next ones while these are written. One that was read ahead is
 * handed out once, soon, to whom it was read for, and only on top of the one handed out before it.
 */
export function readAhead(readBlocks: ReadBlocks): BlockReader {
  let ready: Ahead | null = null
  let coming: Coming[] = []
  let handedOut: Block | null = null

  async function readFrom(from: bigint, count: number, watched: WatchedAddresses): Promise<Ahead> {
    const list = await readBlocks(from, count, watched)
    return { watched, list, untilMs: performance.now() + aheadMs }
  }

  function takeReady(height: bigint, watched: WatchedAddresses): Block | null {
    const next = ready?.list.shift()
    const isNext =
      next !== undefined &&
      ready?.watched === watched &&
      ready.untilMs > performance.now() &&
      next.height === height &&
      next.parentHash === handedOut?.hash
    if (isNext) return next
    ready = null
    return null
  }

  async function takeComing(height: bigint, watched: WatchedAddresses): Promise<Block | null> {
    const awaited = coming.shift()
    if (awaited?.from !== height) {
      coming = []
      return null
    }
    ready = await awaited.blocks
    return takeReady(height, watched)
  }

  /** Has more read, after what is there and what is coming. */
  function readOn(after: bigint, last: bigint, watched: WatchedAddresses): void {
    const newest = coming.at(-1)
    let from = newest === undefined ? after + 1n : newest.from + BigInt(newest.count)
    while (coming.length < maxComing && from <= last) {
      const count = Math.min(maxCount, Number(last - from) + 1)
      // Whatever is wrong with them is said when they are wanted.
      coming.push({ from, count, blocks: readFrom(from, count, watched).catch(() => null) })
      from += BigInt(count)
    }
  }

  return {
    async read(height, last, watched) {
      const follows = handedOut !== null && handedOut.height + 1n === height
      let found = takeReady(height, watched) ?? (await takeComing(height, watched))
      if (found === null) {
        // By itself: what is wrong with a later one must not be in its way.
        ready = await readFrom(height, 1, watched)
        found = ready.list.shift() ?? null
      }
      handedOut = found
      if (follows && found !== null) readOn(height + BigInt(ready?.list.length ?? 0), last, watched)
      return found
    },
  }
}
