import { balanceDecimals } from '../../domain/assets.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { confirmationsOf } from '../../domain/invoices.ts'
import { suspensePostings } from '../../domain/ledger.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'

/**
 * Books payments that belong to no invoice once they are deep enough, and takes them back when a reorganisation does,
 * inside the caller's transaction. Nobody's money is guessed to be somebody's: it waits in suspense for a person.
 */
export async function bookSuspense(
  app: Pick<App, 'assets' | 'now'>,
  tx: Store,
  paymentIds: readonly string[],
): Promise<void> {
  const payments = await tx.payments.lockInSuspense(paymentIds)
  const moves = payments.flatMap((payment) => {
    const deep = confirmationsOf(payment, payment.tip) >= BigInt(payment.requiredConfirmations)
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
    })),
  )
  await tx.ledger.post(
    moves.map(({ payment, deep, occurrence }) => ({
      ...suspensePostings(
        payment,
        payment,
        occurrence,
        deep ? 'book' : 'reverse',
        payment.suspenseReason === 'operator_float' ? 'float' : 'suspense',
      ),
      id: uuidv7(app.now()),
    })),
    (currency) => balanceDecimals(app.assets, currency),
  )
}
