import { canonicalAddress } from './address.ts'

// The first four bytes of Keccak-256 of `transfer(address,uint256)`, as ERC-20 has it.
const transferSelector = 'a9059cbb'
const wordDigits = 64
const maxWord = 2n ** 256n - 1n

/**
 * The call of a token's `transfer`: the selector, then address and amount as words of 32 bytes (Solidity's contract ABI).
 * Written by hand: the library that can do more takes long to load, and the API must not wait for it.
 */
export function transferCall(to: string, units: bigint): `0x${string}` {
  const address = canonicalAddress(to)
  if (address === null) throw new Error(`"${to}" is no address.`)
  if (units <= 0n || units > maxWord) throw new RangeError('An amount is positive and below 2^256.')
  const word = (digits: string) => digits.padStart(wordDigits, '0')
  return `0x${transferSelector}${word(address.slice(2).toLowerCase())}${word(units.toString(16))}`
}
