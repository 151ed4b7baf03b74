import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    config: { limits: { ip_per_minute: 10_000 }, confirmations: { bitcoin: 3 } },
  })
})
afterAll(() => service.stop())

describe('currencies', () => {
  it('are listed without a key, sorted, with each network once per environment', async () => {
    const { body } = await call(service.url, 'listCurrencies')
    const codes = body.data.map((currency: { code: string }) => currency.code)
    expect(codes).toEqual([...codes].sort())
    expect(codes).toEqual(expect.arrayContaining(['BTC', 'LTC', 'ETH', 'USDT', 'USDC', 'SOL', 'XRP']))
    for (const currency of body.data) {
      const gates = currency.networks.map((network: { gate_id: string }) => network.gate_id)
      expect(new Set(gates).size).toBe(gates.length)
    }
  })

  it.each(['live', 'test'])('are only those of %s when filtered by it', async (environment) => {
    const { body } = await call(service.url, 'listCurrencies', { query: { environment } })
    for (const currency of body.data) {
      expect(currency.environments).toEqual([environment])
      for (const network of currency.networks) expect(network.environment).toBe(environment)
    }
  })

  it('show the operator’s confirmations, the tag of XRP and the live contracts of tokens', async () => {
    const { body } = await call(service.url, 'listCurrencies', { query: { environment: 'live' } })
    const find = (code: string) => body.data.find((currency: { code: string }) => currency.code === code)
    expect(find('BTC').networks).toEqual([
      {
        network: 'bitcoin',
        name: 'Bitcoin',
        environment: 'live',
        gate_id: 'bitcoin-live',
        decimals: 8,
        contract_address: null,
        required_confirmations: 3,
        min_amount: '0.00001',
        tag: null,
        status: 'offline',
      },
    ])
    expect(find('XRP').networks[0].tag).toEqual({ name: 'Destination tag', required: true })
    expect(find('USDT').default_network).toBeNull()
    expect(find('ETH').default_network).toBe('ethereum')
    const usdt = find('USDT').networks.find(({ network }: { network: string }) => network === 'ethereum')
    expect(usdt.contract_address).toBe('0xdAC17F958D2ee523a2206206994597C13D831ec7')
  })
})

describe('rates of the sandbox', () => {
  it('come from the fixed book, which is named as their source', async () => {
    const { body } = await call(service.url, 'listRates', {
      query: { currency: 'BTC', fiat_currency: 'USD' },
    })
    expect(body.data).toMatchObject([
      { currency: 'BTC', fiat_currency: 'USD', rate: '60000', source: 'fixed', stale: false },
    ])
  })

  it('are filtered by lists of codes in any case, and unknown codes match nothing', async () => {
    const rows = async (query: Record<string, string>) =>
      (await call(service.url, 'listRates', { query })).body.data.map(
        (rate: { currency: string; fiat_currency: string }) => `${rate.currency}/${rate.fiat_currency}`,
      )
    expect(await rows({ currency: 'eth, BTC', fiat_currency: 'usd,EUR' })).toEqual([
      'BTC/EUR',
      'BTC/USD',
      'ETH/EUR',
      'ETH/USD',
    ])
    expect(await rows({ currency: 'NOPE' })).toEqual([])
    expect(await rows({ fiat_currency: '' })).toEqual([])
  })

  it('cover every offered currency in USD, EUR and GBP', async () => {
    const { body: currencies } = await call(service.url, 'listCurrencies')
    for (const fiat of ['USD', 'EUR', 'GBP']) {
      const { body } = await call(service.url, 'listRates', { query: { fiat_currency: fiat } })
      expect(body.data.map((rate: { currency: string }) => rate.currency)).toEqual(
        currencies.data.map((currency: { code: string }) => currency.code),
      )
    }
  })
})

it('the contract is served at /api/openapi.json', async () => {
  const response = await fetch(`${service.url}/api/openapi.json`)
  const description = (await response.json()) as { openapi: string; info: { version: string } }
  expect(description.openapi).toMatch(/^3\.1/)
  expect(description.info.version).toBe('1.0.0')
})

it('liveness, readiness and the front page answer', async () => {
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${service.url}/`)).text()).toContain('Sluice is running')
})
