import type { BlockRef } from '../../domain/chain.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { wordDigits } from './abi-words.ts'
import { isMissingState } from './missing-state.ts'

/**
 * Bytecode that is followed by 20-byte addresses and returns their balances: a zero byte, then a 32-byte word each. It
 * runs as contract creation code, so it needs no contract on the chain. The zero byte is there because creation code must
 * not return anything that starts with 0xef (EIP-3541).
 *
 *     PUSH1 40  PUSH1 1                                          addresses start at 40; the result starts after its byte
 *     loop: JUMPDEST  CODESIZE DUP3 LT ISZERO  PUSH1 end JUMPI   until all addresses are read
 *       PUSH1 20 DUP3 DUP3 PUSH1 12 ADD CODECOPY                 copy the address to where its balance goes
 *       DUP1 MLOAD BALANCE DUP2 MSTORE
 *       PUSH1 32 ADD  SWAP1 PUSH1 20 ADD SWAP1  PUSH1 loop JUMP
 *     end: JUMPDEST  PUSH1 0 RETURN
 */
const program = '602860015b3882101560245760148282600c0139805131815260200190601401906004565b6000f3'

// The result must not be longer than a contract's code may be: 24,576 bytes (EIP-170). It takes 7 million gas.
const maxAddresses = 700
// The most calls in one request; the rest go into the next.
const maxCalls = 10

/** The native balances of the addresses after a block; null when the node lacks the block's state. */
export async function nodeBalances(
  rpc: NodeRpc,
  addresses: readonly string[],
  { hash }: BlockRef,
): Promise<ReadonlyMap<string, bigint> | null> {
  const chunks = Array.from({ length: Math.ceil(addresses.length / maxAddresses) }, (_, at) =>
    addresses.slice(at * maxAddresses, (at + 1) * maxAddresses),
  )
  const balances = new Map<string, bigint>()
  for (let at = 0; at < chunks.length; at += maxCalls) {
    const asked = chunks.slice(at, at + maxCalls)
    const answers = await rpc.batch(
      asked.map((chunk) => ['eth_call', { data: programFor(chunk) }, { blockHash: hash }]),
    )
    for (const [place, chunk] of asked.entries()) {
      const answer = answers[place]
      if (answer === undefined) return unbelievable('balances are missing')
      if ('refusal' in answer) {
        if (isMissingState(answer.refusal)) return null
        throw answer.refusal
      }
      for (const [index, units] of readBalances(answer.result, chunk.length).entries())
        balances.set(chunk[index] as string, units)
    }
  }
  return balances
}

function programFor(addresses: readonly string[]): string {
  return `0x${program}${addresses.map((address) => address.slice('0x'.length).toLowerCase()).join('')}`
}

function readBalances(result: unknown, count: number): bigint[] {
  const digits = '0x00'.length + count * wordDigits
  if (typeof result !== 'string' || result.length !== digits || !/^0x00[0-9a-fA-F]*$/.test(result))
    return unbelievable('balances are not numbers')
  return Array.from({ length: count }, (_, at) => {
    const start = '0x00'.length + at * wordDigits
    return BigInt(`0x${result.slice(start, start + wordDigits)}`)
  })
}
