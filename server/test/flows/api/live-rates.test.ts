import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { callCheckout, openPage, tinyPage, tokenOf } from '../../support/shop/checkout-client.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop } from '../../support/shop/shop.ts'

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
    page: tinyPage,
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

const minute = 60

/** Lets the source be due, and waits until its price has been read and settled. */
async function readAgain(): Promise<void> {
  const before = new Date()
  await query(
    service.database.url,
    `update rate_sources set due_at = clock_timestamp() where source = 'coinbase'`,
  )
  await expect
    .poll(async () => {
      const rate = await btcUsd()
      return rate !== undefined && !rate.stale && new Date(rate.updated_at) > before
    })
    .toBe(true)
}

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

it('a rate from before a move of the test clock is older by the move, for that merchant only, until it is read again', async () => {
  price = '50000.00'
  await readAgain()
  const moved = await openShop(service)
  const other = await openShop(service)
  const inDollars = { amount_fiat: '10', fiat_currency: 'USD' }
  const chosen = { ...inDollars, currency: 'BTC' }
  const deferred = await moved.create(inDollars)
  await moved.create(chosen)

  await moved.advance(4 * minute)
  await moved.create(chosen)
  await moved.advance(7 * minute)
  for (const json of [chosen, inDollars]) {
    const { error } = (await moved.expect(503, 'createInvoice', { json })).body
    expect(error).toMatchObject({ code: 'rate_unavailable' })
    expect(error.message).toContain('Your test clock was moved since the rates were read')
  }
  await moved.create({ currency: 'BTC', amount: '0.01' })
  const { offers } = (await openPage(deferred.checkout_url)).state
  expect(offers?.find(({ currency }) => currency === 'BTC')).toMatchObject({ status: 'no_rate' })
  const token = await tokenOf(deferred)
  const chosenByPayer = () =>
    callCheckout(service.url, 'chooseCheckoutAsset', { token, json: { currency: 'BTC', network: 'bitcoin' } })
  expect(await chosenByPayer()).toMatchObject({ status: 503, body: { error: { code: 'rate_unavailable' } } })
  await other.create(chosen)
  expect(await btcUsd()).toMatchObject({ stale: false })

  await readAgain()
  await moved.create(chosen)
  expect((await chosenByPayer()).status).toBe(200)
})
