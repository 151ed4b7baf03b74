import { schnorr } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import { mnemonicToSeedSync } from '@scure/bip39'
import { Address } from '@scure/btc-signer'
import fc from 'fast-check'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import type { BitcoinChain } from '../../../src/domain/networks/bitcoin-rules.ts'
import { litecoin } from '../../../src/domain/networks/litecoin.ts'
import { bitcoinAccountKey } from '../../../src/gates/bitcoin/account-key.ts'
import { bitcoinFamily } from '../../../src/gates/bitcoin/family.ts'

/** The mnemonic of BIP-84's own vector. */
export const seed = mnemonicToSeedSync(`${'abandon '.repeat(11)}about`)

// Repeated here, so that a mistake in the source's table does not go unnoticed.
const wif = 0x80
export const chains = [
  { coin: 'bitcoin', chain: 'main', params: { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif } },
  { coin: 'bitcoin', chain: 'test', params: { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif } },
  { coin: 'bitcoin', chain: 'regtest', params: { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif } },
  { coin: 'litecoin', chain: 'main', params: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif } },
  { coin: 'litecoin', chain: 'test', params: { bech32: 'tltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif } },
  { coin: 'litecoin', chain: 'regtest', params: { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif } },
] as const

export type Chain = (typeof chains)[number]
type BitcoinCoin = 'bitcoin' | 'litecoin'
const coins = { bitcoin, litecoin }
export const networkOf = ({ coin }: { coin: BitcoinCoin }) => coins[coin]
export const nameOf = ({ coin, chain }: { coin: BitcoinCoin; chain: BitcoinChain }) => `${coin} ${chain}`

/** The family of a chain with the account of the test seed. */
export const familyOf = ({ coin, chain }: { coin: BitcoinCoin; chain: BitcoinChain }) =>
  bitcoinFamily({ network: coins[coin], chain, accountKey: bitcoinAccountKey(seed, coins[coin], chain) })

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const taprootKey = fc
  .bigInt({ min: 1n, max: 2n ** 128n })
  .map((secret) => schnorr.getPublicKey(hex.decode(secret.toString(16).padStart(64, '0'))))

export type Sample = { readonly form: 'pkh' | 'sh' | 'wpkh' | 'wsh' | 'tr'; readonly address: string }

/** Addresses of a chain in every form, encoded by @scure/btc-signer. */
export function addressOf({ params }: Chain): fc.Arbitrary<Sample> {
  const { encode } = Address(params)
  return fc.oneof(
    bytes(20).map((hash): Sample => ({ form: 'pkh', address: encode({ type: 'pkh', hash }) })),
    bytes(20).map((hash): Sample => ({ form: 'sh', address: encode({ type: 'sh', hash }) })),
    bytes(20).map((hash): Sample => ({ form: 'wpkh', address: encode({ type: 'wpkh', hash }) })),
    bytes(32).map((hash): Sample => ({ form: 'wsh', address: encode({ type: 'wsh', hash }) })),
    taprootKey.map((pubkey): Sample => ({ form: 'tr', address: encode({ type: 'tr', pubkey }) })),
  )
}
