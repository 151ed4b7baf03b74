import { addressIn, addressWord, checkedAddressWord, maxWord, numberWord, wordDigits } from './abi-words.ts'

// The first four bytes of Keccak-256 of `approve(address,uint256)` and `allowance(address,address)`, as ERC-20 has them.
const approveSelector = '095ea7b3'
const allowanceSelector = 'dd62ed3e'
const callPattern = /^0x095ea7b3[0-9a-f]{128}$/

/** Who may take how much of a token from whoever calls it. */
export type Allowance = { readonly spender: string; readonly units: bigint }

/** The call of a token's `approve`, which replaces whatever was allowed before. */
export function approveCall({ spender, units }: Allowance): `0x${string}` {
  if (units < 0n || units > maxWord) throw new RangeError('An allowance is not negative and below 2^256.')
  return `0x${approveSelector}${checkedAddressWord(spender)}${numberWord(units)}`
}

/** What such a call says; null when it is another, or not written as ours are. */
export function readApproveCall(data: string): Allowance | null {
  const call = data.toLowerCase()
  if (!callPattern.test(call)) return null
  const words = call.slice('0x'.length + approveSelector.length)
  const spender = addressIn(words.slice(0, wordDigits))
  if (spender === null) return null
  const allowance = { spender, units: BigInt(`0x${words.slice(wordDigits)}`) }
  return approveCall(allowance) === call ? allowance : null
}

/** The call of a token's `allowance`: how much is allowed at present. */
export function allowanceCall(owner: string, spender: string): `0x${string}` {
  return `0x${allowanceSelector}${addressWord(owner)}${addressWord(spender)}`
}
