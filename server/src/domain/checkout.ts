import { type Invoice, type InvoiceAsset, type Payment, paymentStatus } from './invoices.ts'
import { settlementThreshold } from './settlement.ts'

/** What an invoice's payment page shows; the contract explains each phase. */
export type CheckoutPhase =
  | 'choose'
  | 'pay'
  | 'closing'
  | 'detected'
  | 'confirming'
  | 'underpaid'
  | 'paid'
  | 'overpaid'
  | 'expired'
  | 'cancelled'

/** The fields of an invoice that decide what the payer sees. */
export type Payable = Pick<Invoice, 'status' | 'expiresAt' | 'settledUnits' | 'toleranceBps'> & {
  readonly asset: Pick<InvoiceAsset, 'amountUnits'> | null
}

/** The payer's view of an invoice: its phase, and what has happened to the payer's money so far. */
export type CheckoutStanding = {
  readonly phase: CheckoutPhase
  /** Seen, not yet confirmed. */
  readonly pendingUnits: bigint
  /** What the payer still has to send; 0 when nothing is missing or it is too late to pay. */
  readonly missingUnits: bigint
  /** Seen too late to count. */
  readonly lateUnits: bigint
}

const dayMs = 24 * 60 * 60 * 1000

/** How long a link stays valid after its invoice is final. */
export const linkLifeMs = 30 * dayMs

/** When the invoice's link stops showing it, counted from its last change; null while the invoice is open. */
export function linkEnds(invoice: Pick<Invoice, 'status' | 'updatedAt'>): Date | null {
  const { status, updatedAt } = invoice
  if (status === 'pending' || status === 'underpaid') return null
  return new Date(updatedAt.getTime() + linkLifeMs)
}

/**
 * Decides what the payment page shows, from the last assessment of the invoice and the payments on the chain now: a
 * new sighting shows before it is assessed. No other place decides this; the page has no rules of its own.
 */
export function checkoutStanding(
  invoice: Payable,
  payments: readonly Payment[],
  now: Date,
): CheckoutStanding {
  const { status, asset, expiresAt, settledUnits } = invoice
  const isOpen = status === 'pending' || status === 'underpaid'
  const isOver = expiresAt !== null && now > expiresAt
  // Without an asset no payment can be under way, so the deadline alone decides.
  if (asset === null) return nothingSeen(isOpen ? (isOver ? 'expired' : 'choose') : status)

  const seen = payments.filter((payment) => paymentStatus(payment) !== 'reversed')
  const isLate = (payment: Payment) => isLatePayment(invoice, payment)
  const unconfirmed = seen.filter((payment) => !payment.booking?.credited)
  const hoped = unconfirmed.filter((payment) => !isLate(payment))
  const amounts = { pendingUnits: sum(unconfirmed), lateUnits: sum(seen.filter(isLate)) }
  if (!isOpen) return { phase: status, ...amounts, missingUnits: 0n }

  const threshold = settlementThreshold(asset.amountUnits, invoice.toleranceBps)
  const inBlocks = settledUnits + sum(hoped.filter(({ blockHeight }) => blockHeight !== null))
  const expected = settledUnits + sum(hoped)
  if (expected >= threshold)
    return { phase: inBlocks >= threshold ? 'confirming' : 'detected', ...amounts, missingUnits: 0n }
  if (isOver) return { phase: 'closing', ...amounts, missingUnits: 0n }
  return { phase: phaseWhenShort(), ...amounts, missingUnits: asset.amountUnits - expected }

  function phaseWhenShort(): CheckoutPhase {
    if (settledUnits > 0n) return 'underpaid'
    if (hoped.length === 0) return 'pay'
    return hoped.every(({ blockHeight }) => blockHeight !== null) ? 'confirming' : 'detected'
  }
}

/** Whether the payer may pick another asset: nothing was ever seen of a payment, and the window is open. */
export function canChangeAsset(
  { deferred, asset, status, expiresAt }: Pick<Invoice, 'deferred' | 'asset' | 'status' | 'expiresAt'>,
  isSeen: boolean,
  now: Date,
): boolean {
  return (
    deferred && asset !== null && status === 'pending' && !isSeen && (expiresAt === null || now <= expiresAt)
  )
}

/** Whether a payment came too late to count towards the amount, as far as is known now. */
export function isLatePayment(
  { status, expiresAt }: Pick<Payable, 'status' | 'expiresAt'>,
  { booking, seenAt }: Pick<Payment, 'booking' | 'seenAt'>,
): boolean {
  if (booking !== null && booking.credits > 0) return booking.late
  if (status === 'cancelled') return true
  // A payment after settlement tops the invoice up, however late it is.
  if (status === 'paid' || status === 'overpaid') return false
  return expiresAt !== null && seenAt > expiresAt
}

function nothingSeen(phase: CheckoutPhase): CheckoutStanding {
  return { phase, pendingUnits: 0n, missingUnits: 0n, lateUnits: 0n }
}

function sum(payments: readonly Payment[]): bigint {
  return payments.reduce((total, { units }) => total + units, 0n)
}
