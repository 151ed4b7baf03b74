import { Address, OutScript } from '@scure/btc-signer'
import type { ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import { sameBytes } from '../same-bytes.ts'
import { canonicalAddress } from './address.ts'

/** The chain's description for @scure/btc-signer. */
function networkOf({ bech32Prefix, pubKeyHash, scriptHash }: ChainRules) {
  // The version of exported private keys, which we neither read nor write.
  const wif = 0
  return { bech32: bech32Prefix, pubKeyHash, scriptHash, wif }
}

/** The output script that pays an address. Throws when it is not a canonical address of this chain. */
export function scriptOf(rules: ChainRules, address: string): Uint8Array {
  if (canonicalAddress(rules, address) !== address)
    throw new Error(`"${address}" is not a canonical address of this chain.`)
  return OutScript.encode(Address(networkOf(rules)).decode(address))
}

/** The address that an output script pays; null when it has none that we would pay. */
export function addressOf(rules: ChainRules, script: Uint8Array): string | null {
  const address = writtenAddress(rules, script)
  // Another script that encodes to the same address is a different output.
  return address !== null && sameBytes(scriptOf(rules, address), script) ? address : null
}

function writtenAddress(rules: ChainRules, script: Uint8Array): string | null {
  try {
    return canonicalAddress(rules, Address(networkOf(rules)).encode(OutScript.decode(script)))
  } catch {
    // The script has no address form.
    return null
  }
}
