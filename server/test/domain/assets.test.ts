import { describe, expect, it } from 'vitest'
import { withConfirmations } from '../../src/domain/assets.ts'
import { fixedRate } from '../../src/domain/fixed-rates.ts'
import { currencies, networks } from '../support/shop/registry.ts'

const forms = {
  bitcoin: /^$/,
  evm: /^0x[0-9a-fA-F]{40}$/,
  solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  xrp: /^(?:[0-9A-F]{40}|[A-Z]{3})[.]r[1-9A-HJ-NP-Za-km-z]{24,34}$/,
}

describe.each(currencies)('$code', (currency) => {
  it('is listed once on each of its networks, with a minimum above zero', () => {
    const on = currency.assets.map(({ network }) => network.id)
    expect(new Set(on).size).toBe(on.length)
    for (const asset of currency.assets) expect(asset.minUnits).toBeGreaterThan(0n)
  })

  it('has a default network only where a request may leave the network out', () => {
    const on = currency.assets.map(({ network }) => network.id)
    if (currency.kind === 'native') expect(on).toContain(currency.defaultNetwork)
    else expect(currency.defaultNetwork).toBeNull()
  })

  it('has a contract exactly where it is a token', () => {
    for (const { contractAddress, network } of currency.assets) {
      expect(contractAddress !== null).toBe(currency.kind === 'token')
      if (contractAddress === null) continue
      expect(contractAddress).toMatch(forms[network.family])
    }
  })

  it('has a price in the sandbox', () => expect(fixedRate(currency.sandboxPrice, 'USD')).not.toBeNull())
})

it('currencies are sorted by code, and every network has a currency', () => {
  const codes = currencies.map(({ code }) => code)
  expect(codes).toEqual([...new Set(codes)].sort())
  const used = new Set(currencies.flatMap(({ assets }) => assets.map(({ network }) => network.id)))
  expect(networks.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([])
})

it('the operator’s confirmations override the defaults, and the others stay', () => {
  const changed = withConfirmations(currencies, { ethereum: 64 })
  const depth = (code: string, on: string) =>
    changed.find((currency) => currency.code === code)?.assets.find(({ network }) => network.id === on)
      ?.network.confirmations
  expect([depth('ETH', 'ethereum'), depth('USDC', 'ethereum'), depth('ETH', 'base')]).toEqual([64, 64, 30])
})
