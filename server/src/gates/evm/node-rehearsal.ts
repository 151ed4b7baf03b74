import { hex } from '@scure/base'
import { type GateAsset, type Rehearsal, WrongContractError } from '../gate.ts'
import { type NodeRpc, type RpcAnswer, type RpcCall, resultOf } from '../json-rpc.ts'
import { isMissingState } from './missing-state.ts'
import { type MultisendOutput, multisendCall } from './multisend-call.ts'
import { readQuantity, unbelievable } from './node-answers.ts'
import { quantity } from './node-blocks.ts'
import { transferCall } from './transfer-call.ts'

// The first four bytes of Keccak-256 of `Error(string)`: how Solidity's `require` says why.
const errorSelector = '0x08c379a0'
const wordDigits = 64
const maxWords = 200
const hexPattern = /^0x(?:[0-9a-fA-F]{2})*$/
const controlPattern = /\p{Cc}+/gu

/**
 * Has the node run a transfer on its newest block without sending it. Without a price the sender's coins for gas are no
 * matter. A token's answer counts too: some say no without failing, and where there is no contract nothing ever fails.
 */
export async function nodeRehearsal(
  rpc: NodeRpc,
  from: string,
  to: string,
  { contractAddress }: GateAsset,
  units: bigint,
  looksAtReceiver = false,
): Promise<Rehearsal> {
  const call =
    contractAddress === null
      ? { from, to, value: quantity(units) }
      : { from, to: contractAddress, data: transferCall(to, units) }
  const [run, gas, code, ...receiver] = await rpc.batch([
    ['eth_call', call, 'latest'],
    ['eth_estimateGas', call, 'latest'],
    ['eth_getCode', contractAddress ?? to, 'latest'],
    ...(looksAtReceiver ? receiverCalls(to) : []),
  ])
  const refused = refusalIn(run) ?? refusalIn(gas)
  if (refused !== null) return { refused }
  if (contractAddress !== null) {
    if (bytesIn(resultOf(code)) === '0x') return { refused: `there is no contract at ${contractAddress}` }
    if (isNo(bytesIn(resultOf(run)))) return { refused: 'the token says no, without a reason' }
  }
  // EIP-161: what has neither coins nor sent anything is not there yet.
  const isKnown = receiver.some((answer) => readQuantity(resultOf(answer)) > 0n)
  const isPlain = contractAddress === null && isKnown && bytesIn(resultOf(code)) === '0x'
  return { gas: readQuantity(resultOf(gas)), isPlain }
}

function receiverCalls(to: string): readonly RpcCall[] {
  return [
    ['eth_getBalance', to, 'latest'],
    ['eth_getTransactionCount', to, 'latest'],
  ]
}

// What a call pays, besides, for an account that it makes (Yellow Paper, G_newaccount).
const newAccountGas = 25_000n

/**
 * The same for a call of the contract that pays many at once. Where no contract is, a call would fail nobody and the coins
 * would be gone: that is refused.
 */
export async function nodeMultisendRehearsal(
  rpc: NodeRpc,
  from: string,
  contract: string,
  outputs: readonly MultisendOutput[],
): Promise<Rehearsal> {
  const units = outputs.reduce((sum, output) => sum + output.units, 0n)
  const call = { from, to: contract, value: quantity(units), data: multisendCall(outputs) }
  const [run, gas, code] = await rpc.batch([
    ['eth_call', call, 'latest'],
    ['eth_estimateGas', call, 'latest'],
    ['eth_getCode', contract, 'latest'],
  ])
  if (bytesIn(resultOf(code)) === '0x') return { refused: `there is no contract at ${contract}` }
  const refused = refusalIn(run) ?? refusalIn(gas)
  if (refused !== null) return { refused }
  const took = readQuantity(resultOf(gas))
  // A reorganisation can undo what made receivers known. They then cost more, and too little gas would fail all of them.
  return { gas: took, mostGas: took + newAccountGas * BigInt(outputs.length) }
}

// More than there will ever be of any coin.
const tooMuch = 2n ** 200n

/**
 * Has the contract that is to pay many at once show that it is one: it has code, does nothing when nobody is to be paid, and
 * fails when it is given too little. What only takes whatever it is sent is found out by that. A `WrongContractError` otherwise.
 */
export async function checkMultisend(rpc: NodeRpc, name: string, contract: string): Promise<void> {
  const wrong = (why: string) =>
    new WrongContractError(
      `"multisend" of ${name} is ${contract}, and ${why}. Name a contract of Disperse's kind on this chain, or leave it out.`,
    )
  const [code, nobody, unpaid] = await rpc.batch([
    ['eth_getCode', contract, 'latest'],
    ['eth_call', { to: contract, data: multisendCall([]) }, 'latest'],
    ['eth_call', { to: contract, data: multisendCall([{ address: contract, units: tooMuch }]) }, 'latest'],
  ])
  if (bytesIn(resultOf(code)) === '0x') throw wrong('there is no contract there')
  if (refusalIn(nobody) !== null) throw wrong(`it does not know how to pay: ${refusalIn(nobody)}`)
  if (unpaid !== undefined && 'result' in unpaid) throw wrong('it pretends to pay what it was not given')
}

/** Why the node would not do it; null when it would. A node that lacks the state has said nothing about it. */
function refusalIn(answer: RpcAnswer | undefined): string | null {
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

/** What does not answer at all says yes, as tokens did before ERC-20 was settled. */
function isNo(answer: string): boolean {
  return answer !== '0x' && BigInt(answer) === 0n
}

function bytesIn(result: unknown): string {
  return typeof result === 'string' && hexPattern.test(result) ? result : unbelievable('it shows no bytes')
}
