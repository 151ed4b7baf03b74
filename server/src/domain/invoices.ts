import type { Environment } from './environment.ts'
import type { GateId } from './networks/network.ts'
import type { TransitionTable } from './transitions.ts'

export const invoiceStatuses = ['pending', 'paid', 'underpaid', 'overpaid', 'expired', 'cancelled'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

/**
 * What can happen to an invoice: the confirmed total is short, reaches the amount or exceeds it; the window ends; the
 * merchant cancels; a reorganisation takes so much away that payment is awaited again.
 */
export type InvoiceTrigger = 'fall_short' | 'settle' | 'exceed' | 'expire' | 'cancel' | 'reopen'

// A reorganisation can undo a settled invoice, and can give an expired one its payment back; nothing undoes a cancel.
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

/** What the payer owes in, fixed when the invoice goes live. */
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
  /** Null until the payer of a deferred invoice has picked one. */
  readonly asset: InvoiceAsset | null
  /** In minor units of the fiat currency. */
  readonly amountFiat: bigint | null
  readonly fiatCurrency: string | null
  readonly baseCurrency: string
  readonly amountInBaseCurrency: bigint | null
  readonly toleranceBps: number
  readonly feeBps: number
  /** Everything confirmed, late deposits included. */
  readonly paidUnits: bigint
  /** Of that, what counts towards the amount: not the late deposits. */
  readonly settledUnits: bigint
  readonly pendingUnits: bigint
  readonly refundedUnits: bigint
  readonly feeUnits: bigint
  readonly description: string | null
  readonly externalId: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly redirectUrl: string | null
  /** The secret part of the checkout address; null where there is no checkout. */
  readonly link: string | null
  readonly idempotencyKey: string | null
  readonly windowSeconds: number | null
  readonly expiresAt: Date | null
  /** When the clock alone may change the status; null when only the chain can, or nothing any more. */
  readonly dueAt: Date | null
  readonly paidAt: Date | null
  readonly cancelledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The amounts of an invoice for which nothing was seen yet. */
export const nothingPaid = {
  paidUnits: 0n,
  settledUnits: 0n,
  pendingUnits: 0n,
  refundedUnits: 0n,
  feeUnits: 0n,
} as const

const paymentStatuses = ['detected', 'confirming', 'confirmed', 'reversed'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** A transfer to an invoice's address: where the followed branch has it, and what the books have made of it. */
export type Payment = {
  readonly id: string
  readonly txHash: string
  readonly outputIndex: number
  readonly currency: string
  readonly network: string
  readonly decimals: number
  readonly units: bigint
  readonly seenAt: Date
  /** In the mempool now. */
  readonly waiting: boolean
  readonly blockHeight: bigint | null
  readonly requiredConfirmations: number
  /** Null until its invoice was first assessed with it. */
  readonly booking: Booking | null
}

export type Booking = {
  readonly credited: boolean
  /** How often it was credited: once, unless a reorganisation took it away and gave it back. */
  readonly credits: number
  readonly late: boolean
  readonly feeUnits: bigint
  readonly confirmedAt: Date | null
}

/** How many blocks hold the payment down, itself included; 0 when none holds it. */
export function confirmationsOf(payment: Pick<Payment, 'blockHeight'>, tip: bigint): bigint {
  if (payment.blockHeight === null || payment.blockHeight > tip) return 0n
  return tip - payment.blockHeight + 1n
}

export function paymentStatus(payment: Pick<Payment, 'booking' | 'blockHeight' | 'waiting'>): PaymentStatus {
  if (payment.booking?.credited) return 'confirmed'
  if (payment.blockHeight !== null) return 'confirming'
  return payment.waiting ? 'detected' : 'reversed'
}

/** What is still to be paid; 0 once it is settled, null while there is no asset. */
export function dueUnits(invoice: Pick<Invoice, 'status' | 'asset' | 'settledUnits'>): bigint | null {
  if (invoice.asset === null) return null
  if (invoice.status === 'paid' || invoice.status === 'overpaid') return 0n
  const due = invoice.asset.amountUnits - invoice.settledUnits
  return due > 0n ? due : 0n
}

/** What was paid beyond the amount, and in time. */
export function overpaidUnits(invoice: Pick<Invoice, 'asset' | 'settledUnits'>): bigint {
  const over = invoice.asset === null ? 0n : invoice.settledUnits - invoice.asset.amountUnits
  return over > 0n ? over : 0n
}
