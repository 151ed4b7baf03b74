import { formatDecimal } from '../../domain/money.ts'
import type { BitcoinChain } from '../../domain/networks/bitcoin-rules.ts'
import type { BitcoinNetwork } from '../../domain/networks/network.ts'
import { type DepositSource, depositAddressesFrom } from '../deposit-source.ts'
import { publicKeysBelow, readAccountKey } from '../extended-key.ts'
import type { Family } from '../family.ts'
import { canonicalAddress } from './address.ts'
import { readCoins } from './read-transaction.ts'
import { signCoins } from './sign.ts'
import { coinSpending } from './spending.ts'

export type BitcoinFamilyOptions = {
  readonly network: BitcoinNetwork
  readonly chain: BitcoinChain
  /** The extended public key of m/84'/coin'/0'; `bitcoinAccountKey` makes it. */
  readonly accountKey: string
}

/**
 * Bitcoin and Litecoin. Deposit addresses are P2WPKH at 0/index below the account (BIP-84), our change is at 1/index.
 * `parseDestination` returns each of them unchanged. Throws when the account key is not one for this chain.
 */
export function bitcoinFamily({ network, chain, accountKey }: BitcoinFamilyOptions): Family {
  const rules = network.rules[chain]
  const publicKeyOf = publicKeysBelow(readAccountKey(accountKey, rules.keyVersions))
  const spending = coinSpending(rules, publicKeyOf)
  const { bech32Prefix, keyVersions } = rules
  const depositSource: DepositSource = { kind: 'bitcoin', accountKey, bech32Prefix, keyVersions }
  return {
    depositAddress: depositAddressesFrom(depositSource),
    depositSource,
    parseDestination(text, tag) {
      if (tag !== null) return null
      const address = canonicalAddress(rules, text)
      return address === null ? null : { address, tag: null }
    },
    // BIP-21: the amount is in BTC or LTC, not in units. Test chains have no scheme of their own; the address tells them apart.
    paymentUri({ address }, { decimals }, units) {
      return `${network.uriScheme}:${address}?amount=${formatDecimal(units, decimals)}`
    },
    spending,
    sign(plan, keyOf) {
      if (plan.kind !== 'coins') throw new Error(`${network.name} has no accounts; a plan must spend coins.`)
      return signCoins({ rules, spending, publicKeyOf }, plan, keyOf)
    },
    read: (bytes) => readCoins(rules, bytes),
  }
}
