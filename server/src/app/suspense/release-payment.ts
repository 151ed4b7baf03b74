import { balanceDecimals } from '../../domain/assets.ts'
import type { Actor } from '../../domain/audit-log.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { confirmationsOf } from '../../domain/invoices.ts'
import { suspenseReleasePostings } from '../../domain/ledger.ts'
import { formatDecimal } from '../../domain/money.ts'
import type { SuspensePayment } from '../../store/invoices/payments.ts'
import type { HeldPayment } from '../../store/invoices/suspense.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { tellReleased } from './tell-released.ts'

export type Releasing = {
  readonly paymentId: string
  readonly merchantId: string
  /** The reason, for the merchant's ledger and the audit log. */
  readonly note: string
}

/** Credits a merchant with a whole payment from suspense, for good: a ledger adjustment, an event and an audit entry. */
export async function releasePayment(
  app: App,
  by: Actor,
  { paymentId, merchantId, note }: Releasing,
): Promise<HeldPayment> {
  await app.transaction(async (tx) => {
    if ((await tx.merchants.find(merchantId)) === null)
      throw new ServiceError('not_found', `There is no merchant ${merchantId}. See: npx sluice merchant list`)
    const [payment] = await tx.payments.lockInSuspense([paymentId])
    const booking = releasable(payment)
    await tx.suspense.release(paymentId, { merchantId, by: by.actor, note })
    const released = { ...booking.payment, release: { merchantId, note } }
    const entries = await tx.ledger.post(
      [
        {
          ...suspenseReleasePostings(released, released, released.release, booking.credits, 'book'),
          id: uuidv7(app.now()),
        },
      ],
      (currency) => balanceDecimals(app.assets, currency),
    )
    await tellReleased(app, tx, [released], entries)
    // The merchant may never have had this asset: from now on its balance is listed.
    const { environment, currency, network, decimals } = released
    await tx.balances.change([
      {
        merchantId,
        environment,
        currency,
        network,
        decimals,
        pendingUnits: 0n,
        receivedUnits: 0n,
        feeUnits: 0n,
      },
    ])
    await noteRelease(tx, by, released, note)
  })
  return found(await app.store.suspense.find(paymentId))
}

function found(payment: HeldPayment | null): HeldPayment {
  if (payment === null) throw new Error('A payment was released but cannot be found.')
  return payment
}

function releasable(payment: SuspensePayment | undefined): { payment: SuspensePayment; credits: number } {
  if (payment === undefined)
    throw new ServiceError('not_found', 'There is no such payment in suspense. See: npx sluice suspense list')
  if (payment.suspenseReason === 'operator_float')
    throw new ServiceError('conflict', 'This payment is your own float: it was sent to the hot wallet.')
  if (payment.release !== null)
    throw new ServiceError(
      'conflict',
      `This payment was already released, to merchant ${payment.release.merchantId}.`,
    )
  if (!payment.booking?.credited)
    throw new ServiceError(
      'conflict',
      `This payment is not confirmed: it has ${confirmationsOf(payment, payment.tip)} of ` +
        `${payment.requiredConfirmations} confirmations. Release it once it has them.`,
    )
  return { payment, credits: payment.booking.credits }
}

async function noteRelease(
  tx: Store,
  by: Actor,
  { id, environment, units, decimals, currency, network, txHash, suspenseReason, release }: SuspensePayment,
  note: string,
): Promise<void> {
  await noteAct(tx, by, release?.merchantId ?? null, {
    environment,
    action: 'suspense.released',
    subject: id,
    details: {
      amount: formatDecimal(units, decimals),
      currency,
      network,
      tx_hash: txHash,
      reason: suspenseReason,
      note,
    },
  })
}
