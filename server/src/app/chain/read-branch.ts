import { type Block, type BlockRef, continues, isLinked, type Step } from '../../domain/chain.ts'
import { type Gate, GateOutageError, noAddresses, type WatchedAddresses } from '../../gates/gate.ts'

/** How many blocks, and transfers to us, one step reads when catching up: a bound on the size of its transaction. */
const maxBlocks = 200
const maxTransfers = 5_000
/** The longest new branch of a reorganisation; a branch is read and applied as a whole. */
const maxBranch = 5_000

/**
 * Asks the node what happened to the chain above our tip. Only reads. Inconsistent answers (the node reorganises meanwhile)
 * are an outage, and the next attempt starts over.
 */
export async function readBranch(
  gate: Gate,
  tip: BlockRef,
  watched: WatchedAddresses,
  options: {
    /** Where the node's chain ends. */
    readonly nodeTip: BlockRef
    readonly hashes: () => Promise<ReadonlyMap<bigint, string>>
    readonly maxDepth: number
  },
): Promise<Step & { readonly nodeTip: BlockRef }> {
  const { nodeTip } = options
  if (nodeTip.height === tip.height && nodeTip.hash === tip.hash) return { kind: 'nothing', nodeTip }
  if (nodeTip.height > tip.height) {
    const first = await blockAt(gate, tip.height + 1n, watched)
    if (continues(tip, first)) {
      const blocks = await readOn(gate, [first], nodeTip.height, watched, { maxBlocks, maxTransfers })
      return { kind: 'extend', blocks, nodeTip }
    }
  }
  const lowest = tip.height - BigInt(options.maxDepth)
  // Too far behind to compare branches. The node has not shown a different branch, so this is no reason to halt.
  if (nodeTip.height < lowest) return { kind: 'lagging', nodeTip }
  const base = await commonAncestor()
  if (base === null) return { kind: 'too_deep', nodeTip }
  if (base.height === nodeTip.height) return { kind: 'lagging', nodeTip }
  return { kind: 'rewind', base, blocks: await readWhole(gate, base, nodeTip.height, watched), nodeTip }

  /** The newest block that both branches have; null when it is deeper than we look. */
  async function commonAncestor(): Promise<BlockRef | null> {
    const hashes = await options.hashes()
    let height = tip.height
    if (nodeTip.height < height) height = nodeTip.height
    for (; height >= lowest; height--) {
      const ours = hashes.get(height)
      if (ours === undefined) return null
      if ((await blockAt(gate, height, noAddresses)).hash === ours) return { height, hash: ours }
    }
    return null
  }
}

/** The node's whole current branch above a height chosen by the operator. */
export async function readBranchFrom(
  gate: Gate,
  height: bigint,
  watched: WatchedAddresses,
): Promise<{ readonly base: BlockRef; readonly blocks: readonly Block[] }> {
  const nodeTip = await gate.tip()
  const { hash } = await blockAt(gate, height, noAddresses)
  const base = { height, hash }
  return { base, blocks: await readWhole(gate, base, nodeTip.height, watched) }
}

/** Everything above `base`, however many transfers it holds, since the branch is applied as a whole. */
async function readWhole(
  gate: Gate,
  base: BlockRef,
  last: bigint,
  watched: WatchedAddresses,
): Promise<readonly Block[]> {
  const blocks = await readOn(gate, [], last, watched, {
    from: base.height + 1n,
    maxBlocks: maxBranch,
    maxTransfers: Number.POSITIVE_INFINITY,
  })
  if (!isLinked(base, blocks)) throw changedMeanwhile(gate)
  return blocks
}

/** Appends to `blocks` up to `last`, as far as the bounds allow; every block must link to the one before it. */
async function readOn(
  gate: Gate,
  blocks: Block[],
  last: bigint,
  watched: WatchedAddresses,
  bounds: { from?: bigint; maxBlocks: number; maxTransfers: number },
): Promise<Block[]> {
  let transfers = blocks.reduce((sum, block) => sum + block.transfers.length, 0)
  let height = bounds.from ?? (blocks.at(-1)?.height ?? last) + 1n
  let read: readonly Block[] = []
  for (; height <= last && blocks.length < bounds.maxBlocks && transfers < bounds.maxTransfers; height++) {
    if (read.length === 0) read = await blocksFrom(gate, height, last, watched)
    const [block, ...later] = read
    if (block === undefined) throw changedMeanwhile(gate)
    requireHeight(gate, block, height)
    const before = blocks.at(-1)
    if (before !== undefined && !continues(before, block)) throw changedMeanwhile(gate)
    blocks.push(block)
    transfers += block.transfers.length
    read = later
  }
  return blocks
}

/** The next blocks: several where the gate can read them at once. */
async function blocksFrom(
  gate: Gate,
  first: bigint,
  last: bigint,
  watched: WatchedAddresses,
): Promise<readonly Block[]> {
  if (gate.blocks !== undefined && last > first) return gate.blocks(first, last, watched)
  return [await blockAt(gate, first, watched)]
}

async function blockAt(gate: Gate, height: bigint, watched: WatchedAddresses): Promise<Block> {
  const block = await gate.block(height, watched)
  if (block === null) throw changedMeanwhile(gate)
  requireHeight(gate, block, height)
  return block
}

function requireHeight(gate: Gate, block: Block, height: bigint): void {
  if (block.height !== height)
    throw new GateOutageError(`${gate.id} returned a different block than requested.`)
}

function changedMeanwhile(gate: Gate): GateOutageError {
  return new GateOutageError(`The chain of ${gate.id} changed while it was being read.`)
}
