/** A block, by height and hash. */
export type BlockRef = { readonly height: bigint; readonly hash: string }

/** Funds arriving at one address: one output, one token transfer, or one entry of a payment. */
export type Transfer = {
  readonly txHash: string
  /** Which of the transaction's transfers it is. Together with the hash it identifies a transfer permanently. */
  readonly outputIndex: number
  /** The currency's code. A gate reports only the currencies of its own assets. */
  readonly currency: string
  readonly address: string
  readonly tag: string | null
  readonly units: bigint
  /** The confirmations it needs before it can be spent; left out where the network has no such rule. */
  readonly leastConfirmations?: number
  /** Set when the transfer was found by its address's balance: then `txHash` is the first block whose balance includes it. */
  readonly byBalance?: boolean
}

/** A block with the requested transfers. */
export type Block = BlockRef & {
  readonly parentHash: string
  readonly minedAt: Date
  readonly transfers: readonly Transfer[]
  /** The bytes of the transactions with these transfers; left out where no coins are spent. */
  readonly transactionBytes?: readonly PlainTransaction[]
}

/** A transaction without witnesses: the bytes that its hash covers. */
export type PlainTransaction = { readonly hash: string; readonly bytes: Uint8Array }

/** The transactions of a block that made these transfers. */
export function transactionsOf(
  { transactionBytes = [] }: Pick<Block, 'transactionBytes'>,
  transfers: readonly Pick<Transfer, 'txHash'>[],
): PlainTransaction[] {
  const made = new Set(transfers.map(({ txHash }) => txHash))
  return transactionBytes.filter(({ hash }) => made.has(hash))
}

/** Whether a node's block above our tip extends our branch, rather than belonging to another one. */
export function continues(tip: BlockRef, next: Pick<Block, 'height' | 'parentHash'>): boolean {
  return next.height === tip.height + 1n && next.parentHash === tip.hash
}

/** Whether each block builds on the one before it, and the first on `base`. */
export function isLinked(base: BlockRef, blocks: readonly Block[]): boolean {
  return blocks.every((block, at) => continues(blocks[at - 1] ?? base, block))
}

/** What to do so that the followed branch matches the node's. */
export type Step =
  | { readonly kind: 'nothing' }
  /** The node is behind what it showed before, without any sign that its branch has changed. */
  | { readonly kind: 'lagging' }
  | { readonly kind: 'extend'; readonly blocks: readonly Block[] }
  /** Everything above `base` was replaced by `blocks`, the whole new branch. */
  | { readonly kind: 'rewind'; readonly base: BlockRef; readonly blocks: readonly Block[] }
  /** The branches fork deeper than we look back. */
  | { readonly kind: 'too_deep' }
