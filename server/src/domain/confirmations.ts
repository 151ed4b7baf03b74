/** From this amount of a network's own coin on, a payment must be so deep. */
export type ConfirmationTier = { readonly fromUnits: bigint; readonly confirmations: number }

/** How deep payments of a network must be: all of them, and larger ones of its own coin. Tiers rise. */
export type Depths = {
  readonly confirmations: number
  readonly confirmationTiers: readonly ConfirmationTier[]
}

type Coin = { readonly contractAddress: string | null }

/** How deep a payment of this amount must be before it counts. */
export function depthOf(depths: Depths, coin: Coin, units: bigint): number {
  return Math.max(depths.confirmations, tierOf(depths, coin, units))
}

/**
 * How deep one payment must be before it counts. `stakedUnits` is all that its transaction pays us, since all of it can be
 * undone at once: who splits a payment wins nothing. `promised` is what its invoice asks for, by its whole amount; null
 * where there is none. `least` is what the network itself asks for before it can be spent.
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

// Tiers are in the network's own coin: nothing says what so much of a token is worth in it.
function tierOf({ confirmationTiers }: Depths, { contractAddress }: Coin, units: bigint): number {
  if (contractAddress !== null) return 0
  return confirmationTiers.findLast(({ fromUnits }) => units >= fromUnits)?.confirmations ?? 0
}
