/** The costs of a transaction that pays the cold wallet and returns change. */
export type ColdCosts = {
  readonly feeRate: bigint
  /** The size of a transaction with this many inputs, an output to the cold wallet and change. */
  sizeOf(inputs: number): bigint
  /** Change below this is not worth an output. */
  readonly dustUnits: bigint
  readonly maxInputs: number
}

export type ColdChoice<C> = {
  readonly inputs: readonly C[]
  readonly coldUnits: bigint
  readonly changeUnits: bigint
  readonly feeUnits: bigint
}

// The change can pay this many times the fee, so that the transaction can be replaced at a higher one.
const raises = 4n

/**
 * The coins of a move to the cold wallet, `units` at most; null when too few may be taken. Change is not spendable until the
 * transaction is final, so coins worth `waitingUnits` after the cost of spending them are left alone for waiting payouts.
 */
export function chooseColdCoins<C extends { readonly units: bigint }>(
  coins: readonly C[],
  units: bigint,
  waitingUnits: bigint,
  costs: ColdCosts,
): ColdChoice<C> | null {
  const inputCost = costs.feeRate * (costs.sizeOf(2) - costs.sizeOf(1))
  const largestFirst = coins
    .filter((coin) => coin.units > inputCost)
    .sort((a, b) => (a.units < b.units ? 1 : a.units > b.units ? -1 : 0))
  const free = withoutWaiting(largestFirst, waitingUnits, inputCost)
  const inputs: C[] = []
  let sum = 0n
  for (const coin of free.slice(0, costs.maxInputs)) {
    inputs.push(coin)
    sum += coin.units
    const feeUnits = costs.feeRate * costs.sizeOf(inputs.length)
    if (sum >= units + feeUnits + leastChange(costs, feeUnits))
      return { inputs, coldUnits: units, feeUnits, changeUnits: sum - units - feeUnits }
  }
  // All of them together are less: everything but the smallest change that allows for a higher fee.
  const feeUnits = costs.feeRate * costs.sizeOf(inputs.length)
  const changeUnits = leastChange(costs, feeUnits)
  const coldUnits = sum - feeUnits - changeUnits
  return inputs.length === 0 || coldUnits < costs.dustUnits
    ? null
    : { inputs, coldUnits, feeUnits, changeUnits }
}

function leastChange({ dustUnits }: ColdCosts, feeUnits: bigint): bigint {
  return dustUnits + raises * feeUnits
}

/** The coins without those that waiting payouts need: the smallest single one that is enough, or the largest ones. */
function withoutWaiting<C extends { readonly units: bigint }>(
  largestFirst: readonly C[],
  waitingUnits: bigint,
  inputCost: bigint,
): readonly C[] {
  if (waitingUnits <= 0n) return largestFirst
  const single = largestFirst.findLast(({ units }) => units - inputCost >= waitingUnits)
  if (single !== undefined) return largestFirst.filter((coin) => coin !== single)
  let left = waitingUnits
  return largestFirst.filter(({ units }) => {
    const isKept = left > 0n
    if (isKept) left -= units - inputCost
    return !isKept
  })
}
