import { divide } from '../../domain/money.ts'
import { say } from '../../domain/reasons/reasons.ts'
import type { SigningTerms } from '../account-refill.ts'
import { type NodeRpc, type RpcAnswer, resultOf } from '../json-rpc.ts'
import { readBlock, readQuantity } from './node-answers.ts'

/** The lowest and the highest price of a unit of gas, in wei. */
export type GasBounds = { readonly floor: bigint; readonly ceiling: bigint }

// EIP-1559 raises the base fee by an eighth after a full block. This leaves room for two full blocks.
const roomNumerator = 81n
const roomDenominator = 64n

/** Why nothing is mined at the ceiling: the base fee alone is higher. Null when it is not, or there is no base fee. */
export async function gasTooDear(
  rpc: NodeRpc,
  { ceiling }: GasBounds,
  network: string,
): Promise<string | null> {
  const { baseFee } = readBlock(await rpc.call('eth_getBlockByNumber', 'latest', false))
  return baseFee !== null && baseFee > ceiling
    ? say('gas_too_dear', { network, least: baseFee, most: ceiling })
    : null
}

/**
 * A gas price that gets a transaction mined soon: the base fee with room for two full blocks, plus the tip that the node
 * suggests. On chains without a base fee, the gas price that the node suggests.
 */
export async function nodeFeeRate(rpc: NodeRpc, { floor, ceiling }: GasBounds): Promise<bigint> {
  const [newest, price, tip] = await rpc.batch([
    ['eth_getBlockByNumber', 'latest', false],
    ['eth_gasPrice'],
    ['eth_maxPriorityFeePerGas'],
  ])
  const { baseFee } = readBlock(resultOf(newest))
  let rate: bigint
  if (baseFee === null) rate = readQuantity(resultOf(price))
  else rate = divide(baseFee * roomNumerator, roomDenominator, 'up') + tipIn(tip, price, baseFee)
  return within({ floor, ceiling }, rate)
}

// The base fee may double before a transaction is signed elsewhere and sent. What is not needed is not charged.
const signedLater = 2n

/** The next nonce of an account by the newest block, and a fee that lasts until a transaction is signed elsewhere. */
export async function nodeSigningTerms(
  rpc: NodeRpc,
  address: string,
  bounds: GasBounds,
): Promise<SigningTerms> {
  const [newest, price, tip, mined, pending] = await rpc.batch([
    ['eth_getBlockByNumber', 'latest', false],
    ['eth_gasPrice'],
    ['eth_maxPriorityFeePerGas'],
    ['eth_getTransactionCount', address, 'latest'],
    ['eth_getTransactionCount', address, 'pending'],
  ])
  const nonce = readQuantity(resultOf(mined))
  // Not every node has a pending block.
  const isBusy = pending !== undefined && 'result' in pending && readQuantity(pending.result) > nonce
  const { baseFee } = readBlock(resultOf(newest))
  if (baseFee === null) {
    const gasPrice = within(bounds, readQuantity(resultOf(price)))
    return { nonce, isBusy, gasPrice, gasTip: gasPrice }
  }
  const wanted = tipIn(tip, price, baseFee)
  const gasPrice = within(bounds, signedLater * baseFee + wanted)
  // A tip above the whole price is refused.
  return { nonce, isBusy, gasPrice, gasTip: within({ floor: 0n, ceiling: gasPrice }, wanted) }
}

/** The tip that the node suggests. Not every node has a call for it; the gas price that it suggests includes the tip. */
function tipIn(tip: RpcAnswer | undefined, price: RpcAnswer | undefined, baseFee: bigint): bigint {
  const isTold = tip !== undefined && 'result' in tip
  const suggested = readQuantity(isTold ? tip.result : resultOf(price)) - (isTold ? 0n : baseFee)
  return suggested > 0n ? suggested : 0n
}

function within({ floor, ceiling }: GasBounds, rate: bigint): bigint {
  if (rate < floor) return floor
  return rate > ceiling ? ceiling : rate
}
