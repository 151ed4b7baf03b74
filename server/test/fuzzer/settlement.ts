import type { Fuzz } from './fuzz.ts'
import { isSettled, type Payment, type PricedInvoice } from './model.ts'
import { ceilDiv, sum } from './money.ts'

export function confirmationsOf({ chains }: Pick<Fuzz, 'chains'>, payment: Payment): number {
  if (payment.isDropped || payment.height === null) return 0
  return chains.tipOf(payment.asset.network) - payment.height + 1
}

export function isDeep(fuzz: Pick<Fuzz, 'chains'>, payment: Payment): boolean {
  return confirmationsOf(fuzz, payment) >= payment.invoice.required
}

/** The amount that settles an invoice: tolerance in basis points, rounded up. */
export function thresholdOf({ amount, toleranceBps }: PricedInvoice): bigint {
  return ceilDiv(amount * BigInt(10_000 - toleranceBps), 10_000n)
}

/** The credited payments that count: those seen in time, and all others too once these are enough. */
export function countedIn(invoice: PricedInvoice): Payment[] {
  if (invoice.status === 'cancelled') return []
  const credited = invoice.payments.filter((each) => each.credited !== null)
  const inTime = credited.filter(({ isInTime }) => isInTime)
  return sum(inTime.map(({ units }) => units)) >= thresholdOf(invoice) ? credited : inTime
}

export function depositedIn(invoice: PricedInvoice): bigint {
  return sum(countedIn(invoice).map(({ units }) => units))
}

/** The invoice of a static address has no window: it awaits only the payment that created it. */
export function isOver({ source, isWindowOver, payments }: PricedInvoice): boolean {
  return isWindowOver || (source === 'static_address' && payments.length > 0)
}

/** On their way: neither credited nor gone. */
export function awaitedIn({ payments }: PricedInvoice): Payment[] {
  return payments.filter(({ isDropped, credited }) => !isDropped && credited === null)
}

/** The credited amount of an invoice, less the fee. */
export function creditOf({ payments }: PricedInvoice): bigint {
  return sum(payments.filter(({ credited }) => credited !== null).map(({ units, fee }) => units - fee))
}

export function feeOn({ feeBps }: PricedInvoice, units: bigint): bigint {
  return (units * BigInt(feeBps)) / 10_000n
}

/** Applies the contract's rules to an invoice after any change to its chain, its window or itself. */
export function assess(fuzz: Pick<Fuzz, 'chains' | 'measures'>, invoice: PricedInvoice): void {
  const isReversed = reverse(fuzz, invoice)
  const fresh = invoice.payments.filter((each) => each.credited === null && isDeep(fuzz, each))
  if (invoice.status === 'expired' || invoice.status === 'cancelled') {
    for (const payment of fresh) credit(payment, 'late_deposit')
    return
  }
  const before = invoice.status
  const threshold = thresholdOf(invoice)
  const inTime = fresh.filter((each) => each.isInTime)
  for (const payment of inTime) credit(payment, 'deposit')
  // Payments seen after the window top up an invoice that is already settled.
  const extra = depositedIn(invoice) >= threshold ? fresh.filter((each) => !each.isInTime) : []
  for (const payment of extra) credit(payment, 'deposit')
  const isNews = inTime.length + extra.length > 0

  moveOn(invoice, before, isReversed)
  if (isSettled(invoice.status) && !invoice.wasPaid) {
    invoice.wasPaid = true
    tell(invoice, 'invoice.paid')
  }
  if (isNews && invoice.status === 'overpaid') tell(invoice, 'invoice.overpaid')
  // Not while payments on their way may still settle it. A change caused by a reorganisation alone is announced by its
  // reversal.
  if (invoice.status === 'underpaid' && depositedIn(invoice) + hopeOf(invoice) < threshold)
    if (isNews || (before === 'pending' && !isReversed)) tell(invoice, 'invoice.underpaid')
  // Payments that waited for the decision are late deposits once it is made.
  if (invoice.status === 'expired')
    for (const payment of invoice.payments)
      if (payment.credited === null && isDeep(fuzz, payment)) credit(payment, 'late_deposit')
}

/** Assesses every invoice that has payments on a network. */
export function assessNetwork(fuzz: Pick<Fuzz, 'chains' | 'measures'>, network: string): void {
  const { payments } = fuzz.chains.of(network)
  for (const invoice of new Set([...payments].map((each) => each.invoice))) assess(fuzz, invoice)
  for (const payment of [...payments]) if (payment.isDropped) payments.delete(payment)
}

/** A payment is seen while nothing else happens to its invoice. */
export function seePayment({ chains }: Pick<Fuzz, 'chains'>, payment: Payment): void {
  const { invoice, asset } = payment
  invoice.payments.push(payment)
  chains.of(asset.network).payments.add(payment)
  payment.isInTime = !(invoice.isWindowOver || invoice.status === 'cancelled' || invoice.status === 'expired')
  if (invoice.status === 'pending' || invoice.status === 'underpaid')
    tell(invoice, 'invoice.payment_detected')
}

/** Reverses credits whose payment is no longer deep enough, and returns whether there were any. */
function reverse(fuzz: Pick<Fuzz, 'chains' | 'measures'>, invoice: PricedInvoice): boolean {
  const gone = invoice.payments.filter((each) => each.credited !== null && !isDeep(fuzz, each))
  for (const payment of gone) {
    book(invoice, 'reversal debit', payment.units - payment.fee)
    payment.credited = null
    payment.fee = 0n
    tell(invoice, 'invoice.deposit_reversed')
    fuzz.measures.count('reversals')
  }
  return gone.length > 0
}

function credit(payment: Payment, type: 'deposit' | 'late_deposit'): void {
  const { invoice, units } = payment
  payment.credited = type
  payment.fee = feeOn(invoice, units)
  book(invoice, `${type} credit`, units)
  book(invoice, 'fee debit', payment.fee)
  tell(invoice, 'balance.credited')
  if (type === 'late_deposit') tell(invoice, 'invoice.late_deposit')
}

function moveOn(invoice: PricedInvoice, before: string, isReversed: boolean): void {
  const have = depositedIn(invoice)
  const threshold = thresholdOf(invoice)
  if (have > invoice.amount) invoice.status = 'overpaid'
  else if (have >= threshold) invoice.status = 'paid'
  else if (have + hopeOf(invoice) >= threshold) {
    // Payments on their way can still settle it. A paid invoice is pending again; for an underpaid one the contract allows
    // both.
    if (isSettled(before)) invoice.status = 'pending'
    else if (before === 'underpaid' && isReversed) invoice.loose = new Set(['pending', 'underpaid'])
  } else if (isOver(invoice)) {
    invoice.status = 'expired'
    if (!isSettled(before) && !isReversed) tell(invoice, 'invoice.expired')
    else invoice.maybe['invoice.expired'] = (invoice.maybe['invoice.expired'] ?? 0) + 1
  } else invoice.status = have > 0n ? 'underpaid' : 'pending'
}

/** The payments on their way that were seen in time. */
export function hopeOf(invoice: PricedInvoice): bigint {
  return sum(
    awaitedIn(invoice)
      .filter(({ isInTime }) => isInTime)
      .map(({ units }) => units),
  )
}

function book({ entries }: PricedInvoice, what: string, units: bigint): void {
  if (units > 0n) entries.push(`${what} ${units}`)
}

export function tell({ events }: Pick<PricedInvoice, 'events'>, name: string): void {
  events[name] = (events[name] ?? 0) + 1
}
