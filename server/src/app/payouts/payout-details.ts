import { formatDecimal } from '../../domain/money.ts'
import type { Payout } from '../../domain/payouts.ts'

/** What the audit log says about a payout: the amount and the destination. An exchange tells its customers apart by the tag. */
export function payoutDetails({
  destination,
  destinationTag,
  network,
  amountUnits,
  decimals,
  currency,
}: Pick<Payout, 'destination' | 'destinationTag' | 'network' | 'amountUnits' | 'decimals' | 'currency'>) {
  return {
    destination,
    ...(destinationTag !== null && { destination_tag: destinationTag }),
    network,
    amount: formatDecimal(amountUnits, decimals),
    currency,
  }
}
