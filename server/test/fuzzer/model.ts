import type { Asker, Row } from './client.ts'
import { toUnits } from './money.ts'

/** A currency on a network, as the public list of currencies shows it. */
export type Asset = {
  readonly currency: string
  readonly network: string
  readonly decimals: number
  readonly required: number
  readonly minimum: bigint
  readonly hasTag: boolean
}

/** The merchant's terms, set when it was created, in basis points. */
export type Terms = {
  readonly fee: number
  readonly tolerance: number
  readonly payoutFee: number
  readonly refundFee: number
}

export type Payment = {
  readonly hash: string
  readonly asset: Asset
  readonly units: bigint
  readonly invoice: PricedInvoice
  height: number | null
  /** A reorganisation removed it for good. */
  isDropped: boolean
  credited: 'deposit' | 'late_deposit' | null
  fee: bigint
  /** Seen inside the window. */
  isInTime: boolean
}

export type Invoice = {
  readonly id: string
  readonly merchant: Merchant
  readonly source: 'api' | 'static_address'
  readonly toleranceBps: number
  readonly feeBps: number
  /** Null while the payer of a deferred invoice has not picked one. */
  asset: Asset | null
  amount: bigint | null
  required: number
  address: string
  tag: string | null
  status: string
  isWindowOver: boolean
  readonly payments: Payment[]
  readonly refunds: Refund[]
  /** The ledger entries and events it must have, and the events that it may have in addition. */
  readonly entries: string[]
  events: Record<string, number>
  readonly maybe: Record<string, number>
  wasPaid: boolean
  /** Statuses between which the contract leaves the choice open. */
  loose: Set<string> | null
  /** So much happened to it at once that only its outcome can be checked, not each step. */
  isBlurred: boolean
}

export type PricedInvoice = Invoice & { asset: Asset; amount: bigint }

export type StaticAddress = {
  readonly id: string
  readonly merchant: Merchant
  readonly asset: Asset
  readonly address: string
  readonly tag: string | null
  readonly invoices: Set<PricedInvoice>
}

export type Payout = {
  readonly id: string
  readonly merchant: Merchant
  readonly asset: Asset
  readonly amount: bigint
  readonly fee: bigint
  readonly refund: Refund | null
  /** The reserve for the network's fee, and the actual fee once it is known. */
  estimate: bigint
  actual: bigint | null
  status: string
  /** As it was last read. */
  last: Row
  /** Since when it has not moved, and the tip of its chain at that time. */
  rest: Rest | null
}

export type Rest = {
  readonly sign: string
  readonly tip: number
  /** When enough blocks had been mined for it to move; null until then. */
  enoughAt: number | null
  isReported: boolean
}

export type Refund = {
  readonly id: string
  readonly merchant: Merchant
  readonly invoice: PricedInvoice
  readonly asset: Asset
  readonly amount: bigint
  readonly fee: bigint
  status: string
  payout: Payout | null
}

export type LedgerEntry = {
  readonly id: number
  readonly type: string
  readonly isCredit: boolean
  readonly units: bigint
  readonly network: string
  readonly reference: string
  readonly balance: bigint
  readonly at: string
}

export type ListedEvent = {
  readonly id: string
  readonly name: string
  readonly at: string
  readonly data: Row
  /** The id of the resource that it is about. */
  readonly about: string
}

export type Kept = { readonly body: Row; readonly id: string }

/** A merchant, and everything the run has done as this merchant. */
export class Merchant {
  readonly name: string
  readonly id: string
  readonly api: Asker
  readonly terms: Terms
  readonly invoices = new Map<string, Invoice>()
  readonly addresses = new Map<string, StaticAddress>()
  readonly payouts = new Map<string, Payout>()
  readonly refunds = new Map<string, Refund>()
  /** What was created under each idempotency key. */
  readonly keys = {
    invoice: new Map<string, Kept>(),
    payout: new Map<string, Kept>(),
    refund: new Map<string, Kept>(),
  }
  /** Networks that were taken offline for this merchant. */
  readonly offline = new Set<string>()
  /** The ledger by currency, as far as it was read. */
  readonly ledger = new Map<string, LedgerEntry[]>()
  /** When the ledger was last read, by the clock of this machine, which is the service's too. */
  ledgerReadAt = 0
  readonly events: ListedEvent[] = []
  /** How many of the events have been compared with the balance of their time. */
  eventsWeighed = 0
  readonly eventIds = new Set<string>()
  /** Events from before the webhook receiver existed. */
  eventsBefore = new Set<string>()
  position = '0'
  endpoint = ''
  /** The network fee of the last payout of an asset, used as an estimate. */
  readonly estimates = new Map<Asset, bigint>()
  /** Failed transactions: payouts that share one share its fate. */
  readonly failedTransactions = new Set<string>()

  constructor(fields: Pick<Merchant, 'name' | 'id' | 'api' | 'terms'>) {
    this.name = fields.name
    this.id = fields.id
    this.api = fields.api
    this.terms = fields.terms
  }
}

/** A network's chain: its height, and those of our payments that are on it or wait for it. */
export type Chain = {
  tip: number | null
  readonly payments: Set<Payment>
  /** How often its last blocks were replaced. */
  turns: number
  /** Transactions were dropped for good: a transaction that spends their coins can never be mined. */
  hasDropped: boolean
}

export class Chains extends Map<string, Chain> {
  of(network: string): Chain {
    const known = this.get(network)
    if (known !== undefined) return known
    const fresh: Chain = { tip: null, payments: new Set(), turns: 0, hasDropped: false }
    this.set(network, fresh)
    return fresh
  }

  tipOf(network: string): number {
    return this.of(network).tip ?? 0
  }
}

export const openStates: ReadonlySet<string> = new Set(['pending_approval', 'approved', 'processing'])

/** Approved, and not ended yet. */
export function isMoving({ status }: Payout): boolean {
  return status === 'approved' || status === 'processing'
}

export function isPriced(invoice: Invoice): invoice is PricedInvoice {
  return invoice.amount !== null
}

export function isSettled(status: string): boolean {
  return status === 'paid' || status === 'overpaid'
}

/** The service's own fee for a payout or a refund. */
export function serviceFee({ refund, fee }: Payout): bigint {
  return refund?.fee ?? fee
}

export function largestDecimals(assets: readonly Asset[], currency: string): number {
  return Math.max(...assets.filter((asset) => asset.currency === currency).map(({ decimals }) => decimals))
}

export function newInvoice(
  merchant: Merchant,
  data: Row,
  asset: Asset | null,
  source: Invoice['source'] = 'api',
): Invoice {
  const invoice: Invoice = {
    id: data.id,
    merchant,
    source,
    asset,
    feeBps: merchant.terms.fee,
    toleranceBps: source === 'static_address' ? 0 : merchant.terms.tolerance,
    amount: asset === null ? null : toUnits(data.amount, asset.decimals),
    required: data.required_confirmations,
    address: data.deposit_address,
    tag: data.deposit_address_tag,
    status: 'pending',
    isWindowOver: false,
    payments: [],
    refunds: [],
    entries: [],
    events: asset === null ? {} : { 'invoice.confirming': 1 },
    maybe: {},
    wasPaid: false,
    loose: null,
    isBlurred: false,
  }
  merchant.invoices.set(invoice.id, invoice)
  return invoice
}

export function newPayment(invoice: PricedInvoice, hash: string, units: bigint): Payment {
  return {
    hash,
    asset: invoice.asset,
    units,
    invoice,
    height: null,
    isDropped: false,
    credited: null,
    fee: 0n,
    isInTime: true,
  }
}
