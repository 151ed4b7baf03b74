import { divide } from './money.ts'

// The exact gas of a plain transfer to an account without a contract.
const plainGas = 21_000n
// State may change between the simulation and the block, and cost more gas: an empty receiver, a longer list.
const margin = { times: 5n, of: 4n } as const
// More than any transfer reasonably needs, and small enough for any block.
const mostGas = 2_000_000n

/**
 * The gas limit for a transfer that used `gas` when it was simulated, and may use up to `worst` if the state changes;
 * null when that is more than a transfer should cost.
 */
export function gasLimitFor(gas: bigint, worst = gas): bigint | null {
  if (worst <= plainGas) return plainGas
  let limit = divide(gas * margin.times, margin.of, 'up')
  if (limit < worst) limit = worst
  return limit > mostGas ? null : limit
}
