import { mnemonicToSeedSync } from '@scure/bip39'
import { describe, expect, it } from 'vitest'
import { networkIn } from '../../src/domain/assets.ts'
import { bitcoin } from '../../src/domain/networks/bitcoin.ts'
import { litecoin } from '../../src/domain/networks/litecoin.ts'
import { bitcoinAccountKey } from '../../src/gates/bitcoin/account-key.ts'
import { bitcoinColdWallet } from '../../src/gates/bitcoin/cold-key.ts'
import { readColdWallet } from '../../src/gates/cold-wallet.ts'
import { currencies } from '../support/shop/registry.ts'

// The account and addresses of BIP-84's test vectors.
const seed = mnemonicToSeedSync(`${'abandon '.repeat(11)}about`)
const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const first = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'
const second = 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'

const read = (network: string, environment: 'live' | 'test', text: string) =>
  readColdWallet(networkIn(currencies, network), environment, currencies, undefined, text)

describe('a cold wallet', () => {
  it('below an extended public key has BIP-84’s addresses', () => {
    expect(bitcoinAccountKey(seed, bitcoin, 'main')).toBe(zpub)
    const cold = read('bitcoin', 'live', zpub)
    if ('refused' in cold) throw new Error(cold.refused)
    expect([cold.addressAt(0), cold.addressAt(1), cold.addressAt(null)]).toEqual([first, second, null])
    expect(cold).toMatchObject({ isDerived: true, destination: zpub })
  })

  it('may be written with the origin of its key, in any spelling of the hardened steps', () => {
    const cold = bitcoinColdWallet(bitcoin.rules.main, `[73c5da0a/84h/0H/0']${zpub}`)
    if ('refused' in cold) throw new Error(cold.refused)
    expect(cold.destination).toBe(`[73c5da0a/84'/0'/0']${zpub}`)
    expect(cold.addressAt(1)).toBe(second)
    const hardened = 2 ** 31
    expect(cold.keyAt(1)?.origin).toEqual({
      fingerprint: 0x73c5da0a,
      path: [84 + hardened, hardened, hardened, 0, 1],
    })
    expect(bitcoinColdWallet(bitcoin.rules.main, `[73c5da0a/84'/0'/1']${zpub}`)).toEqual({
      refused: expect.stringContaining('origin'),
    })
  })

  it('at an address has that one alone', () => {
    const cold = read('bitcoin', 'live', first.toUpperCase())
    if ('refused' in cold) throw new Error(cold.refused)
    expect([cold.destination, cold.addressAt(null), cold.addressAt(0)]).toEqual([first, first, null])
  })

  it.each<[string, string, 'live' | 'test', string, string]>([
    ['an address of another chain', 'bitcoin', 'test', first, 'neither an address of this chain'],
    ['an address of another network', 'litecoin', 'live', first, 'neither an address of this chain'],
    ['a key of another chain', 'bitcoin', 'test', zpub, 'must be one of vpub, tpub'],
    [
      'a key of another network',
      'bitcoin',
      'live',
      bitcoinAccountKey(seed, litecoin, 'test'),
      'must be one of',
    ],
    ['a key of another kind', 'ethereum', 'live', zpub, 'Extended public keys are for Bitcoin-like networks'],
    ['a mistyped key', 'bitcoin', 'live', `${zpub.slice(0, -1)}t`, 'wrong characters or checksum'],
    [
      'a token’s contract',
      'ethereum',
      'live',
      '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      'No one could spend',
    ],
    ['the zero address', 'ethereum', 'live', `0x${'0'.repeat(40)}`, 'No one could spend'],
    [
      'a mistyped address',
      'ethereum',
      'live',
      '0x52908400098527886E0F7030069857D2E4169eE7',
      'not an address',
    ],
    ['a network without nodes', 'solana', 'live', 'x', 'Bitcoin-like and EVM networks'],
  ])('is not %s', (_, network, environment, text, words) => {
    expect(read(network, environment, text)).toEqual({ refused: expect.stringContaining(words) })
  })
})
