import { canonicalAddress } from './address.ts'

/** Who is paid, and how much, by a contract that pays many at once. */
export type MultisendOutput = { readonly address: string; readonly units: bigint }

// The first four bytes of Keccak-256 of `disperseEther(address[],uint256[])`, as Disperse (disperse.app) has it.
const selector = 'e63d38ed'
const wordDigits = 64
const wordBytes = 32n
const addressDigits = 40
const hexPattern = /^0x[0-9a-f]*$/
const maxWord = 2n ** 256n - 1n
// Two lists: where each begins, counted from the arguments' start, comes first.
const headWords = 2n

/**
 * The call that has the contract pay each output (Solidity's contract ABI): two lists, of addresses and of amounts. Written by
 * hand like a token's `transfer`.
 */
export function multisendCall(outputs: readonly MultisendOutput[]): `0x${string}` {
  const count = BigInt(outputs.length)
  const addresses = outputs.map(({ address }) => {
    const canonical = canonicalAddress(address)
    if (canonical === null) throw new Error(`"${address}" is no address.`)
    return canonical.slice('0x'.length).toLowerCase().padStart(wordDigits, '0')
  })
  const amounts = outputs.map(({ units }) => {
    if (units <= 0n || units > maxWord) throw new RangeError('An amount is positive and below 2^256.')
    return word(units)
  })
  const head = [word(headWords * wordBytes), word((headWords + 1n + count) * wordBytes)]
  return `0x${[selector, ...head, word(count), ...addresses, word(count), ...amounts].join('')}`
}

/** What such a call says; null when it is another, or not written as ours are. */
export function readMultisendCall(data: string): MultisendOutput[] | null {
  const call = data.toLowerCase()
  if (!call.startsWith(`0x${selector}`) || !hexPattern.test(call)) return null
  const words = (call.slice('0x'.length + selector.length).match(/.{64}/g) ?? []) as string[]
  const count = Number(BigInt(`0x${words[2] ?? '0'}`))
  const [addressesAt, amountsAt] = [3, 4 + count]
  if (!Number.isSafeInteger(count) || words.length !== amountsAt + count) return null
  const outputs: MultisendOutput[] = []
  for (let at = 0; at < count; at++) {
    const address = canonicalAddress(`0x${words[addressesAt + at]?.slice(-addressDigits)}`)
    const units = BigInt(`0x${words[amountsAt + at]}`)
    if (address === null || units === 0n) return null
    outputs.push({ address, units })
  }
  return outputs.length > 0 && multisendCall(outputs) === call ? outputs : null
}

function word(value: bigint): string {
  return value.toString(16).padStart(wordDigits, '0')
}
