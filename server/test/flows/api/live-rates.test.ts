import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

// One exchange in Coinbase's format whose price the test sets, and one that always fails.
let price = '50000.00'
let asked = 0
let exchange: Server
let service: TestService

beforeAll(async () => {
  exchange = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    if (url.pathname !== '/v2/exchange-rates') {
      response.writeHead(503).end('down for maintenance')
      return
    }
    const currency = url.searchParams.get('currency') ?? ''
    if (currency === 'BTC') asked++
    const rates = currency === 'BTC' ? { USD: price, EUR: '45000.00' } : {}
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: { currency, rates } }))
  })
  await new Promise<void>((resolve) => exchange.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(exchange.address() as AddressInfo).port}`
  service = await startTestService({
    config: {
      rates: { sources: ['coinbase', 'kraken'], base_urls: { coinbase: base, kraken: base } },
      limits: { ip_per_minute: 100_000 },
    },
  })
})
afterAll(async () => {
  await service.stop()
  exchange.close()
})

const btcUsd = async () =>
  (await call(service.url, 'listRates', { query: { currency: 'BTC', fiat_currency: 'USD' } })).body.data[0]

it('the rate comes from the healthy source while another is down', async () => {
  await expect.poll(btcUsd).toMatchObject({ rate: '50000', source: 'coinbase', stale: false })
  await expect
    .poll(() => service.logged.some((line) => line.msg === 'rate source failed' && line.source === 'kraken'))
    .toBe(true)
})

it('a source is queried once per interval, however often the loops check', async () => {
  const [source] = await query<{ due: boolean }>(
    service.database.url,
    `select due_at > clock_timestamp() as due from rate_sources where source = 'coinbase'`,
  )
  expect(source?.due).toBe(true)
  expect(asked).toBe(1)
})

it('a wild price of the only source is refused, and the last good rate stays until it is stale', async () => {
  price = '0.00002'
  await query(
    service.database.url,
    `update rate_sources set due_at = clock_timestamp() where source = 'coinbase'`,
  )
  await expect.poll(() => asked).toBe(2)
  await expect
    .poll(() => service.logged.some((line) => JSON.stringify(line.refused ?? []).includes('BTC/USD')))
    .toBe(true)
  expect(await btcUsd()).toMatchObject({ rate: '50000', stale: false })
  await query(service.database.url, `update rates set updated_at = updated_at - interval '11 minutes'`)
  await expect.poll(btcUsd).toMatchObject({ rate: '50000', stale: true })
})
