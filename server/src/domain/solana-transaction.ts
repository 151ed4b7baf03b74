import type { KeyPath } from './key-path.ts'
import { divide } from './money.ts'

/** The two programs that keep tokens. A mint belongs to one of them for good. */
export type TokenProgram = 'token' | 'token-2022'

/** An address of ours that signs. */
export type SolanaSigner = { readonly address: string; readonly key: KeyPath }

/** A token: its mint is its identity, and the network checks program and decimals against it. */
export type SolanaToken = {
  readonly program: TokenProgram
  readonly mint: string
  readonly decimals: number
}

/** One thing that a transaction does. All steps of a transaction happen, or none does. */
export type SolanaStep =
  | {
      readonly kind: 'transfer'
      readonly from: SolanaSigner
      readonly to: string
      /** In lamports. */
      readonly units: bigint
      /** The payout it pays; null when it moves funds between our own addresses. */
      readonly payoutId: string | null
    }
  | {
      readonly kind: 'transfer_token'
      readonly token: SolanaToken
      /** The token account it leaves, associated or not, and the owner of that account. */
      readonly account: string
      readonly from: SolanaSigner
      /** The owner who is paid, at the owner's associated token account. */
      readonly to: string
      readonly units: bigint
      readonly payoutId: string | null
    }
  /** Opens an owner's associated token account, unless it exists already. */
  | {
      readonly kind: 'open'
      readonly program: TokenProgram
      readonly mint: string
      readonly owner: string
      /** What the payer deposits for the account, in lamports. The network sets it by the size of the account. */
      readonly rentUnits: bigint
    }
  /** Closes an empty token account. Its rent goes to the payer. */
  | {
      readonly kind: 'close'
      readonly program: TokenProgram
      readonly account: string
      readonly owner: SolanaSigner
    }
  | { readonly kind: 'memo'; readonly text: string }
  /** Creates the payer's nonce account with this index, and puts `units` lamports there as its rent. */
  | { readonly kind: 'create_nonce'; readonly index: number; readonly units: bigint }

/**
 * How long a transaction can be executed. With a nonce: until that nonce account of the payer no longer holds this value,
 * because this transaction or another one has advanced it. With a block's hash: for about a minute after that block.
 */
export type SolanaLifetime =
  | { readonly kind: 'nonce'; readonly index: number; readonly value: string }
  | { readonly kind: 'blockhash'; readonly value: string }

/**
 * A transaction on Solana, ready to be signed. A plan with a nonce and no steps cancels: it only advances the nonce, so
 * that no other transaction with the same nonce can be executed.
 */
export type SolanaTransaction = {
  /** The hot wallet: it pays the fee, deposits rent, and is the authority of its nonce accounts. */
  readonly payer: SolanaSigner
  readonly lifetime: SolanaLifetime
  readonly steps: readonly SolanaStep[]
  /** The most compute units it may use, and the price of one in millionths of a lamport. Unused units are paid too. */
  readonly computeLimit: bigint
  readonly computePrice: bigint
}

const signatureFeeUnits = 5_000n
const microLamports = 1_000_000n

/** The fee of a transaction in lamports, for each signature and for the compute limit. It is charged even if a step fails. */
export function solanaFee(signatures: number, computeLimit: bigint, computePrice: bigint): bigint {
  return BigInt(signatures) * signatureFeeUnits + divide(computeLimit * computePrice, microLamports, 'up')
}

/** Who must sign a plan, the payer first. */
export function signersOf({
  payer,
  steps,
}: Pick<SolanaTransaction, 'payer' | 'steps'>): readonly SolanaSigner[] {
  const byAddress = new Map([[payer.address, payer]])
  for (const step of steps) {
    const signer = 'from' in step ? step.from : step.kind === 'close' ? step.owner : payer
    if (!byAddress.has(signer.address)) byAddress.set(signer.address, signer)
  }
  return [...byAddress.values()]
}

/** The fee of a plan. */
export function solanaFeeOf(plan: SolanaTransaction): bigint {
  return solanaFee(signersOf(plan).length, plan.computeLimit, plan.computePrice)
}

/** The most that a plan deposits for accounts of others. Accounts that exist already cost nothing. */
export function solanaRentOf({ steps }: Pick<SolanaTransaction, 'steps'>): bigint {
  return steps.reduce((sum, step) => (step.kind === 'open' ? sum + step.rentUnits : sum), 0n)
}
