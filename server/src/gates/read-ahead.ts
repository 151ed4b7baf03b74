import type { Block } from '../domain/chain.ts'
import type { WatchedAddresses } from './gate.ts'

/** Reads `count` blocks from `from` on, with their payments to watched addresses, as far as the node has them. */
export type ReadBlocks = (from: bigint, count: number, watched: WatchedAddresses) => Promise<Block[]>

export type BlockReader = {
  /** The block at this height; null above the node's tip. Blocks up to `last` are likely to be requested next. */
  read(height: bigint, last: bigint, watched: WatchedAddresses): Promise<Block | null>
}

type Ahead = {
  readonly watched: WatchedAddresses
  readonly untilMs: number
  readonly list: Block[]
}

/** Blocks that are being read ahead. */
type Coming = { readonly from: bigint; readonly count: number; readonly blocks: Promise<Ahead | null> }

// The node can prepare the next answer while we process one.
const maxComing = 2
const aheadMs = 3_000

/**
 * Reads consecutive blocks several at a time, at most `maxCount`, and the next ones while these are being processed. A block that was read ahead
 * is handed out only once, soon after it was read, for the same `watched`, and only if it builds on the previous block.
 */
export function readAhead(readBlocks: ReadBlocks, maxCount: number): BlockReader {
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

  /** Starts to read further blocks, after those that are ready or being read. */
  function readOn(after: bigint, last: bigint, watched: WatchedAddresses): void {
    const newest = coming.at(-1)
    let from = newest === undefined ? after + 1n : newest.from + BigInt(newest.count)
    while (coming.length < maxComing && from <= last) {
      const count = Math.min(maxCount, Number(last - from) + 1)
      // A failure here is ignored: it shows again when the blocks are requested.
      coming.push({ from, count, blocks: readFrom(from, count, watched).catch(() => null) })
      from += BigInt(count)
    }
  }

  return {
    async read(height, last, watched) {
      const follows = handedOut !== null && handedOut.height + 1n === height
      let found = takeReady(height, watched) ?? (await takeComing(height, watched))
      if (found === null) {
        // Read alone, so that a problem with a later block cannot get in its way.
        ready = await readFrom(height, 1, watched)
        found = ready.list.shift() ?? null
      }
      handedOut = found
      if (follows && found !== null) readOn(height + BigInt(ready?.list.length ?? 0), last, watched)
      return found
    },
  }
}
