import { formatDecimal } from './money.ts'
import type { Network } from './networks/network.ts'
import type { Payout } from './payouts.ts'

/** The funds that back a payout at one moment. */
export type Backing = {
  /** The merchant's available balance of the payout's asset; this payout's own charge is already deducted. */
  readonly availableUnits: bigint
  /** For a refund: what its invoice is credited with, and what other refunds of it have taken. Null for other payouts. */
  readonly credit: { readonly creditedUnits: bigint; readonly refundedUnits: bigint } | null
}

/**
 * Why a payout lacks cover and must wait, in words for a person; null when it is covered. A reorganisation can take back
 * a deposit that the payout was going to spend. Sent anyway, the payout would spend other merchants' funds.
 */
export function backingObjection(
  payout: Pick<Payout, 'amountUnits' | 'currency' | 'decimals'>,
  { name }: Pick<Network, 'name'>,
  { availableUnits, credit }: Backing,
): string | null {
  const shown = (units: bigint) => `${formatDecimal(units, payout.decimals)} ${payout.currency}`
  if (availableUnits < 0n)
    return `The balance on ${name} is ${shown(availableUnits)} because a reorganisation of the chain took back a deposit. No payout leaves until the shortfall is covered. Pay in the missing amount, or cancel payouts.`
  if (credit === null) return null
  const leftUnits = credit.creditedUnits - credit.refundedUnits
  return payout.amountUnits <= leftUnits
    ? null
    : `Its invoice is now credited with ${shown(credit.creditedUnits)}, of which other refunds took ${shown(credit.refundedUnits)}. A refund cannot exceed the rest. It continues if the invoice is paid again; cancel it to release its funds.`
}
