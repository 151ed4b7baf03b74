import type { BitcoinChain } from '../../domain/networks/bitcoin-rules.ts'
import type { BitcoinNetwork } from '../../domain/networks/network.ts'
import type { KeyPath } from '../../domain/spends.ts'
import { privateKeyBelow, writeAccountKey } from '../extended-key.ts'

/**
 * The extended public key of the BIP-84 account m/84'/coin'/0', from the BIP-32 seed. Only for the holder of the seed
 * (the signer, or a command run next to it). The rest of the service sees only this key, which derives every deposit
 * address and can spend from none.
 */
export function bitcoinAccountKey(seed: Uint8Array, network: BitcoinNetwork, chain: BitcoinChain): string {
  const { keyVersions } = network.rules[chain]
  const version = keyVersions[0]
  if (version === undefined) throw new Error(`There is no key serialisation for ${network.id} ${chain}.`)
  return writeAccountKey(seed, accountPath(network, chain), version)
}

/** The private key of one of our addresses, 32 bytes. Only for the holder of the seed. */
export function bitcoinKey(
  seed: Uint8Array,
  network: BitcoinNetwork,
  chain: BitcoinChain,
  path: KeyPath,
): Uint8Array {
  return privateKeyBelow(seed, accountPath(network, chain), path)
}

function accountPath({ rules }: BitcoinNetwork, chain: BitcoinChain): string {
  return `m/84'/${rules[chain].coinType}'/0'`
}
