import { hash } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeed } from '@scure/bip39'
import type { Environment } from '../domain/environment.ts'
import { type Network, networks } from '../domain/networks.ts'
import { bitcoinAccountKey } from '../gates/bitcoin/account-key.ts'
import { type BitcoinCoin, chainRules } from '../gates/bitcoin/chain-rules.ts'
import { evmAccountKey } from '../gates/evm/account-key.ts'
import type { DepositAddress } from '../gates/family.ts'
import { solanaDepositAddress } from '../gates/solana/deposit-key.ts'
import { xrpAccount } from '../gates/xrp/deposit-account.ts'
import type { PublicKeys } from '../store/wallet-keys.ts'

const fingerprintCharacters = 16

/** A wallet whose seed this process holds. The seed stays inside: nothing here shows it, printed or logged. */
export type Wallet = {
  readonly environment: Environment
  /** Tells this seed from others, and says nothing about it. */
  readonly fingerprint: string
  /** All that the rest of the service may see. */
  readonly publicKeys: PublicKeys
  /** Deposit address number `index` of a network where only the seed can make it; null elsewhere. */
  depositAddress(network: string, index: number): DepositAddress | null
}

/** The wallet of BIP-39 words, without a passphrase. */
export async function openWallet(words: string, environment: Environment): Promise<Wallet> {
  const seed = await mnemonicToSeed(words)
  const { publicKey } = HDKey.fromMasterSeed(seed)
  if (publicKey === null) throw new Error('The master key has no public key.')
  const evmKey = evmAccountKey(seed)
  const publicKeyOf = (network: Network): string | null => {
    switch (network.family) {
      case 'bitcoin':
        return bitcoinAccountKey(seed, coinOf(network), environment === 'live' ? 'main' : 'test')
      case 'evm':
        return evmKey
      case 'xrp':
        return xrpAccount(seed)
      case 'solana':
        return null
    }
  }
  return {
    environment,
    fingerprint: hash('sha256', publicKey, 'hex').slice(0, fingerprintCharacters),
    publicKeys: Object.fromEntries(networks.map((network) => [network.id, publicKeyOf(network)])),
    depositAddress: (network, index) =>
      familyOf(network) === 'solana' ? solanaDepositAddress(seed, index) : null,
  }
}

function coinOf({ id }: Network): BitcoinCoin {
  if (!Object.hasOwn(chainRules, id)) throw new Error(`The rules of ${id} are not known.`)
  return id as BitcoinCoin
}

function familyOf(network: string): Network['family'] | undefined {
  return networks.find(({ id }) => id === network)?.family
}
