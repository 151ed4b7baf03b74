/** An output that a transaction spends, by its place on the chain. */
export type SpentCoin = { readonly txHash: string; readonly outputIndex: number }

/** What a spent output paid, and to whom. */
export type PaidCoin = { readonly address: string; readonly units: bigint }

/** What signed bytes do, once every signature in them has been checked. */
export type Executable = {
  readonly hash: string
  /** What can be used once only. */
  readonly uses:
    | { readonly kind: 'coins'; readonly coins: readonly SpentCoin[] }
    | { readonly kind: 'account'; readonly address: string; readonly nonce: bigint }
  /** What it pays, in order; the place in the list is the output's index. A token by its currency code. */
  readonly outputs: readonly {
    readonly address: string
    readonly tag: string | null
    readonly currency: string
    readonly units: bigint
  }[]
  /** What the sender parts with beyond spent coins, by currency, the fee among it; empty where coins are spent. */
  readonly debits: readonly { readonly currency: string; readonly units: bigint }[]
  /** What the network takes, in its own coin. */
  readonly feeUnits: bigint
  /** By which transactions that use the same are compared: a replacement must pay more of it. */
  readonly feeRate: bigint
}

/** Reads the signed bytes of one network, as its nodes would. */
export type SignedBytesReader = {
  /** The outputs that the bytes spend; none where an account pays. Null when these are no bytes of this network. */
  coinsOf(bytes: Uint8Array): readonly SpentCoin[] | null
  /** What the bytes do, or why no node would take them: a bad signature, a wrong chain, more paid out than put in. */
  read(
    bytes: Uint8Array,
    paid: (coin: SpentCoin) => PaidCoin | undefined,
  ): Executable | { readonly refused: string }
}
