import type { BlockRef } from '../domain/chain.ts'
import type { AccountPlan, SignedTransaction } from '../domain/spends.ts'

/** A transfer before it is signed, in the forms that wallets take. */
export type UnsignedTransfer = {
  /** As in `eth_signTransaction`: numbers in hexadecimal. */
  readonly transaction: Readonly<Record<string, string>>
  /** The serialized transaction that is to be signed, in hexadecimal with 0x. */
  readonly unsigned: string
}

/** A transfer that the operator has signed, read from its bytes alone. */
export type SignedTransfer = SignedTransaction & {
  /** EIP-155. */
  readonly chainId: number
  readonly from: string
  readonly nonce: bigint
  readonly to: string
  /** Null for the native currency. */
  readonly contractAddress: string | null
  readonly units: bigint
  readonly gasLimit: bigint
  readonly gasPrice: bigint
  /** Null in a legacy transaction, which has only a price. */
  readonly gasTip: bigint | null
}

/** What used a nonce up: the block, and the transaction, if the node still knows which one it was. */
export type NonceUse = {
  readonly block: BlockRef
  readonly transaction:
    | (SignedTransaction & {
        /** In lower case; null when it creates a contract. */
        readonly to: string | null
        readonly value: bigint
        readonly input: string
      })
    | null
}

/** The next nonce and the fee of a transaction that is signed elsewhere. */
export type SigningTerms = {
  readonly nonce: bigint
  /** Whether the account has transactions that wait for a block. */
  readonly isBusy: boolean
  /** The most that a unit of gas may cost, with room for rising fees, and what the block producer gets of it. */
  readonly gasPrice: bigint
  readonly gasTip: bigint
}

/** How funds come back from a cold wallet that is an account: by a transfer that the operator signs elsewhere. */
export type AccountRefilling = {
  /** EIP-155. */
  readonly chainId: number
  write(plan: AccountPlan, gasTip: bigint): UnsignedTransfer
  /** The signed transfer in a file; or why there is none. Never throws. */
  read(file: Uint8Array): SignedTransfer | { readonly refused: string }
  /** What a signed transfer does that was not planned, in words; null when nothing but its fee differs. */
  difference(plan: AccountPlan, signed: SignedTransfer): string | null
  /** Whether a transaction in a block does what was planned, at any fee and of any type. */
  isSame(plan: AccountPlan, used: NonNullable<NonceUse['transaction']>): boolean
}
