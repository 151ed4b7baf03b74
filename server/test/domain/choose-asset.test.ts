import { describe, expect, it } from 'vitest'
import { type AssetRegistry, balanceDecimals, chooseAsset } from '../../src/domain/assets.ts'
import { currencies } from '../support/shop/registry.ts'

const chosen = (code: string, network: string | null, registry: AssetRegistry = currencies) => {
  const choice = chooseAsset(registry, code, network)
  return 'problem' in choice ? choice : `${choice.currency.code} on ${choice.asset.network.id}`
}

it.each([
  ['BTC', null, 'BTC on bitcoin'],
  ['btc', 'BITCOIN', 'BTC on bitcoin'],
  ['eth', null, 'ETH on ethereum'],
  ['ETH', 'base', 'ETH on base'],
  ['usdt', 'Solana', 'USDT on solana'],
])('%s with network %s is %s', (code, network, found) => expect(chosen(code, network)).toBe(found))

it('a token on several networks must be requested with its network, and the refusal lists them', () => {
  const usdt = currencies.find(({ code }) => code === 'USDT')
  expect(chosen('USDT', null)).toEqual({
    problem: 'network_required',
    networks: usdt?.assets.map(({ network }) => network.id),
  })
})

it('a token on one network can be requested without its network', () => {
  const alone = currencies.map((currency) => ({ ...currency, assets: currency.assets.slice(0, 1) }))
  expect(chosen('USDT', null, alone)).toBe('USDT on ethereum')
})

it.each([
  ['DOGE', null, { problem: 'unknown_currency' }],
  ['', null, { problem: 'unknown_currency' }],
  // The upper case of ſ (long s) is S: an invalid code must not become a valid one.
  ['uſdt', null, { problem: 'unknown_currency' }],
  ['BTC', 'ethereum', { problem: 'unknown_network', networks: ['bitcoin'] }],
  ['BTC', '', { problem: 'unknown_network', networks: ['bitcoin'] }],
])('%j with network %j is refused', (code, network, problem) => {
  expect(chosen(code, network)).toEqual(problem)
})

describe('sums over networks', () => {
  it.each([
    ['USDT', 18],
    ['USDC', 18],
    ['BTC', 8],
    ['XRP', 6],
  ])('%s is counted in %s decimals, the largest number on any of its networks', (code, decimals) => {
    expect(balanceDecimals(currencies, code)).toBe(decimals)
  })

  it('an unknown currency has no sum', () => {
    expect(() => balanceDecimals(currencies, 'NOPE')).toThrow('does not know NOPE')
  })
})

it.each(currencies)('$code: the dust limit is above zero and below the smallest invoice', ({ assets }) => {
  for (const { dustUnits, minUnits } of assets) {
    expect(dustUnits).toBeGreaterThan(0n)
    expect(dustUnits).toBeLessThan(minUnits)
  }
})
