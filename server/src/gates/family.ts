import type { Asset } from '../domain/assets.ts'
import type { ColdKey } from '../domain/cold-wallets.ts'
import type {
  CoinPlan,
  ComputeBudget,
  KeyPath,
  SignedTransaction,
  SolanaPlan,
  SpendPlan,
} from '../domain/spends.ts'
import type { AccountRefilling } from './account-refill.ts'
import type { DepositSource } from './deposit-source.ts'
import type { SolanaReading } from './solana/read-transaction.ts'

/** Where a payer sends money. On networks where many payers share one address, the tag tells their payments apart. */
export type DepositAddress = { readonly address: string; readonly tag: string | null }

/** Where a payout goes: validated, and in canonical form. */
export type Destination = { readonly address: string; readonly tag: string | null }

/** What a payment link says beyond address and amount, on networks whose links can. */
export type PaymentNote = {
  readonly invoiceId: string
  /** Who is paid; null if it is not known. */
  readonly label: string | null
  /** What for. */
  readonly message: string | null
}

/** What the sender of a payout has agreed to explicitly. */
export type Consent = {
  /** To pay an address that a program controls and that has no private key, where the network has such addresses. */
  readonly programAddress: boolean
}

export const noConsent: Consent = { programAddress: false }
export const fullConsent: Consent = { programAddress: true }

/** Why an address cannot be paid, in words that continue a sentence, and whether the sender's consent would change that. */
export type DestinationRefusal = { readonly words: string; readonly needsConsent: boolean }

/** A transfer for a browser wallet, which adds the sender and the fee. */
export type WalletTransaction = {
  /** EIP-155. */
  readonly chainId: number
  readonly to: string
  /** In the native currency. */
  readonly valueUnits: bigint
  /** The contract call, in hexadecimal with 0x; null for the native currency. */
  readonly data: string | null
}

/** What an output pays; the address is null for a script that has none. */
export type PaidOutput = { readonly address: string | null; readonly units: bigint }

/** What signed bytes do, read from the bytes alone. */
export type ReadTransaction =
  | {
      readonly kind: 'coins'
      readonly hash: string
      readonly inputs: readonly { readonly txHash: string; readonly outputIndex: number }[]
      readonly outputs: readonly PaidOutput[]
    }
  | {
      readonly kind: 'account'
      readonly hash: string
      readonly from: string
      readonly nonce: bigint
      readonly to: Destination
      /** The token's contract or mint; null for the native currency. */
      readonly contractAddress: string | null
      readonly units: bigint
      readonly gasLimit: bigint
      readonly gasPrice: bigint
    }
  | SolanaReading

/**
 * What networks of one kind have in common, independent of any node: how addresses are derived and parsed, and how a
 * wallet is told what to pay. Local and pure; it never holds private keys.
 */
export type Family = {
  /** The deposit address at `index`, from 0; null where only the signer can derive it. */
  depositAddress(index: number): DepositAddress | null
  /** From what another process derives the same addresses; left out where deriving takes no time, or only the signer can. */
  readonly depositSource?: DepositSource
  /** Null when the address is not one of exactly this network or cannot be paid, or the tag is not valid on it. */
  parseDestination(address: string, tag: string | null, consent?: Consent): Destination | null
  /** What is wrong with a tag, in words that continue a sentence; null if nothing is. Left out where they are plain. */
  tagRefusal?(tag: string): string | null
  /** Why an address is refused, if there is more to say than that it is not a valid one. */
  destinationRefusal?(address: string): DestinationRefusal | null
  /** A link that opens a wallet with the payment filled in. It is also shown as a QR code, so notes are cut short. */
  paymentUri(to: DepositAddress, asset: Asset, units: bigint, note?: PaymentNote): string
  /**
   * What a payment of this invoice names on the chain, by which anyone can find it there before its hash is known; for
   * networks whose links can carry such a reference.
   */
  paymentReference?(invoiceId: string): string
  /** The transaction to request from a payer's browser wallet (EIP-1193's `eth_sendTransaction`), where these exist. */
  walletTransaction?(to: DepositAddress, asset: Asset, units: bigint): WalletTransaction
  readonly spending: Spending
  /**
   * Signs a plan with the keys that `keyOf` returns. The same plan always gives the same bytes. Throws when a key does not
   * belong to its input or account.
   */
  sign(plan: SpendPlan, keyOf: (path: KeyPath) => Uint8Array): SignedTransaction
  /** What signed bytes do; or why they are not a transaction that `sign` makes. */
  read(bytes: Uint8Array): ReadTransaction | { readonly refused: string }
}

/** A transaction from a file that an offline signer wrote, as far as it is to be compared. */
export type RefillFile = {
  /** The hash that it has on the network. */
  readonly hash: string
  readonly version: number
  readonly lockTime: number
  readonly inputs: readonly {
    readonly txHash: string
    readonly outputIndex: number
    readonly sequence: number
    /** Whether it is unlocked by more than a witness. */
    readonly hasScript: boolean
    /** What may unlock it, one of which is enough; none where it is not signed. */
    readonly witnesses: readonly (readonly Uint8Array[])[]
  }[]
  readonly outputs: readonly { readonly script: Uint8Array; readonly units: bigint }[]
}

/** A coin of the cold wallet, with what an offline signer must be told about it. */
export type RefillCoin = {
  readonly address: string
  /** The transaction that made it. */
  readonly previous: Uint8Array
  /** Null where the cold wallet is an address. */
  readonly key: ColdKey | null
}

/** How coins come back from the operator's cold wallet. In these plans all inputs are the cold wallet's. */
export type Refilling = {
  /** Whether coins at this address can be part of a refill. */
  canSpend(address: string): boolean
  /** The most that a transaction with this many of these coins and outputs to these addresses can count for fees. */
  sizeOf(inputs: number, outputs: readonly string[]): bigint
  /** The hash that the plan's transaction has on the network. No signature changes it. */
  hashOf(plan: CoinPlan): string
  /** The file for the offline signer. */
  write(plan: CoinPlan, coins: readonly RefillCoin[], changeKey: ColdKey | null): Uint8Array
  /** What is in a file of the offline signer's. */
  read(file: Uint8Array): RefillFile | { readonly refused: string }
  /** The plan's transaction with the signatures of the file; or what is wrong with the file. Never throws. */
  complete(
    plan: CoinPlan,
    addresses: readonly string[],
    file: RefillFile,
  ): SignedTransaction | { readonly refused: string }
}

/** How money leaves addresses of this kind, and how fees are counted: by size where coins are spent, by gas for accounts. */
export type Spending =
  | {
      readonly kind: 'coins'
      /** Our own change address at `index`, from 0. */
      changeAddress(index: number): string
      /** The fee-relevant size of a transaction with this many of our inputs and outputs to these addresses. */
      sizeOf(inputs: number, outputs: readonly string[]): bigint
      /** Change below this is not worth an output and goes to the network fee. */
      readonly dustUnits: bigint
      readonly maxInputs: number
      readonly maxOutputs: number
      /**
       * What these outputs of a transaction pay, by index, read from its bytes, with or without witnesses. Outputs that it
       * does not have are left out. Null when the bytes are not the transaction with this hash, and so prove nothing.
       */
      readOutputs(
        txHash: string,
        bytes: Uint8Array,
        indexes: readonly number[],
      ): ReadonlyMap<number, PaidOutput> | null
      readonly refill: Refilling
    }
  | {
      readonly kind: 'account'
      /** The address that payouts leave from; null while only the signer knows it. */
      readonly hotAddress: string | null
      /** Whether deposits arrive at the hot wallet itself, so that nothing has to be swept. */
      readonly depositsAreHot: boolean
      /** The gas of a transfer. */
      gasOf(asset: Asset): bigint
      /**
       * The account that the hot wallet must trust before it can hold an asset; null for the native currency. For networks with
       * trust lines (XRP Ledger). A plan that pays nothing to this account makes the trust line.
       */
      trustedFor?(asset: Asset): string | null
      /** How funds come back from the operator's cold wallet; left out where they cannot. */
      readonly refill?: AccountRefilling
    }
  | {
      readonly kind: 'solana'
      /** The address that payouts leave from, and that pays every fee; null while only the signer knows it. */
      readonly hotAddress: string | null
      readonly depositsAreHot: false
      /** How many transactions can be on their way at once: each holds a nonce account. */
      readonly nonceAccounts: number
      /** The nonce account of the hot wallet with this index. */
      nonceAccount(index: number): string
      /** The program that keeps a token, and its decimals; null for SOL. */
      tokenOf(asset: Asset): SolanaPlan['token']
      /** What a payout usually takes, with the rent of a token account that the receiver may not have yet. */
      payoutBudget(asset: Asset, memo?: string | null): ComputeBudget
      /** What emptying this number of deposit addresses takes. */
      sweepBudget(asset: Asset, sources: number): ComputeBudget
      /** What using up a value of a nonce account takes. */
      readonly cancelBudget: ComputeBudget
      /** How many deposit addresses one transaction can empty. */
      maxSources(asset: Asset): number
      /** Where an owner's tokens of this asset are kept. */
      tokenAccount(owner: string, asset: Asset): string
    }
