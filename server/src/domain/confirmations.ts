/** A payment of at least this amount of the native currency needs this many confirmations. */
export type ConfirmationTier = { readonly fromUnits: bigint; readonly confirmations: number }

/**
 * The confirmations that payments on a network need: the minimum for all, and tiers for larger payments in the native
 * currency, in ascending order.
 */
export type Depths = {
  readonly confirmations: number
  readonly confirmationTiers: readonly ConfirmationTier[]
}

type Coin = { readonly contractAddress: string | null }

/** The confirmations that a payment of this amount needs before it counts. */
export function depthOf(depths: Depths, coin: Coin, units: bigint): number {
  return Math.max(depths.confirmations, tierOf(depths, coin, units))
}

/**
 * The confirmations that one payment needs before it counts. `stakedUnits` is everything its transaction pays us, since
 * a reorganisation undoes all of it at once: splitting a payment gains the payer nothing. `promised` is the number its
 * invoice states, based on the invoice's whole amount; null where there is none. `least` is the number the network
 * itself requires before the output can be spent.
 */
export function paymentDepth(
  depths: Depths,
  coin: Coin,
  {
    stakedUnits,
    promised,
    least,
  }: { readonly stakedUnits: bigint; readonly promised: number | null; readonly least: number },
): number {
  return Math.max(promised ?? depths.confirmations, tierOf(depths, coin, stakedUnits), least)
}

// Tiers are in the native currency; there is no rate to convert a token's amount into it.
function tierOf({ confirmationTiers }: Depths, { contractAddress }: Coin, units: bigint): number {
  if (contractAddress !== null) return 0
  return confirmationTiers.findLast(({ fromUnits }) => units >= fromUnits)?.confirmations ?? 0
}
