import type { SignedTransaction, SpendPlan } from '../../src/domain/spends.ts'
import type { DepositAddress, Destination } from '../../src/gates/family.ts'
import type { Gate, WatchedAddresses } from '../../src/gates/gate.ts'

export type Paid = {
  readonly to: DepositAddress
  readonly currency: string
  readonly units: bigint
}

/** Where transactions of replaced blocks go that are not dropped: stay at their height, move to another, wait again. */
export type AfterReorganisation = 'same_height' | 'next_height' | 'mempool'

/** Counts how often it is asked. */
export type CountingWatch = WatchedAddresses & { readonly asked: readonly (readonly string[])[] }

/** What a transaction of ours does. Two of one purse with the same number use the same. */
export type Sending = {
  readonly to: DepositAddress
  readonly units: bigint
  /** How often more than the least it pays the network. */
  readonly feeTimes?: bigint
  /** How many transactions of this purse come before it. */
  readonly number?: number
}

/** Money of ours in mined transactions, and the keys to it. */
export type Purse = {
  /** For an account, its address. */
  readonly address: string
  sign(sending: Sending): { readonly signed: SignedTransaction; readonly plan: SpendPlan }
}

/** A gate on a chain of its own, and the means to make that chain do things. */
export type GateHarness = {
  /** The gate; another one after a restart. */
  readonly gate: Gate
  /** Deposit address number `index` of ours. */
  deposit(index: number): DepositAddress
  /** Somebody else's address. */
  readonly stranger: DepositAddress
  /** Watches exactly these. */
  watch(addresses: readonly DepositAddress[]): CountingWatch
  /** One transaction with one transfer for each entry, in the mempool when this returns. */
  pay(paid: readonly Paid[]): Promise<string>
  mine(count: number): Promise<void>
  /** Replaces the last `depth` blocks by one more. */
  reorganise(
    depth: number,
    options?: { drop?: readonly string[]; others?: AfterReorganisation },
  ): Promise<void>
  /** Spends the coins of a waiting transaction otherwise, so that only the new one can be mined. */
  replace(txHash: string, paid: readonly Paid[]): Promise<string>
  /** A purse with enough for some transactions of a million units. */
  purse(): Promise<Purse>
  /** Takes the node away, and brings it back. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Ends everything that is ours and starts anew on the same chain. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** What is known of a gate before it runs. What its chain cannot do has no tests, instead of tests that are skipped. */
export type GateTraits = {
  readonly currencies: readonly string[]
  /** An amount of the first currency beyond 2^53 units that can be paid; null where not so much exists. */
  readonly largeUnits: bigint | null
  /** Whether deposit addresses come from a public key, or from the seed alone. */
  readonly derivesAddresses: boolean
  /** Whether all share one account and a tag tells them apart. */
  readonly tagged: boolean
  /** Whether one transaction can hold several transfers. */
  readonly severalTransfers: boolean
  readonly replaces: boolean
  /** What its transactions use: coins, or the numbers of an account. */
  readonly spends: 'coins' | 'account'
  /** Whether a reorganisation can drop a transaction for good. */
  readonly drops: boolean
  readonly reorganisations: readonly AfterReorganisation[]
  readonly destinations: {
    readonly good: readonly { text: string; tag: string | null; reads: Destination }[]
    readonly bad: readonly { text: string; tag: string | null; because: string }[]
  }
  /** How the payment link writes this amount of the first currency. */
  readonly written: { readonly units: bigint; readonly as: string }
}
