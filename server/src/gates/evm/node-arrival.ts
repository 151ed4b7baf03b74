import { type RpcAnswer, type RpcCall, resultOf } from '../json-rpc.ts'
import { addressWord, wordDigits } from './abi-words.ts'
import { balanceCall, transferCall } from './transfer-call.ts'

/**
 * Bytecode that replaces the sender during a simulation. It asks the token for the receiver's balance, makes the transfer,
 * asks again, and returns whether all calls succeeded and both balances. Its input is the token's address as a word, the
 * `balanceOf` call and the `transfer` call, concatenated. It is never sent to the network.
 */
const measuringCode = `0x${[
  '60886000600037', // memory: the whole input
  '602060a0602460206000515afa', // 0xa0: balanceOf before
  '600060006044604460006000515af1', // transfer
  '602060c0602460206000515afa', // 0xc0: balanceOf after
  '1616608052', // 0x80: whether all three calls succeeded
  '60606080f3',
].join('')}`

const answerPattern = new RegExp(
  `^0x0{${wordDigits - 1}}1([0-9a-fA-F]{${wordDigits}})([0-9a-fA-F]{${wordDigits}})$`,
)

/**
 * Simulates a token transfer with the sender's code replaced for this one call (a state override, the third parameter of
 * `eth_call`), to see what the receiver gets. A token's logs do not tell: some report the full amount regardless.
 */
export function arrivalCall(from: string, to: string, token: string, units: bigint): RpcCall {
  const data = `0x${addressWord(token)}${balanceCall(to).slice(2)}${transferCall(to, units).slice(2)}`
  return ['eth_call', { to: from, data }, 'latest', { [from]: { code: measuringCode } }]
}

/** How much the receiver gained by the transfer; null when the node could not tell. */
export function arrivedIn(answer: RpcAnswer | undefined): bigint | null {
  if (answer === undefined || 'refusal' in answer) return null
  const result = resultOf(answer)
  const [, before, after] = typeof result === 'string' ? (answerPattern.exec(result) ?? []) : []
  if (before === undefined || after === undefined) return null
  return BigInt(`0x${after}`) - BigInt(`0x${before}`)
}
