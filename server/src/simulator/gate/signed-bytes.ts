/** An output that a transaction spends. */
export type SpentCoin = { readonly txHash: string; readonly outputIndex: number }

/** The address and amount of a spent output. */
export type PaidCoin = { readonly address: string; readonly units: bigint }

/** The effect of signed bytes whose signatures have all been verified. */
export type Executable = {
  readonly hash: string
  /** The bytes as they were sent, with witnesses; null where no one asks for them again. */
  readonly bytes: Uint8Array | null
  /** What can be used only once. */
  readonly uses:
    | { readonly kind: 'coins'; readonly coins: readonly SpentCoin[] }
    | { readonly kind: 'account'; readonly address: string; readonly nonce: bigint }
    | {
        readonly kind: 'nonce_account'
        readonly holder: string
        readonly index: number
        readonly value: string | null
      }
  /** What it pays, in order; the position in the list is the output's index. */
  readonly outputs: readonly {
    readonly address: string
    readonly tag: string | null
    readonly currency: string
    readonly units: bigint
  }[]
  /** What is charged by currency, including the fee: to the sender, unless it names an address. Empty where coins are spent. */
  readonly debits: readonly { readonly address?: string; readonly currency: string; readonly units: bigint }[]
  /** The network fee, in the native currency. */
  readonly feeUnits: bigint
  /** Compares transactions that use the same coins or nonce: a replacement must have a higher rate. */
  readonly feeRate: bigint
}

/** Reads the signed bytes of one network as its nodes would. */
export type SignedBytesReader = {
  /** The outputs that the bytes spend; none where an account pays. Null when they are not a transaction of this network. */
  coinsOf(bytes: Uint8Array): readonly SpentCoin[] | null
  /** The effect of the bytes, or why a node would refuse them: a bad signature, a wrong chain, outputs above inputs. */
  read(
    bytes: Uint8Array,
    paid: (coin: SpentCoin) => PaidCoin | undefined,
  ): Executable | { readonly refused: string }
}
