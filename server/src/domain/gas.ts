import { divide } from './money.ts'

// What a transfer to an account without a program takes, exactly.
const plainGas = 21_000n
// Between trying a transfer and mining it, what it touches may change: a receiver that has nothing yet, a longer list.
const margin = { times: 5n, of: 4n } as const
// More than any transfer has a reason to take, and little enough for any block.
const mostGas = 2_000_000n

/**
 * The limit to set for a transfer that took so much when it was tried, and may take as much as `worst` if what it finds
 * changes; null when nobody should pay for so much.
 */
export function gasLimitFor(gas: bigint, worst = gas): bigint | null {
  if (worst <= plainGas) return plainGas
  let limit = divide(gas * margin.times, margin.of, 'up')
  if (limit < worst) limit = worst
  return limit > mostGas ? null : limit
}
