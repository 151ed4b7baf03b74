import { divide } from '../../domain/money.ts'
import { type NodeRpc, resultOf } from '../json-rpc.ts'
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
    ? `${network} currently requires at least ${baseFee} wei per unit of gas, but the operator allows at most ${ceiling} ("fee_ceiling"). It continues by itself when the fee falls or the operator allows more.`
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
  else {
    const room = divide(baseFee * roomNumerator, roomDenominator, 'up')
    // Not every node supports the separate call for the tip. The suggested gas price includes the tip.
    const isTold = tip !== undefined && 'result' in tip
    const suggested = readQuantity(isTold ? tip.result : resultOf(price)) - (isTold ? 0n : baseFee)
    rate = room + (suggested > 0n ? suggested : 0n)
  }
  if (rate < floor) return floor
  return rate > ceiling ? ceiling : rate
}
