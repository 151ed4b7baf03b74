import { hex } from '@scure/base'
import type { RpcAnswer } from '../json-rpc.ts'
import { wordDigits } from './abi-words.ts'
import { isMissingState } from './missing-state.ts'
import { unbelievable } from './node-answers.ts'

// The first four bytes of Keccak-256 of `Error(string)`: how Solidity's `require` says why.
const errorSelector = '0x08c379a0'
const maxWords = 200
const hexPattern = /^0x(?:[0-9a-fA-F]{2})*$/
const controlPattern = /\p{Cc}+/gu

/** Why the node would not do it; null when it would. A node that lacks the state has said nothing about it. */
export function refusalIn(answer: RpcAnswer | undefined): string | null {
  if (answer === undefined || !('refusal' in answer) || isMissingState(answer.refusal)) return null
  const { message, data } = answer.refusal
  const reason = reasonIn(data)
  return shown(reason === null || message.includes(reason) ? message : `${message}: ${reason}`)
}

// Other people's words: bounded, on one line, and without their full stop, as ours goes on.
function shown(text: string): string {
  return text.replaceAll(controlPattern, ' ').trim().slice(0, maxWords).replace(/\.$/, '')
}

/** The reason that a contract gave, if it is text. */
function reasonIn(data: unknown): string | null {
  const found = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  if (typeof found !== 'string' || !found.startsWith(errorSelector) || !hexPattern.test(found)) return null
  const words = found.slice(errorSelector.length)
  const length = Number(BigInt(`0x${words.slice(wordDigits, 2 * wordDigits) || '0'}`))
  if (!Number.isSafeInteger(length) || length === 0) return null
  const text = words.slice(2 * wordDigits, 2 * wordDigits + 2 * Math.min(length, maxWords))
  return text.length % 2 === 0 ? new TextDecoder().decode(hex.decode(text.toLowerCase())) : null
}

/** Whether a token says no; what does not answer at all says yes, as tokens did before ERC-20 was settled. */
export function isNo(answer: string): boolean {
  return answer !== '0x' && BigInt(answer) === 0n
}

/** What a node shows as bytes. */
export function bytesIn(result: unknown): string {
  return typeof result === 'string' && hexPattern.test(result) ? result : unbelievable('it shows no bytes')
}
