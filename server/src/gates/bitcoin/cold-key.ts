import { HARDENED_OFFSET, type HDKey } from '@scure/bip32'
import type { ColdWallet, KeyOrigin } from '../../domain/cold-wallets.ts'
import type { ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import { publicKeysBelow, readAnyAccountKey } from '../extended-key.ts'
import { canonicalAddress, p2wpkhAddress } from './address.ts'

const expression = /^\[([0-9a-f]{8})((?:\/[0-9]{1,10}['hH])+)\](.+)$/
// BIP-44: the addresses that a wallet receives at.
const receiving = 0

/**
 * The cold wallet at an address, or below the extended public key of an account, which may be written with its origin
 * (BIP-380): `[d34db33f/84'/0'/0']zpub…`. Addresses are P2WPKH at 0/index below it (BIP-84).
 */
export function bitcoinColdWallet(
  rules: ChainRules,
  text: string,
): ColdWallet | { readonly refused: string } {
  const address = canonicalAddress(rules, text)
  if (address !== null)
    return {
      destination: address,
      isDerived: false,
      addressAt: (index) => (index === null ? address : null),
      keyAt: () => null,
    }
  const [, fingerprint = null, steps = '', keyText = text] = expression.exec(text) ?? []
  let account: HDKey
  try {
    account = readAnyAccountKey(keyText, rules.keyVersions)
  } catch (error) {
    if (/^[a-zA-Z]pub|^[Lt]tub|^[a-zA-Z]prv|^\[/.test(text))
      return { refused: error instanceof Error ? error.message : 'The account key cannot be read.' }
    return {
      refused: `It is neither an address of this chain nor an extended public key (${rules.keyVersions.join(', ')}).`,
    }
  }
  const path = steps
    .split('/')
    .slice(1)
    .map((step) => Number.parseInt(step, 10) + HARDENED_OFFSET)
  if (fingerprint !== null && (path.length !== account.depth || path.at(-1) !== account.index))
    return { refused: 'The origin in brackets does not match the depth and account of the extended key.' }
  const publicKeyOf = publicKeysBelow(account)
  const publicKeyAt = (index: number) => publicKeyOf({ chain: 'deposit', index })
  const origin: KeyOrigin =
    fingerprint === null
      ? { fingerprint: account.fingerprint, path: [] }
      : { fingerprint: Number.parseInt(fingerprint, 16), path }
  const written = path.map((step) => `/${step - HARDENED_OFFSET}'`).join('')
  return {
    destination: fingerprint === null ? keyText : `[${fingerprint}${written}]${keyText}`,
    isDerived: true,
    addressAt: (index) => (index === null ? null : p2wpkhAddress(rules, publicKeyAt(index))),
    keyAt: (index) => ({
      publicKey: publicKeyAt(index),
      origin: { ...origin, path: [...origin.path, receiving, index] },
    }),
  }
}
