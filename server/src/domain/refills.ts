// Two hundred inputs with their previous transactions, twice that as text. A file that is larger is something else.
export const maxRefillFileBytes = 50_000_000

/** What a refill costs. */
export type RefillCosts = {
  readonly feeRate: bigint
  /** The size of a transaction with this many inputs, with or without change back to the cold wallet. */
  sizeOf(inputs: number, hasChange: boolean): bigint
  /** Change below this is not worth an output. */
  readonly dustUnits: bigint
  readonly maxInputs: number
}

export type RefillChoice<C> = {
  readonly inputs: readonly C[]
  /** Zero where nothing goes back to the cold wallet. */
  readonly changeUnits: bigint
  readonly feeUnits: bigint
}

/** The fewest coins of the cold wallet that bring exactly `units` to the hot wallet; null when they are too few. */
export function chooseRefillCoins<C extends { readonly units: bigint }>(
  coins: readonly C[],
  units: bigint,
  { feeRate, sizeOf, dustUnits, maxInputs }: RefillCosts,
): RefillChoice<C> | null {
  const largestFirst = [...coins].sort((a, b) => (a.units < b.units ? 1 : a.units > b.units ? -1 : 0))
  const inputs: C[] = []
  let sum = 0n
  for (const coin of largestFirst.slice(0, maxInputs)) {
    inputs.push(coin)
    sum += coin.units
    const feeUnits = feeRate * sizeOf(inputs.length, true)
    const changeUnits = sum - units - feeUnits
    if (changeUnits >= dustUnits) return { inputs, changeUnits, feeUnits }
    // What would be too little for an output goes to the fee.
    if (sum - units >= feeRate * sizeOf(inputs.length, false))
      return { inputs, changeUnits: 0n, feeUnits: sum - units }
  }
  return null
}
