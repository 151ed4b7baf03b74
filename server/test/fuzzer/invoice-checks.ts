import { get, type Row } from './client.ts'
import type { Fuzz } from './fuzz.ts'
import { type Invoice, isPriced, isSettled, type Payment, type PricedInvoice } from './model.ts'
import { sum, toText, toUnits } from './money.ts'
import { awaitedIn, confirmationsOf, countedIn, depositedIn, isDeep, thresholdOf } from './settlement.ts'

/** Reads an invoice and compares it with the model; null if it could not be read. */
export async function readInvoice(fuzz: Fuzz, invoice: Invoice, where: string): Promise<Row> {
  const { status, data } = await get(invoice.merchant.api, `/v1/invoices/${invoice.id}`)
  if (status === 0) return null
  const what = `${where}: GET invoice answers ${status}`
  if (!fuzz.findings.check(status === 200, 'invoice-lost', what, { id: invoice.id })) return null
  checkInvoice(fuzz, invoice, data, where)
  return data
}

/** Compares the service's view of an invoice with the model. */
export function checkInvoice(fuzz: Fuzz, invoice: Invoice, data: Row, where: string): void {
  const { findings } = fuzz
  const missing = `${where}: invoice ${invoice.id} could not be read`
  if (!findings.check(data, 'invoice-missing', missing)) return
  const context = () => ({ where, id: invoice.id, model: modelOf(invoice), api: gistOf(data) })
  findings.same(data.environment, 'test', 'invoice-environment', 'environment', context)
  if (invoice.loose !== null) {
    const what = `status: got ${data.status}, want one of ${[...invoice.loose]}`
    findings.check(invoice.loose.has(data.status), 'invoice-status', what, context)
    invoice.status = data.status
    invoice.loose = null
  }
  if (!findings.same(data.status, invoice.status, 'invoice-status', 'status', context)) {
    invoice.isBlurred = true
    invoice.status = data.status
  }
  if (!isPriced(invoice)) {
    findings.same(data.amount, null, 'invoice-amount', 'amount of a deferred invoice', context)
    findings.same(data.amount_due, null, 'invoice-due', 'due of a deferred invoice', context)
    return
  }
  checkAmounts(fuzz, invoice, data, context)
  checkRefunded(fuzz, invoice, data, context)
  if (data.payments) checkPayments(fuzz, invoice, data.payments, context)
}

function checkAmounts({ findings }: Fuzz, invoice: PricedInvoice, data: Row, context: () => unknown): void {
  const text = (units: bigint) => toText(units, invoice.asset.decimals)
  const same = (field: string, want: bigint, kind: string) =>
    findings.same(data[field], text(want), kind, field, context)
  const { amount, payments, status } = invoice
  const deposited = depositedIn(invoice)
  const credited = payments.filter((each) => each.credited !== null)
  const isEnough = deposited >= thresholdOf(invoice)
  same('amount', amount, 'invoice-amount')
  same('amount_paid', sum(credited.map(({ units }) => units)), 'invoice-paid')
  same('amount_pending', sum(awaitedIn(invoice).map(({ units }) => units)), 'invoice-pending')
  same('amount_overpaid', deposited > amount ? deposited - amount : 0n, 'invoice-overpaid')
  same('fee_amount', sum(credited.map(({ fee }) => fee)), 'invoice-fee')
  same('amount_due', isEnough ? 0n : amount - deposited, 'invoice-due')
  findings.check(
    (data.paid_at !== null) === isSettled(status),
    'invoice-paid-at',
    `paid_at is ${data.paid_at} while ${status}`,
    context,
  )
  if (isEnough || status === 'expired' || status === 'cancelled')
    findings.same(data.payment_uri, null, 'invoice-uri', 'payment_uri when nothing is to be paid', context)
  findings.same(data.deposit_address, invoice.address, 'invoice-address', 'deposit address', context)
}

function checkRefunded({ findings }: Fuzz, invoice: PricedInvoice, data: Row, context: () => unknown): void {
  const { decimals } = invoice.asset
  const completed = invoice.refunds.filter(({ status }) => status === 'completed')
  // A refund may complete at any moment once it is approved.
  const moving = invoice.refunds.filter(({ payout }) =>
    ['approved', 'processing'].includes(payout?.status ?? ''),
  )
  const least = sum(completed.map(({ amount }) => amount))
  const most = least + sum(moving.map(({ amount }) => amount))
  const told = toUnits(data.amount_refunded, decimals)
  findings.check(
    told >= least && told <= most,
    'invoice-refunded',
    `amount_refunded ${data.amount_refunded}, want ${toText(least, decimals)} to ${toText(most, decimals)}`,
    context,
  )
}

function checkPayments(fuzz: Fuzz, invoice: PricedInvoice, rows: Row[], context: () => unknown): void {
  const { findings } = fuzz
  const { payments, asset } = invoice
  const counted = `payments: got ${rows.length}, want ${payments.length}`
  findings.check(rows.length === payments.length, 'payments-count', counted, context)
  for (const payment of payments) {
    const found = rows.filter((row) => row.tx_hash === payment.hash)
    const what = `payment ${payment.hash} is listed ${found.length} times`
    if (!findings.check(found.length === 1, 'payment-missing', what, context)) continue
    const [row] = found
    const height = payment.isDropped ? null : payment.height
    findings.same(
      row.amount,
      toText(payment.units, asset.decimals),
      'payment-amount',
      'payment amount',
      context,
    )
    findings.same(row.block_height, height, 'payment-height', 'payment height', context)
    const deep = confirmationsOf(fuzz, payment)
    findings.same(row.confirmations, deep, 'payment-confirmations', 'confirmations', context)
    findings.same(row.status, statusOf(fuzz, payment), 'payment-status', 'payment status', context)
    if (payment.credited !== null) {
      const isLate = !countedIn(invoice).includes(payment)
      findings.same(row.late, isLate, 'payment-late', 'late flag of a credited payment', context)
    }
  }
}

function statusOf(fuzz: Fuzz, payment: Payment): string {
  if (payment.isDropped) return 'reversed'
  if (payment.height === null) return 'detected'
  return isDeep(fuzz, payment) ? 'confirmed' : 'confirming'
}

function modelOf({ status, amount, isWindowOver, payments }: Invoice): object {
  const rows = payments.map(({ units, height, isDropped, credited, isInTime }) => ({
    units,
    height,
    isDropped,
    credited,
    isInTime,
  }))
  return { status, amount, isWindowOver, payments: rows }
}

function gistOf(data: Row): object {
  const { status, amount, amount_paid, amount_pending, amount_due, amount_overpaid, fee_amount } = data
  const rows = data.payments?.map((row: Row) => [
    row.amount,
    row.status,
    row.confirmations,
    row.late,
    row.block_height,
  ])
  return { status, amount, amount_paid, amount_pending, amount_due, amount_overpaid, fee_amount, rows }
}
