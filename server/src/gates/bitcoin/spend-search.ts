import type { BlockRef } from '../../domain/chain.ts'
import { coinName } from '../../domain/uses.ts'
import { GateOutageError } from '../gate.ts'
import type { NodeBlock } from './node-answers.ts'

/** Who has spent a coin: a transaction, and the block that holds it. */
export type Spender = { readonly hash: string; readonly block: BlockRef }

/** What was looked at for one set of coins, from `top` down to and without `next`. */
type Progress = { readonly top: BlockRef; readonly next: BlockRef | null; readonly found: Spender | null }

export type SpendSearch = {
  /** The newest transaction below `tip` that spends one of the coins; null when none does as far down as is looked. */
  find(tip: BlockRef, coins: readonly { txHash: string; outputIndex: number }[]): Promise<Spender | null>
}

// Two months of Bitcoin's blocks: a service that was away for longer has a person looking after it.
const maxDepth = 10_000n
// One call looks for so long; the next goes on where it stopped.
const maxSearchMs = 5_000
const maxRemembered = 200

/**
 * Looks for whoever spent a coin that is gone, block by block from the tip downwards: no index has to be kept by the node,
 * nor all of its blocks. How far a search has come is remembered by block hash, so that a new block costs one more look
 * and a reorganisation begins it anew.
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
            `Still looking for who spent ${[...names][0]}: down to block ${next.height} nobody has.`,
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
