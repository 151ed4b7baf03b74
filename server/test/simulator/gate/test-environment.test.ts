import { randomBytes } from 'node:crypto'
import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { canonicalAddress } from '../../../src/gates/evm/address.ts'
import { readContract } from '../../../src/gates/xrp/issued-currency.ts'
import { transactionMaker } from '../../../src/simulator/gate/make-transaction.ts'
import { testAssets } from '../../../src/simulator/gate/test-assets.ts'
import { testFamily } from '../../../src/simulator/gate/test-families.ts'
import { currencies, networkOf, networks } from '../../support/shop/registry.ts'
import { publicKeys } from './keys.ts'

const everyAsset = networks.flatMap((network) =>
  testAssets(currencies, network).map((asset) => ({ ...asset, on: network.id })),
)
const tokens = everyAsset.flatMap(({ contractAddress, ...asset }) =>
  contractAddress === null ? [] : [{ ...asset, contractAddress }],
)
const liveContracts = currencies.flatMap(({ assets }) => assets.map(({ contractAddress }) => contractAddress))

describe('simulated assets', () => {
  it('are all those of the registry, each once', () => {
    const registered = currencies.flatMap(({ code, assets }) =>
      assets.map(({ network }) => `${code} ${network.id}`),
    )
    expect(everyAsset.map(({ currency, on }) => `${currency} ${on}`).sort()).toEqual(registered.sort())
  })

  it('of tokens have contracts of their own, none of which is a live one or used twice', () => {
    expect(tokens.length).toBeGreaterThan(8)
    expect(new Set(tokens.map(({ contractAddress }) => contractAddress)).size).toBe(tokens.length)
    expect(tokens.filter(({ contractAddress }) => liveContracts.includes(contractAddress))).toEqual([])
  })

  it('never change their contract, because merchants may have stored it', () => {
    const contract = (code: string, on: string) =>
      tokens.find((token) => token.currency === code && token.on === on)?.contractAddress
    expect(contract('USDC', 'ethereum')).toBe('0xFA12911B5554e613A673d7Fe827521b6c48b3a0B')
    expect(contract('RLUSD', 'xrp')).toBe(
      '524C555344000000000000000000000000000000.r93MtdFtEwKGA2h4fwZWzCPf51Fn6TpByr',
    )
    expect(contract('USDC', 'solana')).toBe('8qGqf9rVRCDrdSVtESAjscJvJGbU22wcbPmQn4or2teR')
  })

  it.each(tokens)('the contract of $currency on $on is an address there, and no destination', (token) => {
    if (token.network.family === 'evm')
      expect(canonicalAddress(token.contractAddress)).toBe(token.contractAddress)
    else if (token.network.family === 'xrp') expect(readContract(token.contractAddress)).not.toBeNull()
    else expect(base58.decode(token.contractAddress)).toHaveLength(32)
    const { parseDestination } = testFamily(token.network, publicKeys, currencies)
    expect(parseDestination(token.contractAddress, null)).toBeNull()
    const issuer = readContract(token.contractAddress)?.issuer
    if (issuer !== undefined) expect(parseDestination(issuer, '1')).toBeNull()
  })
})

describe('families of the test environment', () => {
  const first = { bitcoin: /^tb1q/, litecoin: /^tltc1q/, evm: /^0x/, xrp: /^r/ }

  it.each(networks)('$id derives addresses of the test network', (network) => {
    const made = testFamily(network, publicKeys, currencies).depositAddress(0)
    if (network.family === 'solana') return expect(made).toBeNull()
    const prefix = network.id === 'litecoin' ? first.litecoin : first[network.family]
    expect(made?.address).toMatch(prefix)
    expect(made?.tag !== null).toBe(network.tag !== null)
  })

  it.each([
    ['ethereum', 11_155_111],
    ['polygon', 80_002],
    ['bsc', 97],
    ['base', 84_532],
    ['arbitrum', 421_614],
    ['optimism', 11_155_420],
    ['avalanche', 43_113],
  ])('a payment link of %s names test chain %d', (id, chainId) => {
    const coin = everyAsset.find(({ on, contractAddress }) => on === id && contractAddress === null)
    if (coin === undefined) throw new Error(`${id} has no coin.`)
    const family = testFamily(coin.network, publicKeys, currencies)
    const to = family.depositAddress(0)
    if (to === null) throw new Error(`${id} makes no addresses.`)
    expect(family.paymentUri(to, coin, 1n)).toContain(`@${chainId}?`)
  })
})

describe('transaction hashes', () => {
  it.each([
    ['bitcoin', /^[0-9a-f]{64}$/],
    ['litecoin', /^[0-9a-f]{64}$/],
    ['ethereum', /^0x[0-9a-f]{64}$/],
    ['xrp', /^[0-9A-F]{64}$/],
    ['solana', /^[1-9A-HJ-NP-Za-km-z]{64,88}$/],
  ] as const)('have the form of %s, and are never the same twice', (network, form) => {
    const make = transactionMaker(networkOf(network), randomBytes)
    const made = Array.from({ length: 20 }, () => make([]).hash)
    for (const hash of made) expect(hash).toMatch(form)
    expect(new Set(made).size).toBe(20)
    if (network === 'solana') for (const hash of made) expect(base58.decode(hash)).toHaveLength(64)
  })
})
