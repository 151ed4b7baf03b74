import { hex } from '@scure/base'
import type { RpcAnswer } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { wordDigits } from './abi-words.ts'
import { isMissingState } from './missing-state.ts'

// The first four bytes of Keccak-256 of `Error(string)`, the reason of Solidity's `require`.
const errorSelector = '0x08c379a0'
const maxWords = 200
const hexPattern = /^0x(?:[0-9a-fA-F]{2})*$/
const controlPattern = /\p{Cc}+/gu

/** Why a simulated call was refused; null when it was not. A node that lacks the state has not refused the call. */
export function refusalIn(answer: RpcAnswer | undefined): string | null {
  if (answer === undefined || !('refusal' in answer) || isMissingState(answer.refusal)) return null
  const { message, data } = answer.refusal
  const reason = reasonIn(data)
  return shown(reason === null || message.includes(reason) ? message : `${message}: ${reason}`)
}

// Text from outside: bounded, on one line, and without a final full stop, because our sentence continues.
function shown(text: string): string {
  return text.replaceAll(controlPattern, ' ').trim().slice(0, maxWords).replace(/\.$/, '')
}

/** The reason that a contract gave, if it is a string. */
function reasonIn(data: unknown): string | null {
  const found = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  if (typeof found !== 'string' || !found.startsWith(errorSelector) || !hexPattern.test(found)) return null
  const words = found.slice(errorSelector.length)
  const length = Number(BigInt(`0x${words.slice(wordDigits, 2 * wordDigits) || '0'}`))
  if (!Number.isSafeInteger(length) || length === 0) return null
  const text = words.slice(2 * wordDigits, 2 * wordDigits + 2 * Math.min(length, maxWords))
  return text.length % 2 === 0 ? new TextDecoder().decode(hex.decode(text.toLowerCase())) : null
}

/** Whether a token returned false. An empty answer counts as success, as with tokens from before ERC-20 was final. */
export function isNo(answer: string): boolean {
  return answer !== '0x' && BigInt(answer) === 0n
}

/** Reads bytes in a node's answer. */
export function bytesIn(result: unknown): string {
  return typeof result === 'string' && hexPattern.test(result) ? result : unbelievable('it contains no bytes')
}
