import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'

/** The lowest and the highest price of a compute unit, in millionths of a lamport. */
export type ComputePrices = { readonly floor: bigint; readonly ceiling: bigint }

// Nodes take 128 at once.
const maxAccounts = 128
// Of 150 blocks, three quarters took a transaction at this price or below.
const share = { of: 3, in: 4 } as const

/**
 * What a compute unit costs where others write to the same accounts: the price that was enough for three quarters of the last
 * 150 blocks, within bounds. Not every node tells; then it is the lower bound.
 */
export async function nodeFeeRate(
  rpc: NodeRpc,
  accounts: readonly string[],
  { floor, ceiling }: ComputePrices,
): Promise<bigint> {
  const rate = await recentPrice(rpc, accounts.slice(0, maxAccounts))
  if (rate < floor) return floor
  return rate > ceiling ? ceiling : rate
}

async function recentPrice(rpc: NodeRpc, accounts: readonly string[]): Promise<bigint> {
  let answer: unknown
  try {
    answer = await rpc.call('getRecentPrioritizationFees', accounts)
  } catch (error) {
    if (error instanceof RpcRefusal) return 0n
    throw error
  }
  if (!Array.isArray(answer)) return unbelievable('recent fees are not a list')
  const prices = answer.map(readPrice).sort((a, b) => (a < b ? -1 : Number(a > b)))
  return prices[Math.ceil((prices.length * share.of) / share.in) - 1] ?? 0n
}

// Prices have 64 bits, more than a JSON number keeps exactly. Those are far above every bound.
function readPrice(answer: unknown): bigint {
  const { prioritizationFee: price } = (answer ?? {}) as { prioritizationFee?: unknown }
  return typeof price === 'number' && Number.isInteger(price) && price >= 0
    ? BigInt(price)
    : unbelievable('a recent fee is not a number')
}
