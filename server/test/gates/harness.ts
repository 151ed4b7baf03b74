import type { SignedTransaction, SpendPlan } from '../../src/domain/spends.ts'
import type { DepositAddress, Destination } from '../../src/gates/family.ts'
import type { Gate, WatchedAddresses } from '../../src/gates/gate.ts'

export type Paid = {
  readonly to: DepositAddress
  readonly currency: string
  readonly units: bigint
}

/**
 * What happens to transactions of replaced blocks that are not dropped: they stay at their height, move to another, or are
 * pending again.
 */
export type AfterReorganisation = 'same_height' | 'next_height' | 'mempool'

/** Records every lookup. */
export type CountingWatch = WatchedAddresses & { readonly asked: readonly (readonly string[])[] }

/** A transaction of ours. Two from one purse with the same `nth` use the same coins or nonce. */
export type Sending = {
  readonly to: DepositAddress
  readonly units: bigint
  /** How many times the minimum fee it pays. */
  readonly feeTimes?: bigint
  /** How many transactions of this purse come before it. */
  readonly nth?: number
}

/** Funds of ours in mined transactions, and the keys to them. */
export type Purse = {
  /** For an account, its address. */
  readonly address: string
  sign(sending: Sending): { readonly signed: SignedTransaction; readonly plan: SpendPlan }
}

/** A gate on a chain of its own, and the means to control that chain. */
export type GateHarness = {
  /** The gate; another instance after a restart. */
  readonly gate: Gate
  /** Our deposit address with this index. */
  deposit(index: number): DepositAddress
  /** An address that is not ours. */
  readonly stranger: DepositAddress
  /** Watches exactly these addresses. */
  watch(addresses: readonly DepositAddress[]): CountingWatch
  /** One transaction with one transfer for each entry, in the mempool when this returns. */
  pay(paid: readonly Paid[]): Promise<string>
  mine(count: number): Promise<void>
  /** Replaces the last `depth` blocks by one block more. */
  reorganise(
    depth: number,
    options?: { drop?: readonly string[]; others?: AfterReorganisation },
  ): Promise<void>
  /** Spends the coins of a pending transaction in another one, so that only the new one can be mined. */
  replace(txHash: string, paid: readonly Paid[]): Promise<string>
  /** A purse with enough for some transactions of a million units. */
  purse(): Promise<Purse>
  /** Makes the node unreachable and reachable again. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Closes everything of ours and starts again on the same chain. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** What is known of a gate before it runs. A feature that its chain lacks has no tests, rather than skipped ones. */
export type GateTraits = {
  readonly currencies: readonly string[]
  /** An amount of the first currency beyond 2^53 units that can be paid; null if that much does not exist. */
  readonly largeUnits: bigint | null
  /** Whether deposit addresses derive from a public key; otherwise they need the seed. */
  readonly derivesAddresses: boolean
  /** Whether all deposit addresses share one account and differ by tag. */
  readonly tagged: boolean
  /** Whether one transaction can hold several transfers. */
  readonly severalTransfers: boolean
  readonly replaces: boolean
  /** Whether a transaction's transfers are numbered from 0, so that a test knows the index; otherwise the gate chooses it. */
  readonly plainIndexes: boolean
  /**
   * What its transactions use up: coins, the nonces of an account, or the values of nonce accounts. Null for a gate that only
   * reads: then nothing is said about sending.
   */
  readonly spends: 'coins' | 'account' | 'nonce_account' | null
  /**
   * Whether its chain makes blocks without being told to: what is sent is executed at once, and `mine` waits for blocks. Then
   * nothing is ever seen waiting, and a nonce is not known before the one in front of it was used.
   */
  readonly runsByItself?: true
  /** Whether a reorganisation can drop a transaction for good. */
  readonly drops: boolean
  readonly reorganisations: readonly AfterReorganisation[]
  readonly destinations: {
    readonly good: readonly { text: string; tag: string | null; reads: Destination }[]
    readonly bad: readonly { text: string; tag: string | null; because: string }[]
  }
  /** The notation of this amount of the first currency in a payment link. */
  readonly written: { readonly units: bigint; readonly as: string }
}
