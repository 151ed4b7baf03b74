import type { Prover } from '../domain/address-proofs.ts'
import type { AssetRegistry } from '../domain/assets.ts'
import type { ConsolidationPolicy } from '../domain/coin-consolidation.ts'
import type { ColdPolicy } from '../domain/cold-wallets.ts'
import type { Environment } from '../domain/environment.ts'
import type { Invoice } from '../domain/invoices.ts'
import type { GateId } from '../domain/networks/network.ts'
import type { Payout, Refund } from '../domain/payouts.ts'
import type { Safeguard, SpendingLimit } from '../domain/spending-limits.ts'
import type { WebhookClient } from '../outbound/webhooks/webhook-client.ts'
import type { Store } from '../store/store.ts'
import type { Tracer } from '../tracing/span.ts'
import type { AddressBook } from './addresses/address-book.ts'
import type { AddressProofs } from './addresses/address-proofs.ts'
import type { GateBook } from './gates/gate-book.ts'
import type { RateBook } from './rates/rate-book.ts'
import type { Reports } from './reports.ts'

/** How this process follows chains and runs the resulting jobs. */
export type Following = {
  /** Identifies this process among those that follow chains. */
  readonly holder: string
  /** The deepest reorganisation to follow; a deeper one halts the gate. */
  readonly maxDepth: number
}

/** How this process sends money out. */
export type SpendingPolicy = {
  /** How long a transaction may wait before it is replaced at a higher fee. */
  readonly bumpAfterMs: number
  /** How long people have to resolve a problem that will not pass by itself before the payout is cancelled. */
  readonly cancelAfterMs: number
  /** When to consolidate small coins, by gate; a gate without an entry never does. */
  readonly consolidation: ReadonlyMap<GateId, ConsolidationPolicy>
  /** When funds go to the operator's cold wallet, by gate; on a gate without an entry they never do. */
  readonly cold: ReadonlyMap<GateId, ColdPolicy>
  /** By network, the highest fees of a day that the signer allows for each kind, as configured for this process. */
  readonly maxFeesPerDay: ReadonlyMap<string, bigint>
  /** By network, the highest fee that the signer allows for one transaction, as configured for this process. */
  readonly maxFees: ReadonlyMap<string, bigint>
  /** The highest cost of a sweep relative to its value while no payout waits for it; 0 turns such sweeps off. */
  readonly sweepMaxCostBps: number
  /** How many sweeps the operator's float should cover. */
  readonly floatSweeps: number
}

/** What bounds live payouts, as configured for this process. */
export type Safeguards = {
  readonly waived: readonly Safeguard[]
  readonly limits: readonly SpendingLimit[]
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
  /** Whether a live gate is configured: what belongs to no environment then decides about real money too. */
  readonly handlesMoney: boolean
  /** Seals secrets at rest; null when the operator has not set one. */
  readonly sealKey: Buffer | null
  /** The public origin of the service, without a trailing slash. */
  url(): string
}

/** What every use case is given: the store, time, randomness, the gates, and the public data the process keeps in memory. */
export type App = {
  readonly store: Store
  /** Reports to the operator's log. */
  readonly reports: Reports
  /** Shows what happens in a trace, if the operator wants traces. */
  readonly tracer: Tracer
  /**
   * Reads what may come from a replica: lists, exports and sums that people look at. Never what a decision rests on. `read`
   * may run twice.
   */
  reading<T>(read: (store: Store) => Promise<T>): Promise<T>
  /** Runs `work` in one transaction; it may run again after a deadlock. */
  transaction<T>(work: (tx: Store) => Promise<T>): Promise<T>
  /** The database's time, as this process knows it. */
  now(): Date
  random(size: number): Buffer
  readonly assets: AssetRegistry
  readonly rates: RateBook
  readonly gates: GateBook
  readonly addresses: AddressBook
  readonly proofs: AddressProofs
  /** Proves what this service derived from its wallet; null without a secret key. */
  readonly prover: Prover | null
  readonly following: Following
  readonly spending: SpendingPolicy
  readonly safeguards: Safeguards
  /** How long a change that relaxes a live payout policy waits before it applies. */
  readonly weakeningDelayMs: number
  readonly webhooks: Webhooks
  readonly people: PeoplePolicy
  /** Converts resources to their wire form, for events. */
  readonly present: {
    invoice(invoice: Invoice): object
    payout(payout: Payout): object
    refund(refund: Refund): object
  }
}
