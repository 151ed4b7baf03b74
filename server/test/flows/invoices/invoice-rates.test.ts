import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

// An exchange in Coinbase's format that knows only bitcoin.
let exchange: Server
let service: TestService
let shop: Shop
beforeAll(async () => {
  exchange = createServer((request, response) => {
    const currency = new URL(request.url ?? '', 'http://x').searchParams.get('currency') ?? ''
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ data: { currency, rates: currency === 'BTC' ? { USD: '50000', EUR: '40000' } : {} } }),
    )
  })
  await new Promise<void>((resolve) => exchange.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(exchange.address() as AddressInfo).port}`
  service = await startTestService({
    ...quiet,
    config: {
      ...quiet.config,
      rates: { sources: ['coinbase'], base_urls: { coinbase: base }, refresh_seconds: 3600 },
    },
  })
  shop = await openShop(service)
})
afterAll(async () => {
  await service.stop()
  exchange.close()
})

const rates = async () =>
  (await call(service.url, 'listRates')).body.data.map(({ stale }: { stale: boolean }) => stale)
const price = { currency: 'BTC', amount_fiat: '10', fiat_currency: 'USD' }

it('a fiat price is converted at the current rate, which the invoice then keeps', async () => {
  await expect.poll(rates).toEqual([false, false])
  const invoice = await shop.create({ ...price, idempotency_key: 'before' })
  expect(invoice).toMatchObject({
    amount: '0.0002',
    exchange_rate: '50000',
    amount_in_base_currency: '10.00',
  })
})

it('a currency without a rate cannot be priced in fiat, and its amounts have no base value', async () => {
  const refused = await shop.call('createInvoice', { json: { ...price, currency: 'LTC' } })
  expect([refused.status, refused.body.error.code]).toEqual([503, 'rate_unavailable'])
  const unknown = { amount_in_base_currency: null, base_currency: null }
  expect(await shop.create({ currency: 'LTC', amount: '1' })).toMatchObject(unknown)
})

it('a fiat currency without any rate gets 400', async () => {
  const refused = await shop.call('createInvoice', { json: { ...price, fiat_currency: 'GBP' } })
  expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_error'])
})

it('with stale rates fiat prices get 503, crypto amounts work, and a repeated request gets its invoice', async () => {
  const deferred = await shop.create({ amount_fiat: '10', fiat_currency: 'USD' })
  await query(service.database.url, `update rates set updated_at = updated_at - interval '11 minutes'`)
  await expect.poll(rates).toEqual([true, true])

  const refused = await shop.call('createInvoice', { json: { ...price, idempotency_key: 'after' } })
  expect([refused.status, refused.body.error.code]).toEqual([503, 'rate_unavailable'])
  const picked = await shop.activate(deferred, { currency: 'BTC' })
  expect([picked.status, picked.body.error.code]).toEqual([503, 'rate_unavailable'])
  expect(await shop.create({ currency: 'BTC', amount: '1' })).toMatchObject({ amount_in_base_currency: null })

  const replayed = await shop.expect(201, 'createInvoice', { json: { ...price, idempotency_key: 'before' } })
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  expect(replayed.body.data).toMatchObject({ exchange_rate: '50000', amount: '0.0002' })
  const mismatch = await shop.call('createInvoice', {
    json: { ...price, amount_fiat: '11', idempotency_key: 'before' },
  })
  expect(mismatch.body.error.code).toBe('idempotency_key_mismatch')
})
