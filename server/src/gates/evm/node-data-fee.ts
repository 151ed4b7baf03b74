import type { GateAsset } from '../gate.ts'
import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { numberWord, wordDigits } from './abi-words.ts'
import { readQuantity } from './node-answers.ts'

/** The contract that tells the L1 data fee on every OP stack chain. */
export const gasPriceOracle = '0x420000000000000000000000000000000000000F'

// The first four bytes of Keccak-256 of `getL1FeeUpperBound(uint256)` (since Fjord) and of `getL1Fee(bytes)` (always there).
const upperBound = 'f1c7a58b'
const exactFee = '49948e0e'
// The longest unsigned transfers of the native currency and of a token.
const coinBytes = 120
const tokenBytes = 200
// Ethereum's price may double before the transaction is mined. What is not charged stays ours.
const margin = 2n

/** The highest L1 data fee of a transfer, in the native currency, with a margin. */
export async function nodeDataFee(rpc: NodeRpc, { contractAddress }: GateAsset): Promise<bigint> {
  const size = contractAddress === null ? coinBytes : tokenBytes
  const bounded = await ask(rpc, `${upperBound}${numberWord(BigInt(size))}`)
  if (bounded !== null) return bounded * margin
  const exact = await ask(
    rpc,
    `${exactFee}${numberWord(32n)}${numberWord(BigInt(size))}${incompressible(size)}`,
  )
  if (exact === null)
    unbelievable('the chain gives no data fee, although it is configured as an OP stack chain')
  return exact * margin
}

/** Null when this chain's oracle does not know the call. */
async function ask(rpc: NodeRpc, data: string): Promise<bigint | null> {
  try {
    const answer = await rpc.call('eth_call', { to: gasPriceOracle, data: `0x${data}` }, 'latest')
    return answer === '0x' ? null : readQuantity(answer, 'it gives no data fee')
  } catch (error) {
    if (error instanceof RpcRefusal && data.startsWith(upperBound)) return null
    throw error
  }
}

// Bytes that cannot be compressed, and none of them zero, since zero bytes are cheaper.
function incompressible(size: number): string {
  const bytes = Array.from({ length: size }, (_, at) => ((at * 167 + 41) % 255) + 1)
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.padEnd(Math.ceil(digits.length / wordDigits) * wordDigits, '0')
}
