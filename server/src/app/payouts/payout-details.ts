import { formatDecimal } from '../../domain/money.ts'
import type { Payout } from '../../domain/payouts.ts'

/** What the audit log says about a payout: how much, and to whom. An exchange has one address for all; their tag tells customers apart. */
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
