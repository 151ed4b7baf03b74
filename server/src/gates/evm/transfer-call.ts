import { addressWord, checkedAddressWord, maxWord, numberWord, wordDigits } from './abi-words.ts'

// The first four bytes of Keccak-256 of ERC-20's `transfer(address,uint256)` and `balanceOf(address)`.
const transferSelector = 'a9059cbb'
const balanceSelector = '70a08231'
const addressAt = 24
const hexPattern = /^[0-9a-fA-F]+$/
const callDigits = '0x'.length + transferSelector.length + 2 * wordDigits

/**
 * The call of a token's `transfer`: the selector, then address and amount as words of 32 bytes (Solidity's contract ABI).
 * The amount must be positive.
 */
export function transferCall(to: string, units: bigint): `0x${string}` {
  if (units <= 0n || units > maxWord) throw new RangeError('The amount must be positive and below 2^256.')
  return anyTransferCall(to, units)
}

/** The same for any amount, including zero. */
export function anyTransferCall(to: string, units: bigint): `0x${string}` {
  if (units < 0n || units > maxWord)
    throw new RangeError('The amount must not be negative and must be below 2^256.')
  return `0x${transferSelector}${checkedAddressWord(to)}${numberWord(units)}`
}

/** The call of a token's `balanceOf`. */
export function balanceCall(of: string): `0x${string}` {
  return `0x${balanceSelector}${addressWord(of)}`
}

/** Whether a transaction calls the contract's `transfer` with exactly these arguments. Data that wallets append is ignored. */
export function isTransferCall(
  { to, input }: { readonly to: string | null; readonly input: string },
  contract: string,
  address: string,
  units: bigint,
): boolean {
  return to === contract && input.toLowerCase().slice(0, callDigits) === transferCall(address, units)
}

/** The arguments of a `transfer` call, with the address in lower case; null when it is another call or the amount is zero. */
export function readTransferCall(input: string): { to: string; units: bigint } | null {
  const call = readAnyTransferCall(input)
  return call === null || call.units === 0n ? null : call
}

/** The same for any amount, including zero. The address's padding, and data after the call, are ignored. */
export function readAnyTransferCall(input: string): { to: string; units: bigint } | null {
  if (!input.toLowerCase().startsWith(`0x${transferSelector}`) || input.length < callDigits) return null
  const words = input.slice('0x'.length + transferSelector.length, callDigits)
  if (!hexPattern.test(words)) return null
  const units = BigInt(`0x${words.slice(wordDigits)}`)
  return { to: `0x${words.slice(addressAt, wordDigits).toLowerCase()}`, units }
}
