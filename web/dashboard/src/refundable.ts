import type { Invoice, Refund } from '@sluice/web/contract'
import { compareDecimals, difference } from './decimals.ts'

type Refunding = Pick<Refund, 'amount' | 'status'>

/**
 * How much of an invoice can still be refunded, and how much to propose: if it was overpaid, the excess. Refunds under
 * way count like completed ones; failed or cancelled ones do not.
 */
export function refundableOf(
  invoice: Pick<Invoice, 'amount_paid' | 'fee_amount' | 'amount_overpaid' | 'amount_refunded'>,
  refunds: readonly Refunding[] | null,
): { readonly most: string; readonly proposed: string } {
  const taken = refunds?.filter(({ status }) => status !== 'failed' && status !== 'cancelled')
  const left = (amount: string) => {
    // A user who may not view refunds sees only the completed ones.
    const rest =
      taken?.reduce((sum, refund) => difference(sum, refund.amount), amount) ??
      difference(amount, invoice.amount_refunded)
    return compareDecimals(rest, '0') > 0 ? rest : '0'
  }
  const most = left(difference(invoice.amount_paid, invoice.fee_amount))
  const excess = left(invoice.amount_overpaid)
  const isExcess = compareDecimals(excess, '0') > 0 && compareDecimals(excess, most) < 0
  return { most, proposed: isExcess ? excess : most }
}
