import { uuidv7 } from '../../domain/ids.ts'
import { formatDecimal } from '../../domain/money.ts'
import type { SuspensePayment } from '../../store/invoices/payments.ts'
import type { PostedEntry } from '../../store/ledger/ledger.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'

/** Appends the merchants' events for credits from suspense, in the transaction that books them. */
export async function tellReleased(
  app: Pick<App, 'now'>,
  tx: Store,
  payments: readonly SuspensePayment[],
  entries: readonly PostedEntry[],
): Promise<void> {
  await tx.events.append(
    ...payments.flatMap((payment) => {
      const entry = entries.find(
        ({ subject, entryType }) => subject === payment.id && entryType === 'adjustment',
      )
      if (payment.release === null || entry === undefined) return []
      const { currency, network, units, decimals, environment } = payment
      return [
        {
          id: uuidv7(app.now()),
          merchantId: payment.release.merchantId,
          environment,
          resourceId: payment.id,
          event: 'balance.credited' as const,
          data: {
            currency,
            network,
            amount: formatDecimal(units, decimals),
            entry_type: entry.entryType,
            ledger_entry_id: Number(entry.number),
            invoice_id: null,
            available: formatDecimal(entry.balanceAfter, entry.balanceDecimals),
          },
        },
      ]
    }),
  )
}
