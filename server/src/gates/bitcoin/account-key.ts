import { writeAccountKey } from '../extended-key.ts'
import { type BitcoinChain, type BitcoinCoin, chainRules } from './chain-rules.ts'

/**
 * The extended public key of the BIP-84 account m/84'/coin'/0', from the BIP-32 seed. For the holder of the seed (the
 * signer, or a command run beside it): what it returns is all that the rest of the service may see. It finds every
 * deposit address and can spend from none.
 */
export function bitcoinAccountKey(seed: Uint8Array, coin: BitcoinCoin, chain: BitcoinChain): string {
  const { coinType, keyVersions } = chainRules[coin][chain]
  const version = keyVersions[0]
  if (version === undefined) throw new Error(`No key serialisation is known for ${coin} ${chain}.`)
  return writeAccountKey(seed, `m/84'/${coinType}'/0'`, version)
}
