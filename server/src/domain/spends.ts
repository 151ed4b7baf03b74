import type { BlockRef } from './chain.ts'
import type { KeyPath } from './key-path.ts'
import { divide } from './money.ts'
import type { GateId } from './networks/network.ts'
import { solanaFee, type TokenProgram } from './solana-transaction.ts'

export type { KeyPath } from './key-path.ts'

/** The hot wallet of a network with accounts. */
export const hotKey: KeyPath = { chain: 'own', index: 0 }

/** An unspent output of ours. */
export type Coin = {
  readonly txHash: string
  readonly outputIndex: number
  readonly units: bigint
  readonly key: KeyPath
}

/** A transaction that spends coins, ready to be signed: inputs are spent whole, and the order of outputs is fixed. */
export type CoinPlan = {
  readonly kind: 'coins'
  /** In a refill, the keys of these coins are the cold wallet's, not ours. */
  readonly inputs: readonly Coin[]
  readonly outputs: readonly {
    readonly address: string
    readonly units: bigint
    /** The payout it pays; null for our change and for the cold wallet. */
    readonly payoutId: string | null
  }[]
  /** Which output is our change (or a refill's to us), and which of our own addresses it goes to; null where there is none. */
  readonly change: { readonly outputIndex: number; readonly index: number } | null
  /**
   * Which output goes to the cold wallet, and which of its addresses it pays; a null index for a cold wallet that is a
   * single address. Left out where nothing goes there.
   */
  readonly cold?: { readonly outputIndex: number; readonly index: number | null }
  /** The network fee: inputs minus outputs. */
  readonly feeUnits: bigint
}

/** What every transfer between accounts says, on all networks. */
export type TransferPlan = {
  /** Whose transaction it is. On Solana always the hot wallet, which pays the fee of sweeps too. */
  readonly from: { readonly address: string; readonly key: KeyPath }
  readonly to: { readonly address: string; readonly tag: string | null }
  readonly currency: string
  /** The token's contract or mint; null for the native currency. */
  readonly contractAddress: string | null
  readonly units: bigint
  /** The payout it pays; null when it moves funds between our own addresses. */
  readonly payoutId: string | null
}

/** A transfer from an account whose transactions are numbered, ready to be signed. */
export type AccountPlan = TransferPlan & {
  readonly kind: 'account'
  /** Of two transactions of an account with the same nonce, at most one can be mined. */
  readonly nonce: bigint
  /** The most gas it may use, and the most a unit of gas may cost. */
  readonly gasLimit: bigint
  readonly gasPrice: bigint
  /** The highest L1 data fee, charged besides gas (OP stack); left out where there is none. */
  readonly dataFeeUnits?: bigint
}

/** A deposit address that a transaction on Solana empties, and that signs it. */
export type SolanaSource = {
  readonly address: string
  readonly key: KeyPath
  readonly units: bigint
}

/** A transfer on Solana, ready to be signed. The hot wallet always pays the fee. */
export type SolanaPlan = TransferPlan & {
  readonly kind: 'solana'
  readonly lifetime:
    | {
        /** Executed at most once, while the hot wallet's nonce account with this index holds this value. */
        readonly kind: 'nonce'
        readonly index: number
        readonly value: string
      }
    /** Creates the nonce account with this index, which can happen once, and only soon after the block with this hash. */
    | {
        readonly kind: 'creation'
        readonly index: number
        readonly blockhash: string
        /** The height of the last block that it can be in. */
        readonly lastValidHeight: bigint
      }
  /** The program that keeps the token, and its decimals; null for SOL. */
  readonly token: { readonly program: TokenProgram; readonly decimals: number } | null
  /**
   * The addresses that are emptied, which add up to `units`; their token accounts are closed, for the rent. Left out where
   * the hot wallet itself pays.
   */
  readonly sources?: readonly SolanaSource[]
  /** What the hot wallet deposits, in lamports, for the account that it opens: the receiver's token account, or a nonce account. */
  readonly rentUnits: bigint
  /** The most compute units it may use, and the price of one in millionths of a lamport. Unused ones are paid too. */
  readonly computeLimit: bigint
  readonly computePrice: bigint
}

export type SpendPlan = CoinPlan | AccountPlan | SolanaPlan

/** The highest network fee of a plan, in the native currency, with the rent of accounts that it opens. */
export function maxFeeOf(plan: SpendPlan): bigint {
  if (plan.kind === 'coins') return plan.feeUnits
  return plan.kind === 'account'
    ? feeOf(plan, plan.gasPrice)
    : feeOf({ ...plan, signatures: 1 + (plan.sources?.length ?? 0) }, plan.computePrice)
}

/** The gas limit of a transfer, and the data fee that comes on top. */
export type GasBudget = Pick<AccountPlan, 'gasLimit' | 'dataFeeUnits'>

/** What a transfer on Solana takes: compute units, rent, and signatures. */
export type ComputeBudget = Pick<SolanaPlan, 'computeLimit' | 'rentUnits'> & { readonly signatures: number }

/** What a transfer takes from the network, apart from the price of the moment. */
export type Budget = GasBudget | ComputeBudget

/** The highest fee of a budget at this price of gas or of compute units. */
export function feeOf(budget: Budget, price: bigint): bigint {
  return 'gasLimit' in budget
    ? budget.gasLimit * price + (budget.dataFeeUnits ?? 0n)
    : solanaFee(budget.signatures, budget.computeLimit, price) + budget.rentUnits
}

/**
 * Whether a plan only uses up its account's nonce: it sends nothing to its own account, so that an earlier transaction
 * with that nonce can never be mined.
 */
export function isCancelling(plan: SpendPlan): boolean {
  return plan.kind !== 'coins' && plan.units === 0n && plan.to.address === plan.from.address
}

/** The network fee to claim once this attempt is planned too. It covers every attempt, since any of them may be mined. */
export function claimWith(claimedUnits: bigint, plan: SpendPlan): bigint {
  const fee = maxFeeOf(plan)
  if (fee > claimedUnits) return fee
  return claimedUnits
}

// Nodes accept a replacement only for a clearly higher fee (BIP-125; geth requires 10% more).
const leastRise = { times: 5n, of: 4n }

/** Whether a new fee is high enough for networks to replace a transaction that pays the old one. */
export function isClearlyMore(oldUnits: bigint, newUnits: bigint): boolean {
  return newUnits >= replacingPrice(oldUnits)
}

/** The lowest gas price at which networks replace a transaction that pays `oldPrice`. */
export function replacingPrice(oldPrice: bigint): bigint {
  return divide(oldPrice * leastRise.times, leastRise.of, 'up')
}

/** Why an attempt is not signed. A refusal is for good when neither time nor other events can change it. */
export type Refusal = { readonly reason: string; readonly isForGood: boolean }

/** The most a transfer takes from its account, by currency; `native` is the currency of the fee. */
export function claimsOf(plan: AccountPlan | SolanaPlan, native: string): Map<string, bigint> {
  const claimed = new Map([[plan.currency, plan.units]])
  return claimed.set(native, (claimed.get(native) ?? 0n) + maxFeeOf(plan))
}

/** What a plan moves to the cold wallet, without the fee. */
export function coldUnitsOf(plan: SpendPlan): bigint {
  if (plan.kind !== 'coins') return plan.units
  const output = plan.cold === undefined ? undefined : plan.outputs[plan.cold.outputIndex]
  if (output === undefined) throw new Error('The plan pays no cold wallet.')
  return output.units
}

/** What a refill takes out of the cold wallet: what arrives in the hot wallet, and the fee. */
export function refillUnitsOf(plan: SpendPlan): bigint {
  const output =
    plan.kind === 'coins' && plan.change !== null ? plan.outputs[plan.change.outputIndex] : undefined
  if (output === undefined) throw new Error('The plan brings nothing to the hot wallet.')
  return output.units + maxFeeOf(plan)
}

/** What a spend is for; the glossary explains each kind. */
export type SpendKind =
  | 'payout'
  | 'sweep'
  | 'gas'
  | 'absorb'
  | 'consolidation'
  | 'fill'
  | 'cold'
  | 'refill'
  | 'nonce'
  | 'trust'
/** `reverted`: it was mined, but only the fee moved, because it failed or only used up its nonce. */
export type SpendStatus = 'open' | 'final' | 'reverted' | 'dead'

/** Signed bytes, and the transaction hash that they have on the network. */
export type SignedTransaction = { readonly hash: string; readonly bytes: Uint8Array }

/** One attempt of a spend: planned, then signed, then sent. */
export type SpendTransaction = {
  readonly spendId: string
  readonly attempt: number
  readonly plan: SpendPlan
  readonly maxFeeUnits: bigint
  readonly signed: SignedTransaction | null
  readonly refusal: string | null
  readonly plannedAt: Date
  readonly sentAt: Date | null
}

export type Spend = {
  readonly id: string
  readonly gateId: GateId
  readonly kind: SpendKind
  readonly status: SpendStatus
  readonly afterSpendId: string | null
  /** What it moves from its account, without the fee; null where it spends coins. */
  readonly moved: { readonly currency: string; readonly units: bigint } | null
  /** Set once the spend has ended by being mined. After a reorganisation the block is null until it is found again. */
  readonly mined: { readonly hash: string; readonly block: BlockRef | null } | null
  /** The network fee in the native currency; known once it is mined. */
  readonly feeUnits: bigint | null
  /** When its account was first found to hold less than the spend sends and pays; null while it holds enough. */
  readonly shortSince: Date | null
  readonly transactions: readonly SpendTransaction[]
}

/** Whether the hot wallet pays a spend's fee. A sweep's fee is paid by the address that it empties, except on Solana. */
export function hotPaysFee({ kind, transactions }: Pick<Spend, 'kind' | 'transactions'>): boolean {
  return kind !== 'sweep' || transactions.at(-1)?.plan.kind === 'solana'
}

/** What has become of a spend's transactions on the node's current branch. */
export type Fate =
  /** Neither waiting nor in a block: it may be sent, or sent again. It may still be mined later. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'waiting'; readonly hash: string }
  | {
      readonly kind: 'mined'
      readonly hash: string
      readonly block: BlockRef
      /**
       * What the network took, in the native currency: its fee and the rent of accounts that were opened, less the rent of those
       * that were closed. May be negative.
       */
      readonly feeUnits: bigint
      /** False when the network executed it and it failed: only the fee moved. */
      readonly succeeded: boolean
    }
  /** Another transaction in this block used the same coins or nonce, so it cannot be mined while that block stands. */
  | { readonly kind: 'ruled_out'; readonly block: BlockRef; readonly reason: string }

/** Splits a network fee among payouts that share a transaction: equal shares, and the first payouts bear the remainder. */
export function splitFee(feeUnits: bigint, count: number): bigint[] {
  const share = feeUnits / BigInt(count)
  const rest = Number(feeUnits - share * BigInt(count))
  return Array.from({ length: count }, (_, at) => share + (at < rest ? 1n : 0n))
}
