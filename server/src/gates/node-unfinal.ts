import type { BlockRef, Transfer } from '../domain/chain.ts'
import { GateOutageError, StillReadingError, type WatchedAddresses } from './gate.ts'
import type { NodeRpc } from './json-rpc.ts'

/** How the nodes of a family are read. */
export type UnfinalReader<Contents extends { readonly block: BlockRef & { readonly parentHash: string } }> = {
  /** The blocks at these heights, as far as the node has them. */
  read(rpc: NodeRpc, heights: readonly bigint[]): Promise<readonly Contents[]>
  /** What each of them pays to watched addresses. */
  transfersIn(
    rpc: NodeRpc,
    blocks: readonly Contents[],
    watched: WatchedAddresses,
  ): Promise<readonly (readonly Transfer[])[]>
}

type Held = BlockRef & { readonly parentHash: string; readonly transfers: readonly Transfer[] }

// Arbitrum makes four blocks a second and takes twenty minutes to finalise one.
const maxBlocks = 20_000
const batchSize = 8
// The first read of many blocks takes a while; each call continues where the last one stopped.
const maxReadMs = 8_000

/**
 * Transfers to us in blocks that are not yet final. Each block is read once and checked once for payments to us. Of the
 * blocks above the final one we remember only our transfers.
 */
export function unfinalTransfers<
  Contents extends { readonly block: BlockRef & { readonly parentHash: string } },
>({
  read,
  transfersIn,
}: UnfinalReader<Contents>): (
  rpc: NodeRpc,
  final: BlockRef,
  newest: BlockRef,
  watched: WatchedAddresses,
) => Promise<readonly Transfer[]> {
  let held: Held[] = []

  return async (rpc, final, newest, watched) => {
    if (newest.height - final.height > BigInt(maxBlocks))
      throw new GateOutageError(
        `The last final block is ${newest.height - final.height} blocks old: the chain is not finalising.`,
      )
    held = held.filter(({ height }) => height > final.height && height <= newest.height)
    const top = held.at(-1)
    if (top?.height === newest.height && top.hash !== newest.hash) held.pop()
    const endMs = performance.now() + maxReadMs
    for (;;) {
      const below: BlockRef = held.at(-1) ?? final
      const missing = Number(newest.height - below.height)
      if (missing <= 0) break
      if (performance.now() > endMs)
        throw new StillReadingError(
          `Blocks that are not yet final are still being read: ${missing} are left.`,
        )
      const heights = Array.from(
        { length: Math.min(missing, batchSize) },
        (_, at) => below.height + 1n + BigInt(at),
      )
      const blocks = await read(rpc, heights)
      // The held block is no longer on the node's branch. If even the final block is not, the follower will notice.
      if (blocks[0]?.block.parentHash !== below.hash) {
        if (held.pop() === undefined) throw changed()
        continue
      }
      const transfers = await transfersIn(rpc, blocks, watched)
      for (const [at, { block }] of blocks.entries()) {
        const { height, hash, parentHash } = block
        if (parentHash !== (held.at(-1) ?? final).hash) break
        held.push({ height, hash, parentHash, transfers: transfers[at] ?? [] })
      }
    }
    return held.flatMap(({ transfers }) => transfers)
  }
}

function changed(): GateOutageError {
  return new GateOutageError('The chain changed while it was read.')
}
