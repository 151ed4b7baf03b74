import { formatDecimal } from '../../domain/money.ts'
import type { Payout } from '../../domain/payouts.ts'

/** What the audit log says about a payout: how much, and to whom. */
export function payoutDetails({
  destination,
  amountUnits,
  decimals,
  currency,
}: Pick<Payout, 'destination' | 'amountUnits' | 'decimals' | 'currency'>) {
  return { destination, amount: formatDecimal(amountUnits, decimals), currency }
}
