import { formatDecimal } from './money.ts'
import type { Network } from './networks/network.ts'
import type { Payout } from './payouts.ts'

/** What stands behind a payout at one moment. */
export type Backing = {
  /** What the merchant has available of the payout's asset on its network; what the payout takes has left it already. */
  readonly availableUnits: bigint
  /** Of a refund: what its invoice is credited with, and what other refunds of it have taken. Null for any other payout. */
  readonly credit: { readonly creditedUnits: bigint; readonly refundedUnits: bigint } | null
}

/**
 * Why a payout may not be let go because nothing stands behind it, in words for a person; null when it may. A reorganisation can
 * take a deposit back after it was promised to somebody: what left then would be other people's coins.
 */
export function backingObjection(
  payout: Pick<Payout, 'amountUnits' | 'currency' | 'decimals'>,
  { name }: Pick<Network, 'name'>,
  { availableUnits, credit }: Backing,
): string | null {
  const shown = (units: bigint) => `${formatDecimal(units, payout.decimals)} ${payout.currency}`
  if (availableUnits < 0n)
    return `The balance on ${name} is ${shown(availableUnits)}: a reorganisation of the chain has taken a deposit back. Nothing of it is let go before that is covered. Pay in what is missing, or cancel payouts.`
  if (credit === null) return null
  const leftUnits = credit.creditedUnits - credit.refundedUnits
  return payout.amountUnits <= leftUnits
    ? null
    : `Its invoice is credited with ${shown(credit.creditedUnits)} now, and ${shown(credit.refundedUnits)} of that went to other refunds: a refund never exceeds that. It goes on if the invoice is paid again; cancel it to have its funds back.`
}
