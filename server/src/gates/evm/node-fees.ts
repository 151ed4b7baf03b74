import { divide } from '../../domain/money.ts'
import { type NodeRpc, resultOf } from '../json-rpc.ts'
import { readBlock, readQuantity } from './node-answers.ts'

/** What a unit of gas may cost, in wei: never less, never more. */
export type GasBounds = { readonly floor: bigint; readonly ceiling: bigint }

// EIP-1559 raises the base fee by an eighth after a full block: room for two of them.
const roomNumerator = 81n
const roomDenominator = 64n

/** Why nothing is mined at the most that may be paid: the base fee alone is more. Null when it is not, or there is none. */
export async function gasTooDear(
  rpc: NodeRpc,
  { ceiling }: GasBounds,
  network: string,
): Promise<string | null> {
  const { baseFee } = readBlock(await rpc.call('eth_getBlockByNumber', 'latest', false))
  return baseFee !== null && baseFee > ceiling
    ? `${network} takes nothing below ${baseFee} wei for a unit of gas at present, and the operator allows ${ceiling} ("fee_ceiling"). It goes on by itself when the fee falls, or more is allowed.`
    : null
}

/**
 * A price that the network takes soon: the base fee with room for two full blocks, and the tip that the node suggests. On
 * chains without a base fee, what the node suggests in all.
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
    // Not every node knows the call of its own for the tip; its price has the tip in it.
    const isTold = tip !== undefined && 'result' in tip
    const suggested = readQuantity(isTold ? tip.result : resultOf(price)) - (isTold ? 0n : baseFee)
    rate = room + (suggested > 0n ? suggested : 0n)
  }
  if (rate < floor) return floor
  return rate > ceiling ? ceiling : rate
}
