import {
  confirmationsOf,
  type InvoiceStatus,
  type InvoiceTrigger,
  invoiceTransitions,
  type Payment,
} from './invoices.ts'
import { divide } from './money.ts'
import { nextState } from './transitions.ts'

/** The fields of an invoice that decide its status. */
export type Assessable = {
  readonly status: InvoiceStatus
  /** Null while the payer has not picked an asset: then there are no payments. */
  readonly amountUnits: bigint | null
  readonly toleranceBps: number
  readonly feeBps: number
  readonly expiresAt: Date | null
  /** Set once `invoice.paid` was sent: goods ship on it, so it is never sent again. */
  readonly paidAt: Date | null
}

/** How far the chain has been followed. */
export type ChainView = {
  readonly tip: bigint
  /** When the last complete scan of the chain and its mempool began. */
  readonly scannedAt: Date
}

/** A credit to book for one payment. */
export type Credit = {
  readonly kind: 'credit'
  readonly payment: Payment
  /** 1 the first time; higher when a reorganisation had removed the payment. */
  readonly occurrence: number
  /** Whether it is booked as a late deposit. */
  readonly late: boolean
  readonly feeUnits: bigint
}
export type Reversal = {
  readonly kind: 'reversal'
  readonly payment: Payment
  readonly occurrence: number
  readonly feeUnits: bigint
}

export type InvoiceEvent =
  | 'invoice.payment_detected'
  | 'invoice.underpaid'
  | 'invoice.paid'
  | 'invoice.overpaid'
  | 'invoice.expired'
  | 'invoice.late_deposit'
  | 'invoice.deposit_reversed'
  | 'invoice.deposit_restored'

/** An event to append. A credit stands for its `balance.credited` event, at its place in the order. */
export type Telling = InvoiceEvent | Credit

export type Assessment = {
  readonly status: InvoiceStatus
  readonly bookings: readonly (Credit | Reversal)[]
  readonly tell: readonly Telling[]
  /**
   * The payments whose booking changes: seen for the first time, moved, or counted differently from before. A late
   * payment does not count towards the amount, as far as is known now.
   */
  readonly noted: readonly { readonly payment: Payment; readonly late: boolean }[]
  readonly paidUnits: bigint
  readonly settledUnits: bigint
  readonly pendingUnits: bigint
  readonly feeUnits: bigint
  /** When time alone may change the status next; null when it cannot. */
  readonly dueAt: Date | null
  /** Whether this assessment makes the invoice paid for the first time. */
  readonly firstPaid: boolean
}

const allBps = 10_000n

/** The lowest confirmed total that settles the amount: the amount less the tolerance, rounded up in the merchant's favour. */
export function settlementThreshold(amountUnits: bigint, toleranceBps: number): bigint {
  return divide(amountUnits * (allBps - BigInt(toleranceBps)), allBps, 'up')
}

/** The platform's share of a credit, rounded down in the merchant's favour. */
export function creditFee(units: bigint, feeBps: number): bigint {
  return divide(units * BigInt(feeBps), allBps, 'down')
}

/**
 * Decides an invoice's status, bookings and events from the chain, the existing bookings and the time. No other place
 * does, for every trigger of the assessment: a sighting, a block, a reorganisation or the clock. Repeating an assessment
 * whose result is stored changes nothing.
 *
 * Status and amounts depend on where the payments are and when they were seen, never on earlier assessments: the outcome
 * is the same however often the chain was scanned on the way.
 */
export function assess(
  invoice: Assessable,
  payments: readonly Payment[],
  chain: ChainView | null,
  now: Date,
): Assessment {
  const { status, amountUnits, expiresAt } = invoice
  if (amountUnits === null) return assessWithoutAsset(invoice, now)
  if (chain === null) throw new Error('Assessing an invoice with an asset needs its chain.')

  const open = status === 'pending' || status === 'underpaid'
  const closed = status === 'expired' || status === 'cancelled'
  const threshold = settlementThreshold(amountUnits, invoice.toleranceBps)
  const isDeep = (payment: Payment) =>
    confirmationsOf(payment, chain.tip) >= BigInt(payment.requiredConfirmations)
  const inTime = (payment: Payment) =>
    status !== 'cancelled' && (expiresAt === null || payment.seenAt <= expiresAt)
  // Seen in the chain or the mempool, and not yet deep enough.
  const unconfirmed = payments.filter(
    (payment) => !isDeep(payment) && (payment.waiting || payment.blockHeight !== null),
  )

  const reversals = payments.filter((payment) => payment.booking?.credited && !isDeep(payment))
  const kept = payments.filter((payment) => payment.booking?.credited && isDeep(payment))
  const ripe = payments.filter((payment) => !payment.booking?.credited && isDeep(payment))
  const isRestored = (payment: Payment) => (payment.booking?.credits ?? 0) > 0

  // Only payments seen in time can settle the amount. Once they have, any other confirmed payment tops it up.
  const confirmedInTime = sum([...kept, ...ripe].filter(inTime))
  const hoped = sum(unconfirmed.filter(inTime))
  const settles = confirmedInTime >= threshold
  const isLate = (payment: Payment) => !inTime(payment) && !settles
  const settledUnits = sum([...kept, ...ripe].filter((payment) => !isLate(payment)))

  // An invoice's window is over only when the chain was scanned after its end: an outage must not expire an invoice. The
  // invoice of a static address has no window: it awaits only the payment that created it.
  const windowOver = expiresAt === null ? payments.length > 0 : now > expiresAt && chain.scannedAt > expiresAt
  const canStillSettle = confirmedInTime + hoped >= threshold
  const expires = !closed && windowOver && !canStillSettle

  const trigger = triggerFor()
  const next = trigger === null ? status : (nextState(invoiceTransitions, status, trigger) ?? status)
  const ends = next === 'expired' || next === 'cancelled'

  // A payment seen after the window waits until it is known whether it tops up a settled invoice or came too late.
  const postponed = ripe.filter((payment) => isLate(payment) && !isRestored(payment) && !ends)
  const credits = ripe
    .filter((payment) => !postponed.includes(payment))
    .map((payment) => credit(payment, isBookedLate(payment)))
    .sort((one, other) => Number(one.late) - Number(other.late))
  const undone = reversals.map(reversal)
  const firstPaid = invoice.paidAt === null && (next === 'paid' || next === 'overpaid')
  const credited = [...kept, ...credits.map(({ payment }) => payment)]
  const moved = new Set([...reversals, ...credits.map(({ payment }) => payment)])

  return {
    status: next,
    bookings: [...undone, ...credits],
    tell: tellings(),
    noted: payments
      .map((payment) => ({ payment, late: isLate(payment) }))
      .filter(({ payment, late }) => moved.has(payment) || payment.booking?.late !== late),
    paidUnits: sum(credited),
    settledUnits,
    pendingUnits: sum(unconfirmed) + sum(postponed),
    feeUnits:
      kept.reduce((total, payment) => total + (payment.booking?.feeUnits ?? 0n), 0n) +
      credits.reduce((total, each) => total + each.feeUnits, 0n),
    dueAt: dueAfter(next),
    firstPaid,
  }

  function triggerFor(): InvoiceTrigger | null {
    if (amountUnits === null || status === 'cancelled') return null
    if (settles) return settledUnits > amountUnits ? 'exceed' : 'settle'
    if (closed) return null
    if (expires) return 'expire'
    if (settledUnits > 0n && !canStillSettle) return 'fall_short'
    // An unconfirmed payment may still settle it, or nothing is confirmed at all.
    if (status === 'underpaid' && settledUnits > 0n && reversals.length === 0) return null
    return status === 'pending' ? null : 'reopen'
  }

  // A payment that confirms after its invoice has ended is booked as a late deposit, even if it was seen in time: it did
  // not settle the invoice. A payment that a reorganisation restores is late only if it was seen late.
  function isBookedLate(payment: Payment): boolean {
    return isRestored(payment) ? isLate(payment) : ends && (closed || isLate(payment))
  }

  function credit(payment: Payment, late: boolean): Credit {
    return {
      kind: 'credit',
      payment,
      occurrence: (payment.booking?.credits ?? 0) + 1,
      late,
      feeUnits: creditFee(payment.units, invoice.feeBps),
    }
  }

  function reversal(payment: Payment): Reversal {
    return {
      kind: 'reversal',
      payment,
      occurrence: payment.booking?.credits ?? 0,
      feeUnits: payment.booking?.feeUnits ?? 0n,
    }
  }

  function tellings(): Telling[] {
    const told: Telling[] = []
    if (open) {
      const known = new Set(payments.flatMap(({ booking, txHash }) => (booking === null ? [] : [txHash])))
      const seen = new Set(payments.flatMap(({ booking, txHash }) => (booking === null ? [txHash] : [])))
      for (const txHash of seen) if (!known.has(txHash)) told.push('invoice.payment_detected')
    }
    for (const _ of reversals) told.push('invoice.deposit_reversed')
    const fresh = credits.filter(({ occurrence, late }) => occurrence === 1 && !late)
    for (const each of credits.filter((one) => !one.late)) {
      told.push(each)
      if (each.occurrence > 1) told.push('invoice.deposit_restored')
    }
    told.push(...statusEvents(fresh.length > 0))
    for (const each of credits.filter((one) => one.late)) {
      told.push(each, each.occurrence > 1 ? 'invoice.deposit_restored' : 'invoice.late_deposit')
    }
    return told
  }

  function statusEvents(freshCredits: boolean): InvoiceEvent[] {
    const told: InvoiceEvent[] = []
    if (firstPaid) told.push('invoice.paid')
    if (next === 'overpaid' && (firstPaid || freshCredits)) told.push('invoice.overpaid')
    // `invoice.deposit_reversed` already reports a status change by reorganisation; a new credit still needs its own event.
    const isReorganised = reversals.length > 0
    if (trigger === 'fall_short' && (freshCredits || (status === 'pending' && !isReorganised)))
      told.push('invoice.underpaid')
    if (next === 'expired' && status !== 'expired' && !isReorganised) told.push('invoice.expired')
    return told
  }

  // While unconfirmed payments delay the expiry, only the chain can change the status.
  function dueAfter(after: InvoiceStatus): Date | null {
    if (expiresAt === null || (after !== 'pending' && after !== 'underpaid')) return null
    return windowOver && canStillSettle ? null : expiresAt
  }
}

/** Assesses a deferred invoice before the payer picks an asset: only its deadline can change it. */
function assessWithoutAsset(invoice: Assessable, now: Date): Assessment {
  const expires = invoice.status === 'pending' && invoice.expiresAt !== null && now > invoice.expiresAt
  const status = expires
    ? (nextState(invoiceTransitions, invoice.status, 'expire') ?? invoice.status)
    : invoice.status
  return {
    status,
    bookings: [],
    tell: expires ? ['invoice.expired'] : [],
    noted: [],
    paidUnits: 0n,
    settledUnits: 0n,
    pendingUnits: 0n,
    feeUnits: 0n,
    dueAt: status === 'pending' ? invoice.expiresAt : null,
    firstPaid: false,
  }
}

function sum(payments: readonly Payment[]): bigint {
  return payments.reduce((total, { units }) => total + units, 0n)
}
