import type { Asset } from '../domain/assets.ts'
import type { KeyPath, SignedTransaction, SpendPlan } from '../domain/spends.ts'

/** Where a payer pays to. On networks where many share one address, the tag tells whose payment it is. */
export type DepositAddress = { readonly address: string; readonly tag: string | null }

/** Where a payout goes: checked, and in the one form in which we write it. */
export type Destination = { readonly address: string; readonly tag: string | null }

/** A transfer for a browser wallet, which adds whom it is from and what it costs. */
export type WalletTransaction = {
  /** EIP-155. */
  readonly chainId: number
  readonly to: string
  /** Of the network's own coin. */
  readonly valueUnits: bigint
  /** The call of a contract, in hexadecimal with 0x; null for the network's own coin. */
  readonly data: string | null
}

/**
 * What the networks of one kind have in common, apart from any node: how addresses are made and read, and how a wallet
 * is told what to pay. Local and pure; it holds public keys at most.
 */
export type Family = {
  /** Deposit address number `index`, from 0; null where only the holder of the seed can make it. */
  depositAddress(index: number): DepositAddress | null
  /** Null when it is no address of exactly this network, or the tag is not one this network knows. */
  parseDestination(address: string, tag: string | null): Destination | null
  /** A link that opens a wallet with everything filled in. */
  paymentUri(to: DepositAddress, asset: Asset, units: bigint): string
  /** What a payer's browser wallet is asked to send, where such wallets exist: EIP-1193's `eth_sendTransaction`. */
  walletTransaction?(to: DepositAddress, asset: Asset, units: bigint): WalletTransaction
  readonly spending: Spending
  /**
   * Signs a plan with the keys that `keyOf` gives: the same plan always gives the same bytes. Throws when a key is not the
   * one its input or account belongs to.
   */
  sign(plan: SpendPlan, keyOf: (path: KeyPath) => Uint8Array): SignedTransaction
}

/** How money leaves addresses of this kind, and what it costs: by size where coins are spent, by work where accounts pay. */
export type Spending =
  | {
      readonly kind: 'coins'
      /** Our own address number `index` for change, from 0. */
      changeAddress(index: number): string
      /** The size that fees are paid for, of a transaction with so many inputs of ours and outputs to these addresses. */
      sizeOf(inputs: number, outputs: readonly string[]): bigint
      /** Change below this is not worth its cost and is left to the network. */
      readonly dustUnits: bigint
      readonly maxInputs: number
      readonly maxOutputs: number
    }
  | {
      readonly kind: 'account'
      /** Where payouts leave from; null while only the seed's holder knows it. */
      readonly hotAddress: string | null
      /** Whether deposits arrive at the hot wallet itself, so that nothing has to be gathered. */
      readonly depositsAreHot: boolean
      /** How much work a transfer takes. */
      gasOf(asset: Asset): bigint
    }
