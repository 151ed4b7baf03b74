import type { Asset } from '../domain/assets.ts'

/** Where a payer pays to. On networks where many share one address, the tag tells whose payment it is. */
export type DepositAddress = { readonly address: string; readonly tag: string | null }

/** Where a payout goes: checked, and in the one form in which we write it. */
export type Destination = { readonly address: string; readonly tag: string | null }

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
}
