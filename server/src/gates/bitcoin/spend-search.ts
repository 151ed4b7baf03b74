import type { BlockRef } from '../../domain/chain.ts'
import { coinName } from '../../domain/uses.ts'
import { GateOutageError } from '../gate.ts'
import type { NodeBlock } from './node-answers.ts'

/** The transaction that spent a coin, and its block. */
export type Spender = { readonly hash: string; readonly block: BlockRef }

/** The progress of the search for one set of coins: from `top` down to `next`, which is not read yet. */
type Progress = { readonly top: BlockRef; readonly next: BlockRef | null; readonly found: Spender | null }

export type SpendSearch = {
  /** The newest transaction up to `tip` that spends one of the coins; null when there is none within the search depth. */
  find(tip: BlockRef, coins: readonly { txHash: string; outputIndex: number }[]): Promise<Spender | null>
}

// Two months of Bitcoin's blocks. After a longer downtime, a person is involved anyway.
const maxDepth = 10_000n
// The time limit of one call; the next call continues where it stopped.
const maxSearchMs = 5_000
const maxRemembered = 200

/**
 * Looks for the transaction that spent a coin, block by block from the tip downwards. The node needs neither an index nor
 * all blocks. Progress is remembered by block hash, so that a new block costs only one more read, and a reorganisation
 * starts the search again.
 */
export function spendSearch(read: (ref: BlockRef) => Promise<NodeBlock>): SpendSearch {
  const remembered = new Map<string, Progress>()

  function remember(key: string, progress: Progress): void {
    remembered.delete(key)
    remembered.set(key, progress)
    const [oldest] = remembered.keys()
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
  }

  return {
    async find(tip, coins) {
      const names = new Set(coins.map(coinName))
      const key = [...names].sort().join()
      const before = remembered.get(key)
      const endMs = performance.now() + maxSearchMs
      const lowest = tip.height > maxDepth ? tip.height - maxDepth : 0n
      let next: BlockRef | null = tip
      while (next !== null && next.height >= lowest) {
        if (next.hash === before?.top.hash) {
          if (before.found !== null) {
            remember(key, { ...before, top: tip })
            return before.found
          }
          next = before.next
          continue
        }
        if (performance.now() > endMs) {
          remember(key, { top: tip, next, found: null })
          throw new GateOutageError(
            `The search for the transaction that spent ${[...names][0]} continues below block ${next.height}.`,
          )
        }
        const block: NodeBlock = await read(next)
        const found = spenderIn(block, names)
        next = block.height === 0n ? null : { height: block.height - 1n, hash: block.parentHash }
        if (found !== null) {
          const spender = { hash: found, block: { height: block.height, hash: block.hash } }
          remember(key, { top: tip, next, found: spender })
          return spender
        }
      }
      remember(key, { top: tip, next, found: null })
      return null
    },
  }
}

function spenderIn({ transactions }: NodeBlock, names: ReadonlySet<string>): string | null {
  for (const { txid, vin } of transactions)
    for (const { txid: from, vout } of vin)
      if (typeof from === 'string' && names.has(`${from}:${vout}`)) return txid
  return null
}
