import type { Environment } from './environment.ts'
import type { GateId } from './networks/network.ts'
import type { TransitionTable } from './transitions.ts'

export const invoiceStatuses = ['pending', 'paid', 'underpaid', 'overpaid', 'expired', 'cancelled'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/**
 * What can happen to an invoice: the confirmed total falls short of the amount, reaches it or exceeds it; the window
 * ends; the merchant cancels; a reorganisation removes so much that the invoice awaits payment again.
 */
export type InvoiceTrigger = 'fall_short' | 'settle' | 'exceed' | 'expire' | 'cancel' | 'reopen'

// A reorganisation can unsettle an invoice, and can restore the payment of an expired one. A cancellation is final.
export const invoiceTransitions: TransitionTable<InvoiceStatus, InvoiceTrigger> = {
  pending: {
    fall_short: 'underpaid',
    settle: 'paid',
    exceed: 'overpaid',
    expire: 'expired',
    cancel: 'cancelled',
  },
  underpaid: {
    fall_short: 'underpaid',
    settle: 'paid',
    exceed: 'overpaid',
    expire: 'expired',
    reopen: 'pending',
  },
  paid: {
    fall_short: 'underpaid',
    settle: 'paid',
    exceed: 'overpaid',
    expire: 'expired',
    reopen: 'pending',
  },
  overpaid: {
    fall_short: 'underpaid',
    settle: 'paid',
    exceed: 'overpaid',
    expire: 'expired',
    reopen: 'pending',
  },
  expired: { settle: 'paid', exceed: 'overpaid' },
  cancelled: {},
}

/** The asset and amount that the payer owes, fixed when the invoice goes live. */
export type InvoiceAsset = {
  readonly currency: string
  readonly network: string
  readonly gateId: GateId
  readonly decimals: number
  readonly amountUnits: bigint
  readonly requiredConfirmations: number
  readonly keychain: string
  readonly depositPosition: bigint
  readonly depositAddress: string
  readonly depositAddressTag: string | null
  /** The proof that we derived the address; see `domain/address-proofs.ts`. */
  readonly depositAddressProof: string | null
  readonly exchangeRate: bigint | null
  readonly rateLockedAt: Date | null
  readonly liveAt: Date
}

export type InvoiceSource = 'api' | 'static_address' | 'dashboard'

export type Invoice = {
  readonly id: string
  readonly merchantId: string
  readonly environment: Environment
  readonly status: InvoiceStatus
  readonly source: InvoiceSource
  readonly staticAddressId: string | null
  readonly deferred: boolean
  /** Null until the payer of a deferred invoice has picked an asset. */
  readonly asset: InvoiceAsset | null
  /** In minor units of the fiat currency. */
  readonly amountFiat: bigint | null
  readonly fiatCurrency: string | null
  readonly baseCurrency: string
  readonly amountInBaseCurrency: bigint | null
  readonly toleranceBps: number
  readonly feeBps: number
  /** All confirmed payments, including late deposits. */
  readonly paidUnits: bigint
  /** The confirmed payments that count towards the amount: all but late deposits. */
  readonly settledUnits: bigint
  readonly pendingUnits: bigint
  readonly refundedUnits: bigint
  readonly feeUnits: bigint
  readonly description: string | null
  readonly externalId: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly redirectUrl: string | null
  /** The secret part of the checkout URL; null where there is no checkout. */
  readonly link: string | null
  readonly idempotencyKey: string | null
  readonly windowSeconds: number | null
  readonly expiresAt: Date | null
  /** When time alone may change the status; null when only the chain can change it, or it is final. */
  readonly dueAt: Date | null
  readonly paidAt: Date | null
  readonly cancelledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The amounts of an invoice without payments. */
export const nothingPaid = {
  paidUnits: 0n,
  settledUnits: 0n,
  pendingUnits: 0n,
  refundedUnits: 0n,
  feeUnits: 0n,
} as const

const paymentStatuses = ['detected', 'confirming', 'confirmed', 'reversed'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** A transfer to an invoice's address: its place on the followed branch, and how it is booked. */
export type Payment = {
  readonly id: string
  readonly txHash: string
  readonly outputIndex: number
  readonly currency: string
  readonly network: string
  readonly decimals: number
  readonly units: bigint
  readonly seenAt: Date
  /** Whether it is in the mempool now. */
  readonly waiting: boolean
  readonly blockHeight: bigint | null
  readonly requiredConfirmations: number
  /** Null until its invoice is first assessed with it. */
  readonly booking: Booking | null
}

export type Booking = {
  readonly credited: boolean
  /** How often it was credited: once, unless a reorganisation removed it and it was mined again. */
  readonly credits: number
  readonly late: boolean
  readonly feeUnits: bigint
  readonly confirmedAt: Date | null
}

/** The payment's confirmations: its own block and all blocks above it; 0 when it is in no block. */
export function confirmationsOf(payment: Pick<Payment, 'blockHeight'>, tip: bigint): bigint {
  if (payment.blockHeight === null || payment.blockHeight > tip) return 0n
  return tip - payment.blockHeight + 1n
}

export function paymentStatus(payment: Pick<Payment, 'booking' | 'blockHeight' | 'waiting'>): PaymentStatus {
  if (payment.booking?.credited) return 'confirmed'
  if (payment.blockHeight !== null) return 'confirming'
  return payment.waiting ? 'detected' : 'reversed'
}

/** What is still to be paid; 0 once the invoice is settled, null while it has no asset. */
export function dueUnits(invoice: Pick<Invoice, 'status' | 'asset' | 'settledUnits'>): bigint | null {
  if (invoice.asset === null) return null
  if (invoice.status === 'paid' || invoice.status === 'overpaid') return 0n
  const due = invoice.asset.amountUnits - invoice.settledUnits
  return due > 0n ? due : 0n
}

/** What was paid in time beyond the amount. */
export function overpaidUnits(invoice: Pick<Invoice, 'asset' | 'settledUnits'>): bigint {
  const over = invoice.asset === null ? 0n : invoice.settledUnits - invoice.asset.amountUnits
  return over > 0n ? over : 0n
}
