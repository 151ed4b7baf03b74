import { type GateAsset, type Rehearsal, WrongContractError } from '../gate.ts'
import { type NodeRpc, type RpcCall, resultOf } from '../json-rpc.ts'
import { allowanceCall, approveCall } from './allowance-call.ts'
import { emptyTokenCall, type MultisendOutput, multisendCall } from './multisend-call.ts'
import { readQuantity } from './node-answers.ts'
import { quantity } from './node-blocks.ts'
import { newHolderGas } from './node-rehearsal.ts'
import { bytesIn, isNo, refusalIn } from './trial-answers.ts'

// What a call pays, besides, for an account that it makes (Yellow Paper, G_newaccount).
const newAccountGas = 25_000n

/**
 * Has the node run a call of the contract that pays many at once, without sending it. Where no contract is, a call would fail
 * nobody and the coins would be gone: that is refused.
 */
export async function nodeMultisendRehearsal(
  rpc: NodeRpc,
  from: string,
  contract: string,
  { contractAddress: token }: GateAsset,
  outputs: readonly MultisendOutput[],
): Promise<Rehearsal> {
  const units = outputs.reduce((sum, output) => sum + output.units, 0n)
  const data = multisendCall(outputs, token)
  const call =
    token === null ? { from, to: contract, value: quantity(units), data } : { from, to: contract, data }
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
  const more = token === null ? newAccountGas : newHolderGas
  return { gas: took, mostGas: took + more * BigInt(outputs.length) }
}

// More than there will ever be of any coin.
const tooMuch = 2n ** 200n

/**
 * Has the contract that is to pay many at once show that it is one: it has code, does nothing when nobody is to be paid, and
 * fails when it is given too little. What only takes whatever it is sent is found out by that. The same for each token that it
 * is to pay. A `WrongContractError` otherwise.
 */
export async function checkMultisend(
  rpc: NodeRpc,
  name: string,
  contract: string,
  tokens: readonly string[],
): Promise<void> {
  const wrong = (why: string) =>
    new WrongContractError(
      `"multisend" of ${name} is ${contract}, and ${why}. Name a contract of Disperse's kind on this chain, or leave it out.`,
    )
  const paying = (outputs: readonly MultisendOutput[], token: string | null): RpcCall => {
    const data = multisendCall(outputs, token)
    return ['eth_call', { to: contract, data }, 'latest']
  }
  const unpaid = [{ address: contract, units: tooMuch }]
  const asked = [null, ...tokens]
  const [code, ...answers] = await rpc.batch([
    ['eth_getCode', contract, 'latest'],
    ...asked.flatMap((token) => [paying([], token), paying(unpaid, token)]),
  ])
  if (bytesIn(resultOf(code)) === '0x') throw wrong('there is no contract there')
  for (const [at, token] of asked.entries()) {
    const what = token === null ? '' : ` the token ${token}`
    const [done, given] = [answers[2 * at], answers[2 * at + 1]]
    if (refusalIn(done) !== null) throw wrong(`it does not know how to pay${what}: ${refusalIn(done)}`)
    if (given !== undefined && 'result' in given)
      throw wrong(`it pretends to pay what it was not given${what && ` of${what}`}`)
  }
}

/** How much of a token the contract may take from an account, at the newest block. */
export async function nodeAllowance(
  rpc: NodeRpc,
  from: string,
  contract: string,
  { contractAddress: token }: GateAsset,
): Promise<bigint> {
  if (token === null) throw new Error('A network’s own coin is given, not allowed.')
  const call = { to: token, data: allowanceCall(from, contract) }
  return readQuantity(await rpc.call('eth_call', call, 'latest'), 'it does not say what is allowed')
}

/**
 * Has the node run a change of that without sending it. Also whether the contract can pay the token at all, which shows without
 * any allowance by paying nothing: Disperse cannot pay tokens that do not answer, as the USDT of Ethereum does not.
 */
export async function nodeAllowanceRehearsal(
  rpc: NodeRpc,
  from: string,
  contract: string,
  { contractAddress: token }: GateAsset,
  units: bigint,
): Promise<Rehearsal> {
  if (token === null) throw new Error('A network’s own coin is given, not allowed.')
  const call = { from, to: token, data: approveCall({ spender: contract, units }) }
  const [paid, run, gas] = await rpc.batch([
    ['eth_call', { from, to: contract, data: emptyTokenCall(token, from) }, 'latest'],
    ['eth_call', call, 'latest'],
    ['eth_estimateGas', call, 'latest'],
  ])
  const unpayable = units === 0n ? null : refusalIn(paid)
  if (unpayable !== null) return { refused: `the contract cannot pay this token: ${unpayable}` }
  const refused = refusalIn(run) ?? refusalIn(gas)
  if (refused !== null) return { refused }
  if (isNo(bytesIn(resultOf(run)))) return { refused: 'the token says no, without a reason' }
  const took = readQuantity(resultOf(gas))
  // What is allowed now may be used up when it is mined: then it is a new entry in the token's books.
  return { gas: took, mostGas: took + newHolderGas }
}
