/** What a transaction must pay, and the cost of its size. */
export type CoinDemand = {
  /** The sum of the payments, without the network fee. */
  readonly units: bigint
  /** The fee per unit of size. */
  readonly feeRate: bigint
  /** The size with this many inputs, with or without a change output. */
  sizeOf(inputs: number, withChange: boolean): bigint
  /** Change below this is left to the network. */
  readonly dustUnits: bigint
  readonly maxInputs: number
}

export type CoinChoice<C> = {
  readonly inputs: readonly C[]
  /** The network fee: inputs minus payments minus change. */
  readonly feeUnits: bigint
  /** Null where the remainder is not worth an output. */
  readonly changeUnits: bigint | null
}

const maxTries = 20_000

/**
 * Chooses the coins to spend; null when all coins together are not enough. The first choice is a set that leaves no
 * change (branch and bound, as in Bitcoin Core; it gives away no more than a change output would cost), the second the
 * smallest single coin that is enough, the third the largest coins until they are enough.
 */
export function chooseCoins<C extends { readonly units: bigint }>(
  coins: readonly C[],
  demand: CoinDemand,
): CoinChoice<C> | null {
  const largestFirst = [...coins].sort((a, b) => (a.units < b.units ? 1 : a.units > b.units ? -1 : 0))
  const exact = withoutChange(largestFirst, demand)
  if (exact !== null) return completed(exact, demand)
  const single = largestFirst.findLast(({ units }) => units >= demand.units + feeOf(demand, 1, true))
  if (single !== undefined) return completed([single], demand)
  const taken: C[] = []
  let sum = 0n
  for (const coin of largestFirst.slice(0, demand.maxInputs)) {
    // From here on, coins cost more to spend than they are worth.
    if (coin.units <= feeOf(demand, taken.length + 1, false) - feeOf(demand, taken.length, false)) break
    taken.push(coin)
    sum += coin.units
    if (sum >= demand.units + feeOf(demand, taken.length, true)) return completed(taken, demand)
  }
  return taken.length > 0 && sum >= demand.units + feeOf(demand, taken.length, false)
    ? completed(taken, demand)
    : null
}

function feeOf({ feeRate, sizeOf }: CoinDemand, inputs: number, withChange: boolean): bigint {
  return feeRate * sizeOf(inputs, withChange)
}

function completed<C extends { readonly units: bigint }>(
  inputs: readonly C[],
  demand: CoinDemand,
): CoinChoice<C> {
  const sum = inputs.reduce((total, { units }) => total + units, 0n)
  const changeUnits = sum - demand.units - feeOf(demand, inputs.length, true)
  return changeUnits >= demand.dustUnits
    ? { inputs, feeUnits: sum - demand.units - changeUnits, changeUnits }
    : { inputs, feeUnits: sum - demand.units, changeUnits: null }
}

/** A set so close to the demand that change would cost more than the remainder; null when none is found in time. */
function withoutChange<C extends { readonly units: bigint }>(
  coins: readonly C[],
  demand: CoinDemand,
): C[] | null {
  const costOfChange = feeOf(demand, 1, true) - feeOf(demand, 1, false) + demand.dustUnits
  const inputCost = feeOf(demand, 2, false) - feeOf(demand, 1, false)
  const worthwhile = coins.filter(({ units }) => units > inputCost)
  const target = demand.units + feeOf(demand, 1, false) - inputCost
  const left: bigint[] = [0n]
  for (const { units } of [...worthwhile].reverse()) left.unshift((left[0] as bigint) + units - inputCost)
  let tries = 0

  function search(at: number, sum: bigint, taken: readonly C[]): C[] | null {
    if (sum >= target && sum <= target + costOfChange && taken.length > 0) return [...taken]
    const coin = worthwhile[at]
    if (coin === undefined || sum > target || sum + (left[at] as bigint) < target) return null
    if (taken.length === demand.maxInputs || ++tries > maxTries) return null
    return search(at + 1, sum + coin.units - inputCost, [...taken, coin]) ?? search(at + 1, sum, taken)
  }
  return search(0, 0n, [])
}
