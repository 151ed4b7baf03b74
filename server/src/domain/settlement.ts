import {
  confirmationsOf,
  type InvoiceStatus,
  type InvoiceTrigger,
  invoiceTransitions,
  type Payment,
} from './invoices.ts'
import { divide } from './money.ts'
import { nextState } from './transitions.ts'

/** What decides an invoice's status. */
export type Assessable = {
  readonly status: InvoiceStatus
  /** Null while the payer has not picked an asset: then there are no payments. */
  readonly amountUnits: bigint | null
  readonly toleranceBps: number
  readonly feeBps: number
  readonly expiresAt: Date | null
  /** Set once `invoice.paid` was told: goods ship on it, so it is never told again. */
  readonly paidAt: Date | null
}

/** How far the chain was followed. */
export type ChainView = {
  readonly tip: bigint
  /** When the last complete look at the chain and its mempool began. */
  readonly scannedAt: Date
}

/** Something the books must do for one payment. */
export type Credit = {
  readonly kind: 'credit'
  readonly payment: Payment
  /** 1 the first time; higher when a reorganisation had taken it away. */
  readonly occurrence: number
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

/** What to tell, in order; a credit also tells `balance.credited`, at its own place. */
export type Telling = InvoiceEvent | Credit

export type Assessment = {
  readonly status: InvoiceStatus
  readonly bookings: readonly (Credit | Reversal)[]
  readonly tell: readonly Telling[]
  /** Payments met for the first time, and whether each is late as far as one can say now. */
  readonly firstSeen: readonly { readonly payment: Payment; readonly late: boolean }[]
  readonly paidUnits: bigint
  readonly settledUnits: bigint
  readonly pendingUnits: bigint
  readonly feeUnits: bigint
  /** When the clock alone may change the status next; null when it cannot. */
  readonly dueAt: Date | null
  /** Whether the invoice counts as paid from now on for the first time. */
  readonly firstPaid: boolean
}

const allBps = 10_000n

/** The least confirmed total that settles the amount: the tolerance is taken off, rounded up in the merchant's favour. */
export function settlementThreshold(amountUnits: bigint, toleranceBps: number): bigint {
  return divide(amountUnits * (allBps - BigInt(toleranceBps)), allBps, 'up')
}

/** The platform's share of a credit, rounded down in the merchant's favour. */
export function creditFee(units: bigint, feeBps: number): bigint {
  return divide(units * BigInt(feeBps), allBps, 'down')
}

/**
 * Decides what an invoice is, from what is on chain, what was booked and the time: its status, what to book and what
 * to tell. The only place that does, whatever woke it: a sighting, a block, a reorganisation, the clock. Assessing
 * again what was assessed and written changes nothing.
 */
export function assess(
  invoice: Assessable,
  payments: readonly Payment[],
  chain: ChainView | null,
  now: Date,
): Assessment {
  const { status, amountUnits, expiresAt } = invoice
  if (amountUnits === null) return assessWithoutAsset(invoice, now)
  if (chain === null) throw new Error('An invoice with an asset is assessed against its chain.')

  const open = status === 'pending' || status === 'underpaid'
  const closed = status === 'expired' || status === 'cancelled'
  const threshold = settlementThreshold(amountUnits, invoice.toleranceBps)
  const isDeep = (payment: Payment) =>
    confirmationsOf(payment, chain.tip) >= BigInt(payment.requiredConfirmations)
  const inTime = (payment: Payment) => expiresAt === null || payment.seenAt <= expiresAt
  const isLate = (payment: Payment) => payment.booking?.late ?? (closed || !inTime(payment))
  // Seen, in the chain or the mempool, and not yet deep enough.
  const unconfirmed = payments.filter(
    (payment) => !isDeep(payment) && (payment.waiting || payment.blockHeight !== null),
  )

  const reversals = payments.filter((payment) => payment.booking?.credited && !isDeep(payment))
  const kept = payments.filter((payment) => payment.booking?.credited && isDeep(payment))
  const ripe = payments.filter((payment) => !payment.booking?.credited && isDeep(payment))
  const isRestored = (payment: Payment) => (payment.booking?.credits ?? 0) > 0

  // What counts towards the amount. After settlement a further deposit counts too; after the end nothing new does.
  const countsNow = (payment: Payment) =>
    isRestored(payment) ? !payment.booking?.late : !closed && (!open || inTime(payment))
  const counted = ripe.filter(countsNow)
  const settledBefore = sum(kept.filter((payment) => !payment.booking?.late))
  const hoped = sum(unconfirmed.filter((payment) => !isLate(payment)))
  const inTimeTotal = settledBefore + sum(counted)
  const settles = inTimeTotal >= threshold

  // A window is over for an invoice only when the chain was looked at after it ended: an outage expires nothing.
  const windowOver = expiresAt !== null && now > expiresAt && chain.scannedAt > expiresAt
  const canStillSettle = settles || inTimeTotal + hoped >= threshold
  const expires = !closed && windowOver && !canStillSettle

  // A payment seen after the window waits until it is known whether it tops up a settled invoice or came too late.
  const postponed = ripe.filter((payment) => !countsNow(payment) && !isRestored(payment) && open)
  const topUps = settles ? postponed : []
  const tooLate = ripe.filter(
    (payment) =>
      !countsNow(payment) && (isRestored(payment) || closed || (expires && postponed.includes(payment))),
  )

  const settledUnits = inTimeTotal + sum(topUps)
  const trigger = triggerFor()
  const next = trigger === null ? status : (nextState(invoiceTransitions, status, trigger) ?? status)

  const credits = [
    ...[...counted, ...topUps].map((payment) => credit(payment, false)),
    ...tooLate.map((payment) => credit(payment, true)),
  ]
  const undone = reversals.map(reversal)
  const firstPaid = invoice.paidAt === null && (next === 'paid' || next === 'overpaid')
  const credited = [...kept, ...credits.map(({ payment }) => payment)]

  return {
    status: next,
    bookings: [...undone, ...credits],
    tell: tellings(),
    firstSeen: payments
      .filter((payment) => payment.booking === null)
      .map((payment) => ({
        payment,
        late: credits.find((each) => each.payment === payment)?.late ?? (isLate(payment) || expires),
      })),
    paidUnits: sum(credited),
    settledUnits,
    pendingUnits: sum(unconfirmed) + sum(postponed.filter((payment) => !credited.includes(payment))),
    feeUnits:
      kept.reduce((total, payment) => total + (payment.booking?.feeUnits ?? 0n), 0n) +
      credits.reduce((total, each) => total + each.feeUnits, 0n),
    dueAt: dueAfter(next),
    firstPaid,
  }

  function triggerFor(): InvoiceTrigger | null {
    if (amountUnits === null || status === 'cancelled') return null
    if (settledUnits > amountUnits) return 'exceed'
    if (settles) return 'settle'
    if (closed) return null
    if (expires) return 'expire'
    if (settledUnits > 0n && !canStillSettle) return 'fall_short'
    // Something hoped for may still settle it, or nothing is confirmed at all.
    if (status === 'underpaid' && settledUnits > 0n && reversals.length === 0) return null
    return status === 'pending' ? null : 'reopen'
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
      const met = new Set(payments.flatMap(({ booking, txHash }) => (booking === null ? [txHash] : [])))
      for (const txHash of met) if (!known.has(txHash)) told.push('invoice.payment_detected')
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
    // What a reorganisation leads back to is told by `invoice.deposit_reversed` alone.
    if (reversals.length > 0) return told
    if (next === 'underpaid' && (freshCredits || status === 'pending') && trigger === 'fall_short')
      told.push('invoice.underpaid')
    if (next === 'expired' && status !== 'expired') told.push('invoice.expired')
    return told
  }

  // While hoped-for payments hold the expiry up, only the chain can change anything.
  function dueAfter(after: InvoiceStatus): Date | null {
    if (expiresAt === null || (after !== 'pending' && after !== 'underpaid')) return null
    return windowOver && canStillSettle ? null : expiresAt
  }
}

/** A deferred invoice before the payer's choice: only its deadline can change it. */
function assessWithoutAsset(invoice: Assessable, now: Date): Assessment {
  const expires = invoice.status === 'pending' && invoice.expiresAt !== null && now > invoice.expiresAt
  const status = expires
    ? (nextState(invoiceTransitions, invoice.status, 'expire') ?? invoice.status)
    : invoice.status
  return {
    status,
    bookings: [],
    tell: expires ? ['invoice.expired'] : [],
    firstSeen: [],
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
