import { addressIn, checkedAddressWord, maxWord, numberWord } from './abi-words.ts'

/** Who is paid, and how much, by a contract that pays many at once. */
export type MultisendOutput = { readonly address: string; readonly units: bigint }

/** What such a contract is asked for: whom to pay, in the coin that comes with the call, or in a token of its caller's. */
export type Multisend = { readonly token: string | null; readonly outputs: readonly MultisendOutput[] }

// The first four bytes of Keccak-256 of `disperseEther(address[],uint256[])` and `disperseTokenSimple(address,address[],uint256[])`, as
// Disperse (disperse.app) has them. The second moves tokens from the caller to each receiver; the contract never has them.
const coinSelector = 'e63d38ed'
const tokenSelector = '51ba162c'
const selectorDigits = 8
const wordBytes = 32n
const hexPattern = /^0x[0-9a-f]*$/
// Two lists: where each begins, counted from the arguments' start, comes first.
const lists = 2n

/**
 * The call that has the contract pay each output (Solidity's contract ABI): the token if it is one, then two lists, of addresses
 * and of amounts. Written by hand like a token's `transfer`.
 */
export function multisendCall(
  outputs: readonly MultisendOutput[],
  token: string | null = null,
): `0x${string}` {
  const addresses = outputs.map(({ address }) => checkedAddressWord(address))
  const amounts = outputs.map(({ units }) => {
    if (units <= 0n || units > maxWord) throw new RangeError('An amount is positive and below 2^256.')
    return numberWord(units)
  })
  return callOf(token, addresses, amounts)
}

/**
 * The call that pays one address nothing at all of a token: whoever could pay it something can do that too, without having been
 * allowed anything.
 */
export function emptyTokenCall(token: string, address: string): `0x${string}` {
  return callOf(token, [checkedAddressWord(address)], [numberWord(0n)])
}

function callOf(
  token: string | null,
  addresses: readonly string[],
  amounts: readonly string[],
): `0x${string}` {
  const count = BigInt(addresses.length)
  const before = token === null ? [] : [checkedAddressWord(token)]
  const headWords = BigInt(before.length) + lists
  const head = [
    ...before,
    numberWord(headWords * wordBytes),
    numberWord((headWords + 1n + count) * wordBytes),
  ]
  const selector = token === null ? coinSelector : tokenSelector
  return `0x${[selector, ...head, numberWord(count), ...addresses, numberWord(count), ...amounts].join('')}`
}

/** What such a call says; null when it is another, or not written as ours are. */
export function readMultisendCall(data: string): Multisend | null {
  const call = data.toLowerCase()
  const selector = call.slice('0x'.length, '0x'.length + selectorDigits)
  if (!hexPattern.test(call) || (selector !== coinSelector && selector !== tokenSelector)) return null
  const words = (call.slice('0x'.length + selectorDigits).match(/.{64}/g) ?? []) as string[]
  const token = selector === tokenSelector ? addressIn(words.shift()) : null
  if (selector === tokenSelector && token === null) return null
  const count = Number(BigInt(`0x${words[2] ?? '0'}`))
  const [addressesAt, amountsAt] = [3, 4 + count]
  if (!Number.isSafeInteger(count) || words.length !== amountsAt + count) return null
  const outputs: MultisendOutput[] = []
  for (let at = 0; at < count; at++) {
    const address = addressIn(words[addressesAt + at])
    const units = BigInt(`0x${words[amountsAt + at]}`)
    if (address === null || units === 0n) return null
    outputs.push({ address, units })
  }
  return outputs.length > 0 && multisendCall(outputs, token) === call ? { token, outputs } : null
}
