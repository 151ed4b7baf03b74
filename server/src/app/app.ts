import type { AssetRegistry } from '../domain/assets.ts'
import type { BlockRef } from '../domain/chain.ts'
import type { ConsolidationPolicy } from '../domain/coin-consolidation.ts'
import type { Environment } from '../domain/environment.ts'
import type { Invoice } from '../domain/invoices.ts'
import type { GateId } from '../domain/networks/network.ts'
import type { Payout, Refund } from '../domain/payouts.ts'
import type { Spend } from '../domain/spends.ts'
import type { Gate } from '../gates/gate.ts'
import type { WebhookClient } from '../outbound/webhooks/webhook-client.ts'
import type { Shortfall } from '../store/chains/native-balances.ts'
import type { JobKind } from '../store/jobs.ts'
import type { Store } from '../store/store.ts'
import type { AddressBook } from './addresses/address-book.ts'
import type { GateBook } from './gates/gate-book.ts'
import type { RateBook } from './rates/rate-book.ts'

/** How this process follows chains and runs the resulting jobs. */
export type Following = {
  /** Identifies this process among those that follow chains. */
  readonly holder: string
  /** The deepest reorganisation to follow; a deeper one halts the gate. */
  readonly maxDepth: number
  readonly onHalt: (gate: Gate, reason: string) => void
  /** An address holds less on chain than expected. This is only reported, not booked. */
  readonly onShortfall: (gate: Gate, shortfall: Shortfall) => void
  /** Balances could not be read at a block; they are read again at the next one. */
  readonly onBalancesUnknown: (gate: Gate, block: BlockRef) => void
  readonly onJobFailed: (kind: JobKind, subject: string, error: unknown) => void
}

/** How this process sends money out. */
export type SpendingPolicy = {
  /** How long a transaction may wait before it is replaced at a higher fee. */
  readonly bumpAfterMs: number
  /** How long people have to resolve a problem that will not pass by itself before the payout is cancelled. */
  readonly cancelAfterMs: number
  /** When to consolidate small coins, by gate; a gate without an entry never does. */
  readonly consolidation: ReadonlyMap<GateId, ConsolidationPolicy>
  readonly onLookFailed: (spend: Spend, error: unknown) => void
  /** A payout cannot continue at present. */
  readonly onWaits: (payout: Payout, reason: string) => void
  /** The network does not accept a transaction at present. */
  readonly onRefused: (gate: Gate, spendId: string, reason: string) => void
  /** By network, the highest fee that the signer allows for one transaction, as configured for this process. */
  readonly maxFees: ReadonlyMap<string, bigint>
  /** A transaction is not raised to a higher fee, because that would cost too much. */
  readonly onRaiseWaits: (gate: Gate, spendId: string, reason: string) => void
  /** The highest cost of a sweep relative to its value while no payout waits for it; 0 turns such sweeps off. */
  readonly sweepMaxCostBps: number
  /** How many sweeps the operator's float should cover. */
  readonly floatSweeps: number
  /** The float no longer covers that; amounts are formatted with their currency. */
  readonly onFloatLow: (
    gate: Gate,
    what: { readonly float: string; readonly needed: string; readonly hotAddress: string },
  ) => void
  /** The float covers it again. */
  readonly onFloatEnough: (gate: Gate) => void
  /** A reorganisation replaced the block of a transaction that was booked as done; it waits for another block. */
  readonly onWaitsAgain: (gate: Gate, spendId: string, hash: string) => void
  /** A coin in the books is not spendable on the node's chain; it is set aside until it is. */
  readonly onCoinMissing: (
    gate: Gate,
    coin: { readonly txHash: string; readonly outputIndex: number },
  ) => void
  /** A nonce that is free again although its spend has ended is being filled. */
  readonly onFilled: (gate: Gate, number: bigint) => void
  /**
   * A transaction was mined after all although its spend had ended as ruled out. `isBooked`: the amount it took is booked to
   * the operator's float.
   */
  readonly onReturned: (gate: Gate, spendId: string, hash: string, isBooked: boolean) => void
  /** A transaction that was booked as done cannot come back by itself. */
  readonly onUndone: (gate: Gate, spendId: string, reason: string) => void
}

/** The dependencies of sending webhooks. */
export type Webhooks = {
  readonly client: WebhookClient
  /** Why webhooks cannot be sent to an address, or null. */
  checkTarget(url: string, environment: Environment): Promise<string | null>
  /** Seals secrets at rest; null when the operator has not set one. */
  readonly sealKey: Buffer | null
}

/** How people sign in and get mail. */
export type PeoplePolicy = {
  /** Whether this service sends mail. */
  readonly sendsMail: boolean
  /** Seals secrets at rest; null when the operator has not set one. */
  readonly sealKey: Buffer | null
  /** The public origin of the service, without a trailing slash. */
  url(): string
}

/** What every use case is given: the store, time, randomness, the gates, and the public data the process keeps in memory. */
export type App = {
  readonly store: Store
  /** Runs `work` in one transaction; it may run again after a deadlock. */
  transaction<T>(work: (tx: Store) => Promise<T>): Promise<T>
  /** The database's time, as this process knows it. */
  now(): Date
  random(size: number): Buffer
  readonly assets: AssetRegistry
  readonly rates: RateBook
  readonly gates: GateBook
  readonly addresses: AddressBook
  readonly following: Following
  readonly spending: SpendingPolicy
  readonly webhooks: Webhooks
  readonly people: PeoplePolicy
  /** Converts resources to their wire form, for events. */
  readonly present: {
    invoice(invoice: Invoice): object
    payout(payout: Payout): object
    refund(refund: Refund): object
  }
}
