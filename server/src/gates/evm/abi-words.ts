import { canonicalAddress } from './address.ts'

/** The hex digits of a 32-byte word. Solidity's contract ABI encodes arguments in words. */
export const wordDigits = 64
export const maxWord = 2n ** 256n - 1n

export function numberWord(value: bigint): string {
  return value.toString(16).padStart(wordDigits, '0')
}

/** An address as a word. Neither its case nor its validity is checked. */
export function addressWord(address: string): string {
  return address.slice('0x'.length).toLowerCase().padStart(wordDigits, '0')
}

/** An address as a word. Throws when it is not an address. */
export function checkedAddressWord(address: string): string {
  if (canonicalAddress(address) === null) throw new Error(`"${address}" is not an address.`)
  return addressWord(address)
}
