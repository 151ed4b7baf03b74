import { balanceDecimals } from '../../domain/assets.ts'
import { uuidv7 } from '../../domain/ids.ts'
import type { Invoice } from '../../domain/invoices.ts'
import {
  creditPostings,
  type LedgerAsset,
  type LedgerTransaction,
  reversalPostings,
} from '../../domain/ledger.ts'
import { formatDecimal } from '../../domain/money.ts'
import { type Assessment, assess, type Credit } from '../../domain/settlement.ts'
import type { TotalsChange } from '../../store/ledger/balances.ts'
import type { PostedEntry } from '../../store/ledger/ledger.ts'
import type { Store } from '../../store/store.ts'
import type { NewEvent } from '../../store/webhooks/events.ts'
import type { App } from '../app.ts'

type Assessed = { readonly before: Invoice; readonly after: Invoice; readonly assessment: Assessment }
type Tools = Pick<App, 'assets' | 'now' | 'present'>

/**
 * Brings invoices up to date with their chain and the clock, inside the caller's transaction: status, ledger, totals and
 * events together. Safe to repeat: an up-to-date invoice stays unchanged. All code takes locks in the same order: invoices
 * by id, static addresses, then the ledger.
 */
export async function assessInvoices(app: Tools, tx: Store, ids: readonly string[]): Promise<void> {
  const { invoices, nowOf } = await tx.invoices.lockMany(ids)
  const onChain = await tx.payments.ofInvoices(ids)
  const assessed = invoices.map((invoice): Assessed => {
    const { payments, chain } = onChain.get(invoice.id) ?? { payments: [], chain: null }
    const now = nowOf(invoice)
    const assessment = assess(
      { ...invoice, amountUnits: invoice.asset?.amountUnits ?? null },
      payments,
      chain,
      now,
    )
    return { before: invoice, after: changed(invoice, assessment, now), assessment }
  })
  await tx.invoices.saveAssessed(assessed.filter(isChanged).map(({ after }) => after))
  await tx.staticAddresses.count(assessed.flatMap(staticAddressChanges))
  await tx.payments.saveBookings(assessed.flatMap(bookings))
  const entries = await tx.ledger.post(
    assessed
      .flatMap(({ before, assessment }) => transactions(before, assessment))
      .map((transaction) => ({ ...transaction, id: uuidv7(app.now()) })),
    (currency) => balanceDecimals(app.assets, currency),
  )
  await tx.balances.change(assessed.flatMap(totals))
  await tx.events.append(...assessed.flatMap((each) => events(app, each, entries)))
}

function changed(invoice: Invoice, assessment: Assessment, now: Date): Invoice {
  const { status, paidUnits, settledUnits, pendingUnits, feeUnits, dueAt, firstPaid } = assessment
  return {
    ...invoice,
    status,
    paidUnits,
    settledUnits,
    pendingUnits,
    feeUnits,
    dueAt,
    paidAt: firstPaid ? now : invoice.paidAt,
    updatedAt: now,
  }
}

function isChanged({ before, after }: Assessed): boolean {
  return (
    before.status !== after.status ||
    before.paidUnits !== after.paidUnits ||
    before.settledUnits !== after.settledUnits ||
    before.pendingUnits !== after.pendingUnits ||
    before.feeUnits !== after.feeUnits ||
    before.paidAt !== after.paidAt ||
    before.dueAt?.getTime() !== after.dueAt?.getTime()
  )
}

function assetOf(invoice: Invoice): LedgerAsset {
  if (invoice.asset === null) throw new Error('An invoice without an asset has no money to book.')
  const { network, currency, decimals } = invoice.asset
  return { environment: invoice.environment, network, currency, decimals }
}

function transactions(invoice: Invoice, { bookings }: Assessment): LedgerTransaction[] {
  return bookings.flatMap((booking) => {
    const deposit = {
      merchantId: invoice.merchantId,
      asset: assetOf(invoice),
      reference: { type: 'invoice', id: invoice.id } as const,
    }
    return booking.kind === 'credit' ? creditPostings(deposit, booking) : [reversalPostings(deposit, booking)]
  })
}

/** The new booking of each payment that was first seen, credited, reversed or counted differently. */
function bookings({ after, assessment }: Assessed) {
  const at = after.updatedAt
  const moved = new Map(assessment.bookings.map((booking) => [booking.payment.id, booking]))
  return assessment.noted.map(({ payment, late }) => {
    const booking = moved.get(payment.id)
    const { credited, credits, feeUnits } = payment.booking ?? { credited: false, credits: 0, feeUnits: 0n }
    if (booking === undefined) return { paymentId: payment.id, credited, credits, late, feeUnits, at }
    const isCredit = booking.kind === 'credit'
    return {
      paymentId: payment.id,
      credited: isCredit,
      credits: booking.occurrence,
      late,
      feeUnits: isCredit ? booking.feeUnits : 0n,
      at,
    }
  })
}

function totals({ before, after }: Assessed): TotalsChange[] {
  if (before.asset === null) return []
  const change = {
    pendingUnits: after.pendingUnits - before.pendingUnits,
    receivedUnits: after.paidUnits - before.paidUnits,
    feeUnits: after.feeUnits - before.feeUnits,
  }
  if (Object.values(change).every((units) => units === 0n)) return []
  return [{ merchantId: before.merchantId, ...assetOf(before), ...change }]
}

function staticAddressChanges({ before, after }: Assessed) {
  const units = after.paidUnits - before.paidUnits
  if (before.staticAddressId === null || units === 0n) return []
  // An invoice of a static address has exactly one payment.
  return [{ staticAddressId: before.staticAddressId, units, invoices: units > 0n ? 1 : -1 }]
}

function events(app: Tools, { after, assessment }: Assessed, entries: readonly PostedEntry[]): NewEvent[] {
  const about = { merchantId: after.merchantId, environment: after.environment, resourceId: after.id }
  return assessment.tell.map((telling) =>
    typeof telling === 'string'
      ? { id: uuidv7(app.now()), ...about, event: telling, data: app.present.invoice(after) }
      : {
          id: uuidv7(app.now()),
          ...about,
          event: 'balance.credited',
          data: credited(after, telling, entries),
        },
  )
}

function credited(invoice: Invoice, credit: Credit, entries: readonly PostedEntry[]): object {
  const entryType = credit.late ? 'late_deposit' : 'deposit'
  const entry = entries.find((each) => each.subject === credit.payment.id && each.entryType === entryType)
  // The fee is part of the same transaction: report the balance after it.
  const last = entries.findLast((each) => each.subject === credit.payment.id)
  if (entry === undefined || last === undefined) throw new Error('A credit was told but not booked.')
  const { currency, network, decimals } = assetOf(invoice)
  return {
    currency,
    network,
    amount: formatDecimal(credit.payment.units, decimals),
    entry_type: entryType,
    ledger_entry_id: Number(entry.number),
    invoice_id: invoice.id,
    available: formatDecimal(last.balanceAfter, last.balanceDecimals),
  }
}
