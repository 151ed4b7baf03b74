import { formatDecimal } from './money.ts'
import type { Network } from './networks/network.ts'
import type { Payout } from './payouts.ts'
import { say } from './reasons/reasons.ts'

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
  if (availableUnits < 0n) return say('balance_negative', { network: name, amount: shown(availableUnits) })
  if (credit === null) return null
  const leftUnits = credit.creditedUnits - credit.refundedUnits
  return payout.amountUnits <= leftUnits
    ? null
    : say('credit_too_low', { amount: shown(credit.creditedUnits), refunded: shown(credit.refundedUnits) })
}
