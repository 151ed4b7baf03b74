/** A block by its place and its name. */
export type BlockRef = { readonly height: bigint; readonly hash: string }

/** Coins arriving at one address: one output, one token transfer, one line of a payment. */
export type Transfer = {
  readonly txHash: string
  /** Which of the transaction's transfers it is: with the hash it names a transfer for good. */
  readonly outputIndex: number
  /** The currency's code; only currencies of the gate's own assets are reported. */
  readonly currency: string
  readonly address: string
  readonly tag: string | null
  readonly units: bigint
  /** How deep it must be at least before anybody can spend it; left out where the network says nothing. */
  readonly leastConfirmations?: number
  /** Set when it was found by what its address has: then `txHash` is that of the block after which it had it first. */
  readonly byBalance?: boolean
}

/** A block with those of its transfers that were asked for. */
export type Block = BlockRef & {
  readonly parentHash: string
  readonly minedAt: Date
  readonly transfers: readonly Transfer[]
}

/** What a node's block above our tip means: the branch goes on, or it is another branch. */
export function continues(tip: BlockRef, next: Pick<Block, 'height' | 'parentHash'>): boolean {
  return next.height === tip.height + 1n && next.parentHash === tip.hash
}

/** Whether each block stands on the one before it, the first on `base`. */
export function isLinked(base: BlockRef, blocks: readonly Block[]): boolean {
  return blocks.every((block, at) => continues(blocks[at - 1] ?? base, block))
}

/** What to do to make the followed branch the node's. */
export type Step =
  | { readonly kind: 'nothing' }
  /** The node is behind what it showed before; nothing says that its branch has changed. */
  | { readonly kind: 'lagging' }
  | { readonly kind: 'extend'; readonly blocks: readonly Block[] }
  /** Everything above `base` was replaced by `blocks`, the whole new branch. */
  | { readonly kind: 'rewind'; readonly base: BlockRef; readonly blocks: readonly Block[] }
  /** The branches part deeper than we look back. */
  | { readonly kind: 'too_deep' }
