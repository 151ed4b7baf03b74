import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '../../support/processes/resources.ts'
import { contractOperations } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
})
afterAll(() => service.stop())

const tagged = contractOperations.filter(({ parameters }) =>
  parameters.some(({ name }) => name === 'If-None-Match'),
)

async function pathOf({ parameters }: (typeof tagged)[number]): Promise<Record<string, string>> {
  const path: Record<string, string> = {}
  for (const { name } of parameters.filter((parameter) => parameter.in === 'path'))
    path[name] =
      name === 'currency'
        ? 'BTC'
        : await (resources[name] as { make: Make }).make(service, shop.merchantId, 'test')
  return path
}
type Make = (service: TestService, merchantId: string, environment: 'test') => Promise<string>

describe('an answer that did not change is not sent again', () => {
  it('covers what is polled', () => {
    expect(tagged.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'getInvoice',
        'getPayout',
        'getRefund',
        'listEvents',
        'listBalances',
        'listCurrencies',
      ]),
    )
  })

  it.each(tagged)('$id', async (operation) => {
    const path = await pathOf(operation)
    const ask = (given?: string) =>
      shop.call(operation.id, { path, ...(given !== undefined && { headers: { 'If-None-Match': given } }) })
    const first = await ask()
    expect(first.status).toBe(200)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/)
    expect((await ask()).headers.get('etag')).toBe(etag)
    for (const given of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await ask(given)
      expect([again.status, again.headers.get('etag')], given).toEqual([304, etag])
    }
    for (const given of ['"other"', 'W/""', etag.slice(0, -2), ''])
      expect((await ask(given)).status, given).toBe(200)
    if (operation.permission !== null) {
      expect(first.headers.get('cache-control')).toBe('private, no-cache')
      expect(first.headers.get('vary')).toBe('X-API-Key')
    }
  })
})

it('every change of an invoice changes its ETag, and a list’s too', async () => {
  const invoice = await shop.create()
  const one = async () =>
    (await shop.call('getInvoice', { path: { invoiceID: invoice.id } })).headers.get('etag')
  const all = async () => (await shop.call('listInvoices')).headers.get('etag')
  const seen = new Set([`${await one()} ${await all()}`])
  await shop.pay(invoice, '0.01')
  seen.add(`${await one()} ${await all()}`)
  await shop.mine(1)
  seen.add(`${await one()} ${await all()}`)
  await shop.mine(1)
  seen.add(`${await one()} ${await all()}`)
  expect(seen.size).toBe(4)
  const before = await all()
  await shop.create()
  expect(await all()).not.toBe(before)
})

it('a caller without permission learns nothing from an ETag', async () => {
  const invoice = await shop.create()
  const path = { invoiceID: invoice.id }
  const etag = (await shop.call('getInvoice', { path })).headers.get('etag') ?? ''
  const stranger = await openShop(service)
  const headers = { 'If-None-Match': etag }
  expect((await stranger.call('getInvoice', { path, headers })).status).toBe(404)
  expect((await stranger.call('getInvoice', { path, headers, key: 'sk_test_1' })).status).toBe(401)
})
