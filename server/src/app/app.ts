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
import type { JobKind } from '../store/jobs.ts'
import type { Shortfall } from '../store/native-balances.ts'
import type { Store } from '../store/store.ts'
import type { AddressBook } from './addresses/address-book.ts'
import type { GateBook } from './gates/gate-book.ts'
import type { RateBook } from './rates/rate-book.ts'

/** How this process follows chains and does the work that comes of it. */
export type Following = {
  /** Names this process among those that follow. */
  readonly holder: string
  /** The deepest reorganisation that is followed; a deeper one halts the gate. */
  readonly maxDepth: number
  readonly onHalt: (gate: Gate, reason: string) => void
  /** An address has less on chain than it should: nothing is booked by it. */
  readonly onShortfall: (gate: Gate, shortfall: Shortfall) => void
  /** What addresses have could not be read at a block; it is read again at the next one. */
  readonly onBalancesUnknown: (gate: Gate, block: BlockRef) => void
  readonly onJobFailed: (kind: JobKind, subject: string, error: unknown) => void
}

/** How this process sends money out. */
export type SpendingPolicy = {
  /** How long a transaction may wait before it is tried at a higher fee. */
  readonly bumpAfterMs: number
  /** How long a refusal of the signer that will not pass by itself is left to people before the payout is cancelled. */
  readonly cancelAfterMs: number
  /** By gate, when small coins are joined; a gate without an entry leaves them as they are. */
  readonly consolidation: ReadonlyMap<GateId, ConsolidationPolicy>
  readonly onLookFailed: (spend: Spend, error: unknown) => void
  /** An approved payout cannot go on at present. */
  readonly onWaits: (payout: Payout, reason: string) => void
  /** The network does not take a transaction at present. */
  readonly onRefused: (gate: Gate, spendId: string, reason: string) => void
  /** By network, the most that the signer allows for one transaction, as this process is told. */
  readonly maxFees: ReadonlyMap<string, bigint>
  /** What would be sent at a higher fee waits instead, as that would cost too much. */
  readonly onRaiseWaits: (gate: Gate, spendId: string, reason: string) => void
  /** What gathering a deposit may cost of what it is worth, where no payout waits for it; 0: never then. */
  readonly sweepMaxCostBps: number
  /** For how many sweeps the operator's float should do. */
  readonly floatSweeps: number
  /** The float no longer does; amounts in words. */
  readonly onFloatLow: (
    gate: Gate,
    what: { readonly float: string; readonly needed: string; readonly hotAddress: string },
  ) => void
  /** It does again. */
  readonly onFloatEnough: (gate: Gate) => void
  /** The block of a transaction that was booked as done was replaced, and it waits for another one. */
  readonly onWaitsAgain: (gate: Gate, spendId: string, hash: string) => void
  /** A coin of the books is not on the node's chain to be spent; it is set aside until it is. */
  readonly onCoinMissing: (
    gate: Gate,
    coin: { readonly txHash: string; readonly outputIndex: number },
  ) => void
  /** A number that is free again, although what was planned for it has ended, is being used up. */
  readonly onFilled: (gate: Gate, number: bigint) => void
  /**
   * A transaction was mined after all whose spend had ended, as it seemed ruled out for good. `isBooked`: what it took is
   * booked to the operator's float.
   */
  readonly onReturned: (gate: Gate, spendId: string, hash: string, isBooked: boolean) => void
  /** A transaction that was booked as done can never be mined any more. */
  readonly onUndone: (gate: Gate, spendId: string, reason: string) => void
}

/** What sending webhooks needs. */
export type Webhooks = {
  readonly client: WebhookClient
  /** Why webhooks cannot be sent to an address, or null. */
  checkTarget(url: string, environment: Environment): Promise<string | null>
  /** Seals secrets at rest; null when the operator has not set one. */
  readonly sealKey: Buffer | null
}

/** How people are let in and written to. */
export type PeoplePolicy = {
  /** Whether this service sends mail. */
  readonly sendsMail: boolean
  /** Seals secrets at rest; null when the operator has not set one. */
  readonly sealKey: Buffer | null
  /** Where people find the service: its origin, without a slash at the end. */
  url(): string
}

/** What every use case is given: the store, time, chance, the gates, and the public data the process keeps in memory. */
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
  /** The wire form of what events carry. */
  readonly present: {
    invoice(invoice: Invoice): object
    payout(payout: Payout): object
    refund(refund: Refund): object
  }
}
