import type { CoinChoice } from './coin-selection.ts'
import { divide } from './money.ts'

/** When the small coins of a gate are consolidated. */
export type ConsolidationPolicy = {
  /** Only while the fee rate is no higher than this. */
  readonly belowRate: bigint
  /** Only when there are more coins than this. */
  readonly coins: number
  /** The most coins that one transaction consolidates. */
  readonly maxInputs: number
}

/** The coins that are worth more than it costs to spend them. */
export type SpendableCoins<C> = {
  readonly count: number
  readonly units: bigint
  /** The smallest coins, in ascending order: as many as one transaction may consolidate. */
  readonly smallest: readonly C[]
  /** The largest coins: as many as one transaction may spend. */
  readonly largest: readonly C[]
}

export type ConsolidationCosts = {
  readonly feeRate: bigint
  /** The size of a transaction with this many inputs and one output to ourselves. */
  sizeOf(inputs: number): bigint
  readonly dustUnits: bigint
}

// Half of the funds stay available for payouts that are yet to come.
const consolidatedPart = 2n

/** The cost of one more input. A coin worth no more than this is not worth spending. */
export function inputCost({ feeRate, sizeOf }: ConsolidationCosts): bigint {
  return feeRate * (sizeOf(2) - sizeOf(1))
}

/**
 * The smallest coins to consolidate into one, or null when it is not worthwhile: there are too few coins, or too few
 * may be taken. At least half of the funds are left alone, and the largest of the remaining coins cover `keptUnits`
 * after the cost of spending them.
 */
export function chooseToConsolidate<C extends { readonly units: bigint }>(
  { count, units, smallest, largest }: SpendableCoins<C>,
  policy: ConsolidationPolicy,
  costs: ConsolidationCosts,
  keptUnits: bigint,
): (CoinChoice<C> & { readonly changeUnits: bigint }) | null {
  if (count <= policy.coins) return null
  const cost = inputCost(costs)
  const most = divide(units, consolidatedPart, 'down')
  let left = largest.reduce((sum, coin) => sum + coin.units - cost, 0n)
  // The largest coins are used only when there are no others left.
  const fromLargest = count - largest.length
  const inputs: C[] = []
  let sum = 0n
  for (const coin of smallest.slice(0, policy.maxInputs)) {
    if (inputs.length >= fromLargest) left -= coin.units - cost
    if (sum + coin.units > most || left < keptUnits) break
    inputs.push(coin)
    sum += coin.units
  }
  if (inputs.length < 2) return null
  const feeUnits = costs.feeRate * costs.sizeOf(inputs.length)
  const changeUnits = sum - feeUnits
  return changeUnits < costs.dustUnits ? null : { inputs, feeUnits, changeUnits }
}
