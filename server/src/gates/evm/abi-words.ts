import { canonicalAddress } from './address.ts'

/** How many digits a word of 32 bytes has: arguments of Solidity's contract ABI are written in words. */
export const wordDigits = 64
export const maxWord = 2n ** 256n - 1n

export function numberWord(value: bigint): string {
  return value.toString(16).padStart(wordDigits, '0')
}

/** An address as a word, whatever its case; it is not checked. */
export function addressWord(address: string): string {
  return address.slice('0x'.length).toLowerCase().padStart(wordDigits, '0')
}

/** The same of what must be an address. */
export function checkedAddressWord(address: string): string {
  if (canonicalAddress(address) === null) throw new Error(`"${address}" is no address.`)
  return addressWord(address)
}
