import { get, isUnsure, type Row } from '../client.ts'
import type { Fuzz } from '../fuzz.ts'
import { checkInvoice } from '../invoice-checks.ts'
import {
  type Invoice,
  isPriced,
  isSettled,
  newPayment,
  type PricedInvoice,
  type StaticAddress,
} from '../model.ts'
import { toText, toUnits } from '../money.ts'
import { depositedIn, feeOn, hopeOf, isDeep, isOver, thresholdOf } from '../settlement.ts'
import { adoptStatic } from './deposits.ts'
import type { Flown } from './storm.ts'

type About = Extract<Flown, { kind: 'deposit' | 'cancel' | 'expire' }>
type Deposit = Extract<Flown, { kind: 'deposit' }>
type Turn = Extract<Flown, { kind: 'reorg' }>

/**
 * Takes over an invoice's payments as they are after concurrent changes, and checks that everything else is consistent with
 * them.
 */
export async function resync(
  fuzz: Fuzz,
  invoice: Invoice,
  about: readonly About[],
  turns: readonly Turn[],
  where: string,
): Promise<void> {
  const { findings } = fuzz
  const { status, data } = await get(invoice.merchant.api, `/v1/invoices/${invoice.id}`)
  if (!findings.check(status === 200, 'lost', `${where}: an invoice is gone`, invoice.id)) return
  takeCancel(fuzz, invoice, about, data, where)
  const mayBeOver = about.some(({ kind, answer }) => kind === 'expire' && isUnsure(answer))
  if (mayBeOver && data.expires_at && Date.parse(data.expires_at) <= Date.now()) invoice.isWindowOver = true
  const hasMoved =
    about.length > 0 ||
    turns.some(({ dropped }) => dropped.some((each) => each.invoice === invoice)) ||
    invoice.payments.some(({ credited, isDropped }) => credited === null && !isDropped)
  if (isPriced(invoice)) {
    const deposits = about.filter((each): each is Deposit => each.kind === 'deposit')
    takePayments(fuzz, invoice, deposits, turns, data, where)
  }
  if (!hasMoved) return
  invoice.isBlurred = true
  if (isPriced(invoice)) judge(fuzz, invoice, data, where)
  else invoice.status = data.status
}

function takeCancel(
  { findings }: Fuzz,
  invoice: Invoice,
  about: readonly About[],
  data: Row,
  where: string,
): void {
  const cancels = about.filter(({ kind }) => kind === 'cancel')
  const isDone = cancels.some(({ answer }) => answer.status === 200)
  if (isDone) findings.same(data.status, 'cancelled', 'lost', `${where}: an acknowledged cancel`)
  if (data.status !== 'cancelled' || invoice.status === 'cancelled') return
  const isAsked = isDone || cancels.some(({ answer }) => isUnsure(answer))
  findings.check(isAsked, 'storm', `${where}: cancelled without a request`, invoice.id)
  invoice.status = 'cancelled'
  invoice.events['invoice.cancelled'] = 1
}

function takePayments(
  fuzz: Fuzz,
  invoice: PricedInvoice,
  deposits: readonly Deposit[],
  turns: readonly Turn[],
  data: Row,
  where: string,
): void {
  const { findings, chains } = fuzz
  for (const { answer } of deposits) {
    const { status, error } = answer
    if (status !== 201) {
      findings.check(isUnsure(answer), 'storm', `${where}: deposit answered ${status}`, error)
      continue
    }
    const isThere = data.payments.some((row: Row) => row.tx_hash === answer.data.tx_hash)
    const context = { id: invoice.id, hash: answer.data.tx_hash }
    findings.check(isThere, 'lost', `${where}: an acknowledged deposit is missing`, context)
  }
  let left = deposits
  for (const row of data.payments) {
    let payment = invoice.payments.find(({ hash }) => hash === row.tx_hash)
    if (payment === undefined) {
      // A deposit whose answer was lost is recognised by its amount.
      const made =
        left.find(({ answer }) => answer.status === 201 && answer.data.tx_hash === row.tx_hash) ??
        left.find(
          ({ answer, units }) =>
            answer.status !== 201 && toText(units, invoice.asset.decimals) === row.amount,
        )
      left = left.filter((each) => each !== made)
      findings.check(made !== undefined, 'storm', `${where}: a payment that was never made`, row)
      if (made === undefined) continue
      payment = newPayment(invoice, row.tx_hash, made.units)
      invoice.payments.push(payment)
      chains.of(invoice.asset.network).payments.add(payment)
    }
    const mayBeDropped = turns.some(({ dropped }) => dropped.some(({ hash }) => hash === row.tx_hash))
    if (mayBeDropped && row.status === 'reversed') payment.isDropped = true
    if (payment.isDropped) payment.height = null
    else {
      const isKept = payment.height === null || payment.height === row.block_height
      const context = { row, was: payment.height }
      findings.check(isKept, 'storm', `${where}: a payment changed its height`, context)
      payment.height = row.block_height
    }
  }
}

/** The depth decides what is credited; how (in time or late) is read from the payment and then compared with the status. */
function judge(fuzz: Fuzz, invoice: PricedInvoice, data: Row, where: string): void {
  const { findings } = fuzz
  const isEnded = data.status === 'expired' || data.status === 'cancelled'
  for (const payment of invoice.payments) {
    const row = data.payments.find(({ tx_hash }: Row) => tx_hash === payment.hash)
    if (!row) continue
    payment.isInTime = !row.late
    // Late for an invoice that is still open: it is not decided yet what it is.
    const waits = row.late && !isEnded && !isSettled(data.status)
    payment.credited = !isDeep(fuzz, payment) || waits ? null : row.late ? 'late_deposit' : 'deposit'
    payment.fee = payment.credited === null ? 0n : feeOn(invoice, payment.units)
  }
  const allowed = allowedStatuses(invoice)
  findings.check(
    allowed.includes(data.status),
    'invoice-status',
    `${where}: status ${data.status}, want one of ${allowed}`,
    {
      id: invoice.id,
      was: invoice.status,
      isWindowOver: invoice.isWindowOver,
      amount: data.amount,
      payments: data.payments.map((row: Row) => [row.amount, row.status, row.late, row.block_height]),
    },
  )
  invoice.status = data.status
  invoice.wasPaid ||= isSettled(data.status)
  checkInvoice(fuzz, invoice, data, where)
}

function allowedStatuses(invoice: PricedInvoice): string[] {
  const { status, amount } = invoice
  const isWindowOver = isOver(invoice)
  if (status === 'cancelled') return ['cancelled']
  const wasExpired = status === 'expired' ? ['expired'] : []
  const have = depositedIn(invoice)
  const threshold = thresholdOf(invoice)
  if (have > amount) return ['overpaid', ...wasExpired]
  if (have >= threshold) return ['paid', ...wasExpired]
  if (have + hopeOf(invoice) >= threshold)
    return ['pending', 'underpaid', ...(isWindowOver ? ['expired'] : wasExpired)]
  if (isWindowOver) return ['expired']
  return [have > 0n ? 'underpaid' : 'pending', ...wasExpired]
}

/** Invoices that deposits without an answer may have created, recognised by their amounts. */
export async function adoptUnsure(fuzz: Fuzz, address: StaticAddress, units: bigint[]): Promise<void> {
  const { merchant, asset, id } = address
  const answer = await get(merchant.api, `/v1/addresses/${id}/invoices?limit=50`)
  if (answer.status !== 200) return
  const made = new Map<string, bigint>()
  for (const row of answer.data) {
    if (merchant.invoices.has(row.id)) continue
    const { data } = await get(merchant.api, `/v1/invoices/${row.id}`)
    const at = units.indexOf(toUnits(data.amount, asset.decimals))
    const what = 'an invoice of a static address that was never paid'
    if (!fuzz.findings.check(at >= 0, 'storm', what, data)) continue
    const [found = 0n] = units.splice(at, 1)
    made.set(data.payments[0].tx_hash, found)
  }
  await adoptStatic(fuzz, address, made, true)
}
