import type { BlockRef } from './chain.ts'
import { divide } from './money.ts'
import type { GateId } from './networks/network.ts'

/** Which of our keys an input or account belongs to: of a deposit address, or of our own change and hot wallet. */
export type KeyPath = { readonly chain: 'deposit' | 'own'; readonly index: number }

/** The hot wallet of a network with accounts. */
export const hotKey: KeyPath = { chain: 'own', index: 0 }

/** An output of ours that can be spent. */
export type Coin = {
  readonly txHash: string
  readonly outputIndex: number
  readonly units: bigint
  readonly key: KeyPath
}

/** A transaction of coins, ready to be signed: every input whole, outputs in their order. */
export type CoinPlan = {
  readonly kind: 'coins'
  readonly inputs: readonly Coin[]
  readonly outputs: readonly {
    readonly address: string
    readonly units: bigint
    /** The payout it pays; null for our change. */
    readonly payoutId: string | null
  }[]
  /** Which output is our change, and which of our own addresses it goes to; null where nothing comes back. */
  readonly change: { readonly outputIndex: number; readonly index: number } | null
  /** What is left for the network: inputs minus outputs. */
  readonly feeUnits: bigint
}

/** A transfer from an account, ready to be signed. */
export type AccountPlan = {
  readonly kind: 'account'
  readonly from: { readonly address: string; readonly key: KeyPath }
  /** Accounts count their transactions: of two with the same number at most one can be mined. */
  readonly nonce: bigint
  readonly to: { readonly address: string; readonly tag: string | null }
  readonly currency: string
  /** The token's contract or mint; null for the network's own coin. */
  readonly contractAddress: string | null
  readonly units: bigint
  /** How much work the network may do for it, and the most a unit of that work may cost. */
  readonly gasLimit: bigint
  readonly gasPrice: bigint
  /** The most the network takes besides for the transaction's room on another chain (OP stack); left out where nothing. */
  readonly dataFeeUnits?: bigint
  /** The payout it pays; null when it moves coins between our own addresses. */
  readonly payoutId: string | null
}

export type SpendPlan = CoinPlan | AccountPlan

/** The most the network can take for a plan, in its own coin. */
export function maxFeeOf(plan: SpendPlan): bigint {
  return plan.kind === 'coins' ? plan.feeUnits : feeOf(plan, plan.gasPrice)
}

/** How much work the network may do for a transfer, and what it takes besides. */
export type GasBudget = Pick<AccountPlan, 'gasLimit' | 'dataFeeUnits'>

/** The most that so much work costs at a price. */
export function feeOf({ gasLimit, dataFeeUnits = 0n }: GasBudget, gasPrice: bigint): bigint {
  return gasLimit * gasPrice + dataFeeUnits
}

/**
 * Whether a plan only uses up its account's number: it pays nothing, to its own account, so that what was planned for that
 * number before can never be mined.
 */
export function isCancelling(plan: SpendPlan): boolean {
  return plan.kind === 'account' && plan.units === 0n && plan.to.address === plan.from.address
}

/** What is claimed for the network once this is planned too: any of the attempts may be the one that is mined. */
export function claimWith(claimedUnits: bigint, plan: SpendPlan): bigint {
  const fee = maxFeeOf(plan)
  if (fee > claimedUnits) return fee
  return claimedUnits
}

// Nodes take a replacement only for clearly more (BIP-125; geth wants a tenth).
const leastRise = { times: 5n, of: 4n }

/** Whether a new fee is so much more than an old one that networks take its transaction in the other's place. */
export function isClearlyMore(oldUnits: bigint, newUnits: bigint): boolean {
  return newUnits >= replacingPrice(oldUnits)
}

/** The least price of a unit of work at which networks take a transaction in the place of one at this price. */
export function replacingPrice(oldPrice: bigint): bigint {
  return divide(oldPrice * leastRise.times, leastRise.of, 'up')
}

/** Why an attempt is not signed. For good: neither time nor what else happens will change it. */
export type Refusal = { readonly reason: string; readonly isForGood: boolean }

/** What a transfer takes from its account at most, by currency; `native` is the coin that fees are paid in. */
export function claimsOf(plan: AccountPlan, native: string): Map<string, bigint> {
  const claimed = new Map([[plan.currency, plan.units]])
  return claimed.set(native, (claimed.get(native) ?? 0n) + maxFeeOf(plan))
}

/** What a spend is for, in the glossary's words. */
export type SpendKind = 'payout' | 'sweep' | 'gas' | 'absorb' | 'consolidation' | 'fill'
/** `reverted`: mined, and nothing moved but the fee, since it failed there or only used its number up. */
export type SpendStatus = 'open' | 'final' | 'reverted' | 'dead'

/** Signed bytes, and the hash by which the network will know them. */
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
  /** What it moves from its account, apart from the fee; null where coins are spent. */
  readonly moved: { readonly currency: string; readonly units: bigint } | null
  /** Of what has ended. The block is null while no block is known to hold it, after a reorganisation. */
  readonly mined: { readonly hash: string; readonly block: BlockRef | null } | null
  /** What the network took, in its own coin; known once it is mined. */
  readonly feeUnits: bigint | null
  /** Since when its account has less than it sends and pays, as far as that was looked at; null while it has enough. */
  readonly shortSince: Date | null
  readonly transactions: readonly SpendTransaction[]
}

/** What has become of a spend's transactions on the node's present branch. */
export type Fate =
  /** Neither waiting nor in a block: it may be sent, or sent again. Says nothing about what comes. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'waiting'; readonly hash: string }
  | {
      readonly kind: 'mined'
      readonly hash: string
      readonly block: BlockRef
      /** What the network took, in its own coin. */
      readonly feeUnits: bigint
      /** False when the network ran it and it failed: nothing moved but the fee. */
      readonly succeeded: boolean
    }
  /** What it spends was spent by another transaction in this block, so that while the block stands it cannot be mined. */
  | { readonly kind: 'ruled_out'; readonly block: BlockRef; readonly reason: string }

/** Splits what the network took among payouts that shared a transaction: equal parts, the first ones bear what is left over. */
export function splitFee(feeUnits: bigint, count: number): bigint[] {
  const share = feeUnits / BigInt(count)
  const rest = Number(feeUnits - share * BigInt(count))
  return Array.from({ length: count }, (_, at) => share + (at < rest ? 1n : 0n))
}

const integers: ReadonlySet<string> = new Set([
  'units',
  'feeUnits',
  'nonce',
  'gasLimit',
  'gasPrice',
  'dataFeeUnits',
])

/** A plan as it is kept: integers as decimal text, since JSON numbers lose digits. */
export function planToJson(plan: SpendPlan): string {
  return JSON.stringify(plan, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
}

export function planFromJson(text: string): SpendPlan {
  return JSON.parse(text, (name, value) => (integers.has(name) ? BigInt(value) : value))
}
