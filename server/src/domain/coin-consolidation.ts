import type { CoinChoice } from './coin-selection.ts'
import { divide } from './money.ts'

/** When small coins of a gate are joined. */
export type ConsolidationPolicy = {
  /** Only while a unit of size costs no more than this. */
  readonly belowRate: bigint
  /** Only when more coins than this lie there. */
  readonly coins: number
  /** The most that one transaction joins. */
  readonly maxInputs: number
}

/** What lies there of coins that are worth what spending them costs. */
export type SpendableCoins<C> = {
  readonly count: number
  readonly units: bigint
  /** The smallest ones, the smallest first: as many as one transaction may join. */
  readonly smallest: readonly C[]
  /** The largest ones: as many as one transaction may spend. */
  readonly largest: readonly C[]
}

export type ConsolidationCosts = {
  readonly feeRate: bigint
  /** The size of a transaction with so many inputs and one output, to ourselves. */
  sizeOf(inputs: number): bigint
  readonly dustUnits: bigint
}

// A half stays at hand for payouts that nobody has asked for yet.
const consolidatedPart = 2n

/** What one more input costs. A coin that is worth no more is better left where it is. */
export function inputCost({ feeRate, sizeOf }: ConsolidationCosts): bigint {
  return feeRate * (sizeOf(2) - sizeOf(1))
}

/**
 * The smallest coins to join into one, or null when that is not worth it: too few lie there, or too few may be taken.
 * What is left alone is at least half of everything, and its largest coins, less what spending them costs, are enough
 * for `keptUnits`.
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
  // The largest ones are met only when no other ones are there.
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
