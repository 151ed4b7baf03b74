import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { networkIn, networksIn, registryOf } from '../../src/domain/assets.ts'
import { ether } from '../../src/domain/currencies.ts'
import { base } from '../../src/domain/networks/base.ts'
import { bitcoin } from '../../src/domain/networks/bitcoin.ts'
import { ethereum } from '../../src/domain/networks/ethereum.ts'
import {
  bitcoinNetworks,
  evmNetworks,
  explorerUrl,
  solanaNetworks,
} from '../../src/domain/networks/network.ts'
import { shippedNetworks } from '../../src/domain/networks/shipped.ts'
import { ceilingOf, feeCeilings } from '../../src/domain/spending-limits.ts'

const ids = shippedNetworks.map(({ id }) => id)

it('every record in the folder is in the list, in a file of its own name', () => {
  const others = ['bitcoin-rules.ts', 'list.ts', 'network.ts', 'shipped.ts']
  const folder = new URL('../../src/domain/networks/', import.meta.url)
  const records = readdirSync(folder).filter((name) => !others.includes(name))
  expect(records.toSorted()).toEqual(ids.map((id) => `${id}.ts`).toSorted())
})

it('no two networks share a chain', () => {
  const chainIds = evmNetworks(shippedNetworks).flatMap(({ live, test }) => [live.chainId, test.chainId])
  expect(new Set(chainIds).size).toBe(chainIds.length)
  const genesis = [
    ...bitcoinNetworks(shippedNetworks).flatMap(({ chains }) => Object.values(chains)),
    ...solanaNetworks(shippedNetworks).flatMap(({ clusters }) => Object.values(clusters)),
  ].map((chain) => chain.genesis)
  expect(new Set(genesis).size).toBe(genesis.length)
})

it.each(shippedNetworks)(
  '$id has an explorer, and its fee ceiling is above zero and not excessive',
  (network) => {
    expect(network.explorer).toMatch(/^https:\/\/[a-z.]+\/[a-z]+\/$/)
    const ceiling = ceilingOf(feeCeilings(shippedNetworks, {}), network.id)
    expect(ceiling).toBeGreaterThan(0n)
    expect(ceiling).toBeLessThan(10n ** BigInt(network.native.decimals + 2))
  },
)

it('a network without a fee ceiling is an error, not a network without fees', () => {
  expect(() => ceilingOf(feeCeilings([bitcoin], {}), 'ethereum')).toThrow('ethereum')
})

describe('a registry', () => {
  it('contains the networks it was built from', () => {
    const registry = registryOf(shippedNetworks)
    expect(networksIn(registry).map(({ id }) => id)).toEqual(ids)
    expect(networkIn(registry, 'base')).toBe(base)
    expect(() => networkIn(registry, 'elsewhere')).toThrow('elsewhere')
  })

  it('refuses a currency that two records describe differently', () => {
    const other = { ...base, native: { ...base.native, currency: { ...ether, name: 'Base Ether' } } }
    expect(() => registryOf([ethereum, other])).toThrow('ETH is defined twice')
  })

  it('refuses minimum amounts with too many decimals', () => {
    const finer = { ...ethereum, native: { ...ethereum.native, dust: '0.0000000000000000001' } }
    expect(() => registryOf([finer])).toThrow('up to 18 places')
  })
})

it('a live transaction has an explorer link if its network has an explorer, and a test transaction has none', () => {
  expect(explorerUrl(bitcoin, 'live', 'ab')).toBe('https://mempool.space/tx/ab')
  expect(explorerUrl(bitcoin, 'live', 'a/b')).toBe('https://mempool.space/tx/a%2Fb')
  expect(explorerUrl(bitcoin, 'test', 'ab')).toBeNull()
  expect(explorerUrl({ explorer: null }, 'live', 'ab')).toBeNull()
})
