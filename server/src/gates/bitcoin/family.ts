import { formatDecimal } from '../../domain/money.ts'
import { childPublicKey, readAccountKey } from '../extended-key.ts'
import type { Family } from '../family.ts'
import { canonicalAddress, p2wpkhAddress } from './address.ts'
import { type BitcoinChain, type BitcoinCoin, chainRules } from './chain-rules.ts'

export type BitcoinFamilyOptions = {
  readonly coin: BitcoinCoin
  readonly chain: BitcoinChain
  /** The extended public key of m/84'/coin'/0'; `bitcoinAccountKey` makes it. */
  readonly accountKey: string
}

/** BIP-44: chain 0 is for addresses shown to payers, chain 1 for our own change. */
const externalChain = 0

/**
 * Bitcoin and Litecoin. Deposit addresses are P2WPKH at 0/index below the account (BIP-84), and every deposit address
 * is a destination `parseDestination` reads back unchanged. Throws when the account key is not one for this chain.
 */
export function bitcoinFamily({ coin, chain, accountKey }: BitcoinFamilyOptions): Family {
  const rules = chainRules[coin][chain]
  const external = readAccountKey(accountKey, rules.keyVersions).deriveChild(externalChain)
  return {
    depositAddress(index) {
      return { address: p2wpkhAddress(rules, childPublicKey(external, index)), tag: null }
    },
    parseDestination(text, tag) {
      if (tag !== null) return null
      const address = canonicalAddress(rules, text)
      return address === null ? null : { address, tag: null }
    },
    // BIP-21: the amount is in whole coins. Test chains have no scheme of their own; the address says which it is.
    paymentUri({ address }, { decimals }, units) {
      return `${coin}:${address}?amount=${formatDecimal(units, decimals)}`
    },
  }
}
