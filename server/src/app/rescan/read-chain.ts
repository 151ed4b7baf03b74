import type { BlockRef } from '../../domain/chain.ts'
import { GateOutageError } from '../../gates/gate.ts'
import type { Rescan } from '../../store/chains/rescans.ts'
import type { App } from '../app.ts'
import { catchUp } from './catch-up.ts'
import { holdRescan } from './hold-rescan.ts'
import { readSlice, type Slice } from './read-slice.ts'
import { skipUsed } from './skip-used.ts'
import type { CoinGate } from './widen-window.ts'

/** How far a rescan has got. */
export type RescanProgress = {
  readonly height: bigint
  readonly fromHeight: bigint
  readonly toHeight: bigint
  /** Outputs that pay us, spent since or not. */
  readonly found: number
}

// How often the newest blocks may be replaced while they are being read.
const maxBranches = 20

/**
 * Continues a rescan where it stopped, up to the tip of the followed chain, and stores its findings slice by slice. When it
 * returns, every block read is on the followed branch; the follower sees all later changes.
 *
 * Findings in blocks that a reorganisation may still replace are stored, but those blocks do not count as read: a process
 * that continues later reads them again.
 */
export async function readChain(
  app: App,
  gate: CoinGate,
  given: Rescan,
  onProgress: (progress: RescanProgress) => void,
): Promise<Rescan> {
  let rescan = given
  for (let branch = 0; branch < maxBranches; branch++) {
    await app.store.rescans.dropFrom(gate.id, rescan.nextHeight)
    const outcome = await readBranch(app, gate, rescan, onProgress)
    if (outcome.isWhole) return outcome.rescan
    rescan = outcome.rescan
    // Even the blocks that counted as read are not on the node's branch: start over.
    if (outcome.failedAt === rescan.nextHeight)
      rescan = await app.transaction((tx) => tx.rescans.begin(gate.id, rescan.fromHeight, rescan.gap))
  }
  throw new GateOutageError(
    `The chain of ${gate.id} changes faster than it can be read. Run the command again: it continues where it stopped.`,
  )
}

type Outcome =
  | { readonly isWhole: true; readonly rescan: Rescan }
  | { readonly isWhole: false; readonly rescan: Rescan; readonly failedAt: bigint }

async function readBranch(
  app: App,
  gate: CoinGate,
  given: Rescan,
  onProgress: (progress: RescanProgress) => void,
): Promise<Outcome> {
  let rescan = given
  let last: BlockRef | null =
    rescan.lastHash === null ? null : { height: rescan.nextHeight - 1n, hash: rescan.lastHash }
  let found = await app.store.rescans.countFound(gate.id)
  // Each turn reads at least one block, or returns.
  for (;;) {
    const { tip } = await catchUp(app, gate)
    const from = last === null ? rescan.fromHeight : last.height + 1n
    if (last !== null && last.height >= tip.height) {
      if (last.hash === tip.hash) return { isWhole: true, rescan }
      return { isWhole: false, rescan, failedAt: from }
    }
    const deepest = tip.height - BigInt(app.following.maxDepth)
    const isDeep = from <= deepest
    const slice = await readSlice(app, gate, rescan, { last, from, to: isDeep ? deepest : tip.height })
    if (slice === null) return { isWhole: false, rescan, failedAt: from }
    await keep(app, gate, slice, isDeep ? slice.last : null)
    last = slice.last
    found += slice.found.length
    rescan = isDeep ? { ...slice.rescan, nextHeight: last.height + 1n, lastHash: last.hash } : slice.rescan
    onProgress({ height: last.height, fromHeight: rescan.fromHeight, toHeight: tip.height, found })
  }
}

async function keep(
  app: App,
  gate: CoinGate,
  { rescan, found, transactions }: Slice,
  read: BlockRef | null,
): Promise<void> {
  await app.transaction(async (tx) => {
    await holdRescan(tx, rescan, read)
    await tx.rescans.addOutputs(gate.id, found)
    await tx.previousTransactions.add(gate.id, transactions)
    await skipUsed(tx, gate, rescan)
  })
}
