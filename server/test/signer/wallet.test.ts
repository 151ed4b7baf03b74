import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { bitcoin } from '../../src/domain/networks/bitcoin.ts'
import { litecoin } from '../../src/domain/networks/litecoin.ts'
import type { BitcoinNetwork } from '../../src/domain/networks/network.ts'
import { bitcoinFamily } from '../../src/gates/bitcoin/family.ts'
import { evmFamily } from '../../src/gates/evm/family.ts'
import { openWallet } from '../../src/signer/wallet.ts'
import { currencies, networks } from '../support/shop/registry.ts'

// The words of BIP-84's vectors, which the documentation of many wallets uses.
const words = `${'abandon '.repeat(11)}about`
const wallet = await openWallet(words, 'test', currencies)
const key = (network: string) => wallet.publicKeys[network] ?? ''

it('the first addresses are those that other wallets derive from the same words', () => {
  const first = (network: BitcoinNetwork) =>
    bitcoinFamily({ network, chain: 'test', accountKey: key(network.id) }).depositAddress(0)
  expect(first(bitcoin)).toEqual({ address: 'tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl', tag: null })
  // The same key hash as Bitcoin's, because all test chains share a coin type (SLIP-44).
  expect(first(litecoin)?.address).toMatch(/^tltc1q6rz28mcfaxtmd6v789l9rrlrusdprr9p/)
  expect(evmFamily({ chainId: 1, accountKey: key('ethereum') }).depositAddress(0)?.address).toBe(
    '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  )
  expect(wallet.publicKeys.xrp).toBe('rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3')
  expect(wallet.depositAddress('solana', 0)?.address).toBe('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
})

it('every network has a public key, or the hot wallet’s address if only the seed derives addresses', () => {
  expect(Object.keys(wallet.publicKeys)).toEqual(networks.map(({ id }) => id))
  for (const { id, family } of networks) {
    expect(wallet.publicKeys[id], id).toMatch(/^[0-9A-Za-z]{25,}$/)
    expect(wallet.depositAddress(id, 1) === null, id).toBe(family !== 'solana')
  }
  expect(new Set(networks.filter(({ family }) => family === 'evm').map(({ id }) => key(id))).size).toBe(1)
})

it('the live wallet with the same words has other Bitcoin keys', async () => {
  const live = await openWallet(words, 'live', currencies)
  expect(live.publicKeys.bitcoin).toMatch(/^zpub/)
  expect(wallet.publicKeys.bitcoin).toMatch(/^vpub/)
})

it('the fingerprint distinguishes seeds', async () => {
  expect(wallet.fingerprint).toMatch(/^[0-9a-f]{16}$/)
  expect((await openWallet(words, 'test', currencies)).fingerprint).toBe(wallet.fingerprint)
  const other = await openWallet(`${'zoo '.repeat(11)}wrong`, 'test', currencies)
  expect(other.fingerprint).not.toBe(wallet.fingerprint)
})

it('a printed wallet shows neither words nor private keys', () => {
  const shown = `${inspect(wallet, { depth: 9, showHidden: true })} ${JSON.stringify(wallet)}`
  expect(shown).not.toMatch(/abandon|prv|seed:/)
})
