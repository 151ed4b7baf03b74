import { expect, it } from 'vitest'
import { inCheckoutOrder, usualOrder } from '../../src/domain/checkout-order.ts'
import { currencies } from '../support/shop/registry.ts'

const codesOf = (registry: typeof currencies) => registry.map(({ code }) => code)
const networksOf = (registry: typeof currencies, code: string) =>
  registry.find((currency) => currency.code === code)?.assets.map(({ network }) => network.id) ?? []

it('without an order of one’s own the most used come first, and the networks stay as the registry has them', () => {
  const usual = inCheckoutOrder(currencies, usualOrder)
  const first = ['BTC', 'USDT', 'ETH', 'USDC', 'SOL']
  const others = codesOf(currencies).filter((code) => !first.includes(code))
  expect(codesOf(usual)).toEqual([...first, ...others])
  for (const code of first) expect(networksOf(usual, code)).toEqual(networksOf(currencies, code))
})

it('names that the service no longer knows change nothing, and nothing is lost or doubled', () => {
  const own = inCheckoutOrder(currencies, {
    currencies: ['GONE', 'LTC', 'ETH'],
    networks: ['nowhere', 'solana'],
  })
  expect(codesOf(own).slice(0, 6)).toEqual(['LTC', 'ETH', 'BTC', 'USDT', 'USDC', 'SOL'])
  expect(codesOf(own).toSorted()).toEqual(codesOf(currencies))
  const others = networksOf(currencies, 'USDC').filter((id) => id !== 'solana')
  expect(networksOf(own, 'USDC')).toEqual(['solana', ...others])
})
