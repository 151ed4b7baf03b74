import { divide } from './money.ts'

// What a transfer to an account without a program takes, exactly.
const plainGas = 21_000n
// Between trying a transfer and mining it, what it touches may change: a receiver that has nothing yet, a longer list.
const margin = { times: 5n, of: 4n } as const
// More than any transfer has a reason to take, and little enough for any block.
const mostGas = 2_000_000n

/** The limit to set for a transfer that took so much when it was tried; null when nobody should pay for so much. */
export function gasLimitFor(gas: bigint): bigint | null {
  if (gas <= plainGas) return plainGas
  const limit = divide(gas * margin.times, margin.of, 'up')
  return limit > mostGas ? null : limit
}
