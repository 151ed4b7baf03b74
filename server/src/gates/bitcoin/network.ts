import { Address, OutScript } from '@scure/btc-signer'
import type { ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import { sameBytes } from '../same-bytes.ts'
import { canonicalAddress } from './address.ts'

/** The chain as @scure/btc-signer wants it described. */
function networkOf({ bech32Prefix, pubKeyHash, scriptHash }: ChainRules) {
  // For private keys on paper, which nothing here reads or writes.
  const wif = 0
  return { bech32: bech32Prefix, pubKeyHash, scriptHash, wif }
}

/** The output script that pays an address. Throws when it is none of this chain, or not in its canonical form. */
export function scriptOf(rules: ChainRules, address: string): Uint8Array {
  if (canonicalAddress(rules, address) !== address)
    throw new Error(`"${address}" is no address of this chain as we write them.`)
  return OutScript.encode(Address(networkOf(rules)).decode(address))
}

/** The address that an output script pays; null when it has none that we would pay to. */
export function addressOf(rules: ChainRules, script: Uint8Array): string | null {
  const address = writtenAddress(rules, script)
  // The same address again, from a script that says it in another way, is another output.
  return address !== null && sameBytes(scriptOf(rules, address), script) ? address : null
}

function writtenAddress(rules: ChainRules, script: Uint8Array): string | null {
  try {
    return canonicalAddress(rules, Address(networkOf(rules)).encode(OutScript.decode(script)))
  } catch {
    // Whatever it pays, nobody writes that as an address.
    return null
  }
}
