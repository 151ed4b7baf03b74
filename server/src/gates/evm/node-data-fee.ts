import type { GateAsset } from '../gate.ts'
import { type NodeRpc, RpcRefusal } from '../json-rpc.ts'
import { numberWord, wordDigits } from './abi-words.ts'
import { readQuantity, unbelievable } from './node-answers.ts'

/** The contract that tells the price of Ethereum's room on every chain of the OP stack. */
export const gasPriceOracle = '0x420000000000000000000000000000000000000F'

// The first four bytes of Keccak-256 of `getL1FeeUpperBound(uint256)` (since Fjord) and `getL1Fee(bytes)` (always).
const upperBound = 'f1c7a58b'
const exactFee = '49948e0e'
// An unsigned transfer of the coin, and one of a token, are at most so long.
const coinBytes = 120
const tokenBytes = 200
// Ethereum's price may double until the transaction is mined; what is not taken stays ours.
const margin = 2n

/** The most that a transfer costs for being written down on Ethereum, in the network's own coin, with a margin. */
export async function nodeDataFee(rpc: NodeRpc, { contractAddress }: GateAsset): Promise<bigint> {
  const size = contractAddress === null ? coinBytes : tokenBytes
  const bounded = await ask(rpc, `${upperBound}${numberWord(BigInt(size))}`)
  if (bounded !== null) return bounded * margin
  const exact = await ask(
    rpc,
    `${exactFee}${numberWord(32n)}${numberWord(BigInt(size))}${incompressible(size)}`,
  )
  if (exact === null)
    unbelievable('the chain does not say what data costs, although it is said to be of the OP stack')
  return exact * margin
}

/** Null when this chain's oracle does not know the call. */
async function ask(rpc: NodeRpc, data: string): Promise<bigint | null> {
  try {
    const answer = await rpc.call('eth_call', { to: gasPriceOracle, data: `0x${data}` }, 'latest')
    return answer === '0x' ? null : readQuantity(answer, 'it does not say what data costs')
  } catch (error) {
    if (error instanceof RpcRefusal && data.startsWith(upperBound)) return null
    throw error
  }
}

// Bytes that no compression makes shorter, and none of them zero, which is cheaper.
function incompressible(size: number): string {
  const bytes = Array.from({ length: size }, (_, at) => ((at * 167 + 41) % 255) + 1)
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.padEnd(Math.ceil(digits.length / wordDigits) * wordDigits, '0')
}
