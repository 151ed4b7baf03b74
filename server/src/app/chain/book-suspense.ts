import { balanceDecimals } from '../../domain/assets.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { confirmationsOf } from '../../domain/invoices.ts'
import { suspensePostings, suspenseReleasePostings } from '../../domain/ledger.ts'
import type { SuspensePayment } from '../../store/invoices/payments.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { tellReleased } from '../suspense/tell-released.ts'

type Move = { readonly payment: SuspensePayment; readonly deep: boolean; readonly occurrence: number }

/**
 * Books payments that belong to no invoice once they are deep enough, and reverses them when a reorganisation removes them,
 * inside the caller's transaction. Their owner is never guessed: they stay in suspense until an operator decides. A release
 * is booked and reversed together with its payment.
 */
export async function bookSuspense(
  app: Pick<App, 'assets' | 'now'>,
  tx: Store,
  paymentIds: readonly string[],
): Promise<void> {
  const payments = await tx.payments.lockInSuspense(paymentIds)
  const moves = payments.flatMap((payment): Move[] => {
    const deep = isDeep(payment)
    const credited = payment.booking?.credited ?? false
    if (deep === credited) return []
    const occurrence = (payment.booking?.credits ?? 0) + (deep ? 1 : 0)
    return [{ payment, deep, occurrence }]
  })
  await tx.payments.saveBookings(
    moves.map(({ payment, deep, occurrence }) => ({
      paymentId: payment.id,
      credited: deep,
      credits: occurrence,
      late: false,
      feeUnits: 0n,
      // Funds in suspense belong to no merchant, so no merchant's clock dates them.
      at: app.now(),
    })),
  )
  const entries = await tx.ledger.post(
    moves.flatMap(postings).map((transaction) => ({ ...transaction, id: uuidv7(app.now()) })),
    (currency) => balanceDecimals(app.assets, currency),
  )
  await tellReleased(
    app,
    tx,
    moves.flatMap(({ payment, deep }) => (deep ? [payment] : [])),
    entries,
  )
}

/** Whether the payment has the confirmations it needs. */
function isDeep(payment: SuspensePayment): boolean {
  return confirmationsOf(payment, payment.tip) >= BigInt(payment.requiredConfirmations)
}

function postings({ payment, deep, occurrence }: Move) {
  const direction = deep ? 'book' : 'reverse'
  const kind = payment.suspenseReason === 'operator_float' ? 'float' : 'suspense'
  const { release } = payment
  return [
    suspensePostings(payment, payment, occurrence, direction, kind),
    ...(release === null ? [] : [suspenseReleasePostings(payment, payment, release, occurrence, direction)]),
  ]
}
