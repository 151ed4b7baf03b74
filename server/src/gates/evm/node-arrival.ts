import { type RpcAnswer, type RpcCall, resultOf } from '../json-rpc.ts'
import { addressWord, wordDigits } from './abi-words.ts'
import { balanceCall, transferCall } from './transfer-call.ts'

/**
 * A program that stands in for the sender while the node tries it: it asks the token for the receiver's balance, makes the
 * transfer, asks again, and answers whether all went well and both balances. It is called with the token's address as a
 * word, the call of `balanceOf` and the call of `transfer`, one behind the other. Nothing of it is ever sent.
 */
const measuringCode = `0x${[
  '60886000600037', // memory: all that it was called with
  '602060a0602460206000515afa', // 0xa0: balanceOf before
  '600060006044604460006000515af1', // transfer
  '602060c0602460206000515afa', // 0xc0: balanceOf after
  '1616608052', // 0x80: whether all three went well
  '60606080f3',
].join('')}`

const answerPattern = new RegExp(
  `^0x0{${wordDigits - 1}}1([0-9a-fA-F]{${wordDigits}})([0-9a-fA-F]{${wordDigits}})$`,
)

/**
 * Has the node run a transfer of a token with the sender's code replaced for this one call (a state override, the third
 * parameter of `eth_call`), to see what the receiver gets. A token's logs do not say: some claim the whole.
 */
export function arrivalCall(from: string, to: string, token: string, units: bigint): RpcCall {
  const data = `0x${addressWord(token)}${balanceCall(to).slice(2)}${transferCall(to, units).slice(2)}`
  return ['eth_call', { to: from, data }, 'latest', { [from]: { code: measuringCode } }]
}

/** How much the receiver has more after the transfer; null when the node could not say. */
export function arrivedIn(answer: RpcAnswer | undefined): bigint | null {
  if (answer === undefined || 'refusal' in answer) return null
  const result = resultOf(answer)
  const [, before, after] = typeof result === 'string' ? (answerPattern.exec(result) ?? []) : []
  if (before === undefined || after === undefined) return null
  return BigInt(`0x${after}`) - BigInt(`0x${before}`)
}
