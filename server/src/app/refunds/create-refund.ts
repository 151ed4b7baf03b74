import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import type { Invoice } from '../../domain/invoices.ts'
import { formatDecimal } from '../../domain/money.ts'
import type { Refund } from '../../domain/payouts.ts'
import type { NewPayout } from '../../store/payouts/payout-rows.ts'
import type { NewRefund } from '../../store/payouts/refunds.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { requestHash } from '../idempotency.ts'
import { noSuchInvoice } from '../invoices/get-invoice.ts'
import {
  type PayoutDrafter,
  type PayoutRequest,
  payoutDrafter,
  type ReadPayout,
  readPayout,
} from '../payouts/draft-payout.ts'
import { payoutDetails } from '../payouts/payout-details.ts'
import { reservePayouts } from '../payouts/reserve-payouts.ts'

export type RefundRequest = PayoutRequest & { readonly invoiceId: string }

export type CreatedRefund = { readonly refund: Refund; readonly replayed: boolean }

export type RefundCreator = (
  caller: Caller,
  request: RefundRequest,
  idempotency: {
    readonly key: string | null
    /** The body as sent, to tell a repeated request from a different one with the same key. */
    readonly body: Readonly<Record<string, unknown>>
  },
) => Promise<CreatedRefund>

/**
 * Makes the use case: refunds the credited amount of an invoice through a payout. The refunds of an invoice never exceed its
 * credit in total: each is decided under the invoice's lock, so that other refunds wait, and so does a reorganisation that
 * reverses the deposit.
 */
export function refundCreator(app: App, draft: PayoutDrafter = payoutDrafter(app)): RefundCreator {
  return async (caller, request, { key, body }) => {
    const read = readPayout(app, request)
    const invoice = await app.store.invoices.find(caller, request.invoiceId)
    if (invoice === null) throw noSuchInvoice()
    const hash = key === null ? null : requestHash(body)
    const earlier = hash === null ? null : await replay(caller, key as string, hash)
    if (earlier !== null) return earlier

    try {
      await refuseBeyondCredit(app.store, invoice, read)
    } catch (error) {
      // The same request may have used up the credit since the key was checked.
      const first = hash === null ? null : await replay(caller, key as string, hash)
      if (first !== null) return first
      throw error
    }
    const feeBps = caller.merchant.refundFeeBps
    const id = uuidv7(app.now())
    const terms = { idempotencyKey: null, requestHash: null, refundId: id, feeBps }
    const payout = await draft(caller, request, read, terms)
    const refund: NewRefund = {
      id,
      merchantId: caller.merchantId,
      environment: caller.environment,
      invoiceId: request.invoiceId,
      payoutId: payout.id,
      amountUnits: payout.amountUnits,
      idempotencyKey: key,
      requestHash: hash,
    }
    const made = await claim(caller, refund, payout, read)
    if (made !== 'taken') return { refund: made, replayed: false }
    const first = hash === null ? null : await replay(caller, key as string, hash)
    if (first === null) throw new Error('A refund was neither made nor found.')
    return first
  }

  async function claim(
    caller: Caller,
    refund: NewRefund,
    payout: NewPayout,
    read: ReadPayout,
  ): Promise<Refund | 'taken'> {
    const { id, invoiceId, idempotencyKey } = refund
    try {
      return await app.transaction(async (tx) => {
        const held = await tx.invoices.lock(refund, invoiceId)
        if (held === null) throw noSuchInvoice()
        // The same request may have held the lock before.
        if (idempotencyKey !== null && (await tx.refunds.findByKey(refund, idempotencyKey)) !== null)
          throw new KeyTaken()
        await refuseBeyondCredit(tx, held.invoice, read)
        const [reserved] = await reservePayouts(app, tx, [payout])
        if (reserved instanceof ServiceError) throw reserved
        if (reserved === undefined || reserved === 'taken') throw new Error('A refund’s payout has no key.')
        const added = await tx.refunds.insert(refund)
        // A refund of another invoice took the key; rolling back undoes the reservation.
        if (added === null) throw new KeyTaken()
        const details = { invoice_id: invoiceId, payout_id: reserved.id, ...payoutDetails(reserved) }
        await noteActOf(tx, caller, { action: 'refund.created', subject: id, details })
        return { id, invoiceId, idempotencyKey, createdAt: added.createdAt, payout: reserved }
      })
    } catch (error) {
      if (error instanceof KeyTaken) return 'taken'
      throw error
    }
  }

  async function replay(caller: Caller, key: string, hash: Buffer): Promise<CreatedRefund | null> {
    const earlier = await app.store.refunds.findByKey(caller, key)
    if (earlier === null) return null
    if (earlier.requestHash.equals(hash)) return { refund: earlier.refund, replayed: true }
    throw new ServiceError(
      'conflict',
      'This idempotency key was used for a different refund. Use a new key, or repeat the first request unchanged.',
    )
  }
}

/** Rolls back the transaction because its idempotency key is already taken. */
class KeyTaken extends Error {}

async function refuseBeyondCredit(store: Store, invoice: Invoice, read: ReadPayout): Promise<void> {
  const { asset } = invoice
  // Confirmed payments, including late ones, less their fees; reversals have reduced both.
  const creditedUnits = invoice.paidUnits - invoice.feeUnits
  if (asset === null || creditedUnits <= 0n)
    throw new ServiceError('invalid_state', 'This invoice has no credited payments to refund.', [
      '/invoice_id: has no credited payments',
    ])
  if (asset.currency !== read.currency || asset.network !== read.asset.network.id)
    throw exceeds(
      `This invoice was credited only in ${asset.currency} on ${asset.network}.`,
      `/currency: must be ${asset.currency} on the network ${asset.network}`,
    )
  const leftUnits = creditedUnits - (await store.refunds.claimed(invoice.id))
  if (read.units <= leftUnits) return
  const left = `${formatDecimal(leftUnits > 0n ? leftUnits : 0n, asset.decimals)} ${asset.currency}`
  throw exceeds(`At most ${left} of this invoice can still be refunded.`, `/amount: must be at most ${left}`)
}

function exceeds(message: string, detail: string): ServiceError {
  return new ServiceError('refund_exceeds_credited', message, [detail])
}
