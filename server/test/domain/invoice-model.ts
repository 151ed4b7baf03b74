import type { Booking, Payment } from '../../src/domain/invoices.ts'
import { type Assessable, type Assessment, assess, type ChainView } from '../../src/domain/settlement.ts'

export const openedAt = new Date('2026-01-01T00:00:00Z')
export const minutes = (count: number): Date => new Date(openedAt.getTime() + count * 60_000)
/** The window of every invoice here that has one. */
export const windowEnd = minutes(30)

export function anInvoice(given: Partial<Assessable> = {}): Assessable {
  return {
    status: 'pending',
    amountUnits: 100n,
    toleranceBps: 0,
    feeBps: 0,
    expiresAt: windowEnd,
    paidAt: null,
    ...given,
  }
}

let made = 0

/** A payment that needs two confirmations, is in the mempool and was seen in time, unless stated otherwise. */
export function aPayment(units: bigint, given: Partial<Payment> = {}): Payment {
  const id = `payment ${++made}`
  return {
    id,
    txHash: `tx of ${id}`,
    outputIndex: 0,
    currency: 'BTC',
    network: 'bitcoin',
    decimals: 8,
    units,
    seenAt: minutes(1),
    waiting: given.blockHeight === undefined || given.blockHeight === null,
    blockHeight: null,
    requiredConfirmations: 2,
    booking: null,
    ...given,
  }
}

/** In a block that has two confirmations while the tip is 11. */
export const deep = { waiting: false, blockHeight: 10n } as const
/** In the newest block while the tip is 11. */
export const shallow = { waiting: false, blockHeight: 11n } as const
/** Neither on the followed branch nor in the mempool. */
export const gone = { waiting: false, blockHeight: null } as const

export function booked(given: Partial<Booking> = {}): { booking: Booking } {
  return {
    booking: { credited: true, credits: 1, late: false, feeUnits: 0n, confirmedAt: minutes(2), ...given },
  }
}

/** Seen before and not credited yet. */
export function notYet(isLate = false): { booking: Booking } {
  return booked({ credited: false, credits: 0, late: isLate, confirmedAt: null })
}

/** First seen when the window was over. */
export const late = { seenAt: minutes(31) } as const

export type Case = {
  readonly invoice: Assessable
  readonly payments: readonly Payment[]
  readonly chain: ChainView
  readonly now: Date
}

export function aCase(given: Partial<Case> = {}): Case {
  return {
    invoice: anInvoice(),
    payments: [],
    chain: { tip: 11n, scannedAt: minutes(5) },
    now: minutes(5),
    ...given,
  }
}

/** The window is over, and the chain was scanned after that. */
export const afterWindow = { chain: { tip: 11n, scannedAt: minutes(31) }, now: minutes(31) } as const

export function assessed(scene: Case): Assessment {
  return assess(scene.invoice, scene.payments, scene.chain, scene.now)
}

/** The events in order, each credit by the name of its event. */
export function told(assessment: Assessment): string[] {
  return assessment.tell.map((telling) => (typeof telling === 'string' ? telling : 'balance.credited'))
}

/** The scene after the assessment was written, as the database would have it. */
export function written(scene: Case, assessment: Assessment): Case {
  const bookings = new Map<string, Booking>()
  const moved = new Map(assessment.bookings.map((booking) => [booking.payment, booking]))
  for (const { payment, late } of assessment.noted) {
    const booking = moved.get(payment)
    const before = payment.booking ?? { credited: false, credits: 0, feeUnits: 0n, confirmedAt: null }
    if (booking === undefined) bookings.set(payment.id, { ...before, late })
    else {
      const isCredit = booking.kind === 'credit'
      bookings.set(payment.id, {
        credited: isCredit,
        credits: booking.occurrence,
        late,
        feeUnits: isCredit ? booking.feeUnits : 0n,
        confirmedAt: isCredit ? scene.now : null,
      })
    }
  }
  return {
    ...scene,
    invoice: {
      ...scene.invoice,
      status: assessment.status,
      paidAt: assessment.firstPaid ? scene.now : scene.invoice.paidAt,
    },
    payments: scene.payments.map((payment) => ({
      ...payment,
      booking: bookings.get(payment.id) ?? payment.booking,
    })),
  }
}
