import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
})
afterAll(() => service.stop())

/** Everything that an invoice would write. */
const written = () =>
  query(
    service.database.url,
    `select (select count(*) from invoices) as invoices, (select count(*) from events) as events,
       (select coalesce(sum(difference), 0) from list_counts) + (select coalesce(sum(total), 0) from list_totals) as counts`,
  )
let before: object[]
beforeEach(async () => {
  before = await written()
})
afterEach(async () => {
  expect(await written()).toEqual(before)
})

async function refusal(json: object | string, key = shop.key) {
  const answer = await call(service.url, 'createInvoice', {
    key,
    body: typeof json === 'string' ? json : JSON.stringify(json),
  })
  const { code, details } = answer.body.error
  return { status: answer.status, code, details }
}

const invalid = (...details: (string | RegExp)[]) => ({
  status: 400,
  code: 'validation_error',
  details: details.map((each) => expect.stringMatching(each)),
})

const amounts = [
  '1e3',
  '1E3',
  '-0',
  '-1',
  '+1',
  '.5',
  '1.',
  '01',
  '00',
  'NaN',
  'Infinity',
  '0x1',
  '0b1',
  '1_000',
  '1,5',
  '',
  ' ',
  ' 1',
  '1 ',
  '1\n',
  '1\0',
  '\ud800',
  '１',
  '٣',
  '1.0.0',
  'null',
  `${'1'.repeat(51)}`,
  '0',
  '0.0',
  '0.00000000',
  `0.${'0'.repeat(49)}`,
]

it.each(amounts)('the amount %j gets 400', async (amount) => {
  expect(await refusal({ currency: 'BTC', amount })).toEqual(invalid(/^\/amount: /))
  expect(await refusal({ currency: 'BTC', amount_fiat: amount, fiat_currency: 'USD' })).toEqual(
    invalid(/^\/amount_fiat: /),
  )
})

it.each([1, 0.01, true, [], {}, ['0.01']])(
  'the amount %j is not a string, and nothing is coerced',
  async (amount) => {
    expect(await refusal({ currency: 'BTC', amount })).toEqual(invalid(/^\/amount: must be a string/))
  },
)

it.each([
  [{ currency: 'BTC', amount: '0.000000001' }, /^\/amount: must have at most 8 digits/],
  [{ currency: 'BTC', amount: '1.000000000' }, /^\/amount: must have at most 8 digits/],
  [{ currency: 'USDT', network: 'ethereum', amount: '1.0000001' }, /^\/amount: must have at most 6 digits/],
  [{ currency: 'ETH', amount: `1.${'1'.repeat(19)}` }, /^\/amount: must have at most 18 digits/],
  [{ currency: 'BTC', amount_fiat: '1.001', fiat_currency: 'USD' }, /^\/amount_fiat: must have at most 2/],
  [{ currency: 'BTC', amount_fiat: '1.5', fiat_currency: 'JPY' }, /^\/amount_fiat: must have at most 0/],
] as const)('%j has more decimals than the asset and gets 400', async (json, detail) => {
  expect(await refusal(json)).toEqual(invalid(detail))
})

const both = { currency: 'BTC', amount: '1', amount_fiat: '1', fiat_currency: 'USD' }
it.each([
  ['both shapes', both, ['/amount_fiat: ', '/fiat_currency: ']],
  ['neither shape', {}, ['/amount: is required']],
  ['a currency and no amount', { currency: 'BTC' }, ['/amount: is required']],
  ['an amount and no currency', { amount: '1' }, ['/currency: is required with amount']],
  ['a price and no fiat currency', { amount_fiat: '1' }, ['/fiat_currency: is required with amount_fiat']],
  ['a fiat currency and no price', { fiat_currency: 'USD' }, ['/amount_fiat: is required']],
  [
    'a crypto amount with a fiat currency',
    { currency: 'BTC', amount: '1', fiat_currency: 'USD' },
    ['/fiat_currency: '],
  ],
  ['a fiat code as currency', { currency: 'USD', amount: '1' }, ['/currency: is a fiat currency']],
  [
    'a crypto code as fiat currency',
    { currency: 'BTC', amount_fiat: '1', fiat_currency: 'ltc' },
    ['/fiat_currency: is a cryptocurrency'],
  ],
  ['deferred with a crypto amount', { currency: 'BTC', amount: '1', deferred: true }, ['/deferred: ']],
  [
    'deferred with a currency',
    { currency: 'BTC', amount_fiat: '1', fiat_currency: 'USD', deferred: true },
    ['/deferred: '],
  ],
  [
    'not deferred and no currency',
    { amount_fiat: '1', fiat_currency: 'USD', deferred: false },
    ['/deferred: '],
  ],
  [
    'a network and no currency',
    { amount_fiat: '1', fiat_currency: 'USD', network: 'bitcoin' },
    ['/network: '],
  ],
  ['an unknown currency', { currency: 'NOPE', amount: '1' }, ['/currency: is not a supported currency']],
  [
    'an unknown fiat currency',
    { currency: 'BTC', amount_fiat: '1', fiat_currency: 'XXX' },
    ['/fiat_currency: '],
  ],
  [
    'a fiat currency without a rate',
    { amount_fiat: '1', fiat_currency: 'KPW' },
    ['/fiat_currency: has no exchange rate'],
  ],
])('%s gets 400, with details that name the error', async (_, json, details) => {
  expect(await refusal(json)).toEqual(invalid(...details.map((text) => new RegExp(`^${text}`))))
})

it('a network is required where there are several, and details name them', async () => {
  const all = 'ethereum, solana, avalanche, bsc, polygon'
  const usdt = { currency: 'USDT', amount: '10' }
  expect(await refusal(usdt)).toEqual(invalid(`^/network: is required for this currency: one of ${all}$`))
  for (const network of ['bitcoin', 'nowhere', '__proto__', 'ethereum ']) {
    expect(await refusal({ ...usdt, network })).toEqual(invalid(`^/network: must be one of ${all}`))
  }
  expect(await refusal({ currency: 'BTC', amount: '1', network: 'litecoin' })).toEqual(
    invalid('^/network: must be one of bitcoin'),
  )
})

const good = { currency: 'BTC', amount: '1' }
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]))
it.each([
  ['an unknown field', { ...good, colour: 'red', size: 1 }, ['/colour: ', '/size: ']],
  ['a description that is too long', { ...good, description: 'x'.repeat(1001) }, ['/description: ']],
  ['an external id that is too long', { ...good, external_id: 'x'.repeat(256) }, ['/external_id: ']],
  [
    'a redirect that is not a web link',
    { ...good, redirect_url: 'javascript:alert(1)' },
    ['/redirect_url: '],
  ],
  [
    'a redirect that is too long',
    { ...good, redirect_url: `https://x/${'r'.repeat(2039)}` },
    ['/redirect_url: '],
  ],
  ['a window that is too short', { ...good, expires_in: 299 }, ['/expires_in: must be at least 300']],
  ['a window that is too long', { ...good, expires_in: 172_801 }, ['/expires_in: must be at most 172800']],
  ['a window with a fraction', { ...good, expires_in: 300.5 }, ['/expires_in: ']],
  ['a window as text', { ...good, expires_in: '600' }, ['/expires_in: ']],
  ['deferred as text', { ...good, deferred: 'true' }, ['/deferred: ']],
  ['51 metadata keys', { ...good, metadata: keys(51) }, ['/metadata: must have at most 50']],
  ['a metadata key of 65 characters', { ...good, metadata: { ['k'.repeat(65)]: 1 } }, ['/metadata/']],
  ['an empty metadata key', { ...good, metadata: { '': 1 } }, ['/metadata/']],
  ['a metadata value of 1001 characters', { ...good, metadata: { k: 'x'.repeat(1001) } }, ['/metadata/k: ']],
  ['an object in metadata', { ...good, metadata: { k: {} } }, ['/metadata/k: ']],
  ['a list in metadata', { ...good, metadata: { k: [1] } }, ['/metadata/k: ']],
  ['metadata as a list', { ...good, metadata: [] }, ['/metadata: ']],
  ['NUL in a text', { ...good, description: 'a\0b' }, ['/description: ']],
  ['a lone surrogate in a text', { ...good, description: 'a\ud800b' }, ['/description: ']],
  ['NUL in a metadata key', { ...good, metadata: { 'a\0': 1 } }, ['/metadata/']],
  ['a lone surrogate in a metadata value', { ...good, metadata: { a: '\udc00' } }, ['/metadata/a: ']],
])('%s gets 400', async (_, json, details) => {
  expect(await refusal(json)).toEqual(invalid(...details.map((text) => new RegExp(`^${text}`))))
})

it.each([
  ['__proto__ as a field', '{"currency":"BTC","amount":"1","__proto__":{"amount":"2"}}'],
  ['duplicate keys', '{"currency":"BTC","amount":"1","amount":"2"}'],
  ['duplicate keys, one of them escaped', '{"currency":"BTC","amount":"1","\\u0061mount":"2"}'],
  ['broken JSON', '{"currency":"BTC",'],
  ['an array', '[]'],
  ['null', 'null'],
  ['nothing', ''],
  ['a number beyond what a double holds', '{"currency":"BTC","amount":"1","metadata":{"n":1e999}}'],
  ['deep nesting', `{"currency":"BTC","amount":"1","metadata":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`],
])('%s gets 400', async (_, body) => {
  expect((await refusal(body)).status).toBe(400)
})

it('a body over 64 KiB gets 413, and another media type 415', async () => {
  expect((await refusal({ ...good, description: 'x'.repeat(65 * 1024) })).status).toBe(413)
  const form = await call(service.url, 'createInvoice', {
    key: shop.key,
    body: JSON.stringify(good),
    headers: { 'Content-Type': 'text/plain' },
  })
  expect([form.status, form.body.error.code]).toEqual([415, 'validation_error'])
})

it.each([
  [{ currency: 'BTC', amount: '0.00000999' }, '/amount: must be at least 0.00001 BTC'],
  [{ currency: 'USDT', network: 'ethereum', amount: '0.999999' }, '/amount: must be at least 1 USDT'],
  [
    { currency: 'BTC', amount_fiat: '0.01', fiat_currency: 'USD' },
    '/amount_fiat: must be at least 0.00001 BTC',
  ],
])('%j is below the network’s minimum and gets 422', async (json, detail) => {
  expect(await refusal(json)).toEqual({ status: 422, code: 'amount_too_small', details: [detail] })
})

it('an offline network gets 503 only if everything else is valid', async () => {
  await shop.setGate('bitcoin', 'offline')
  const answer = async (json: object) => {
    const { status, code } = await refusal(json)
    return [status, code]
  }
  expect(await answer({ currency: 'BTC', amount: '1' })).toEqual([503, 'gate_offline'])
  expect(await answer({ currency: 'BTC', amount: '0.000001' })).toEqual([422, 'amount_too_small'])
  expect(await answer({ currency: 'BTC', amount: '0' })).toEqual([400, 'validation_error'])
  await shop.setGate('bitcoin', 'online')
})

it('a live invoice without a live gate gets 503, and fixed rates price nothing in live', async () => {
  const { key } = await service.makeKey(shop.merchantId, { environment: 'live' })
  const answer = async (json: object) => {
    const { status, code } = await refusal(json, key)
    return [status, code]
  }
  expect(await answer({ currency: 'BTC', amount: '1' })).toEqual([503, 'gate_offline'])
  expect(await answer({ currency: 'BTC', amount_fiat: '10', fiat_currency: 'USD' })).toEqual([
    503,
    'rate_unavailable',
  ])
  expect(await answer({ currency: 'BTC', amount: '0.000001' })).toEqual([422, 'amount_too_small'])
  expect(await answer({ currency: 'USDT', amount: '1' })).toEqual([400, 'validation_error'])
})

it('live sends payers back over https only', async () => {
  const { key } = await service.makeKey(shop.merchantId, { environment: 'live' })
  const plain = { currency: 'BTC', amount: '1', redirect_url: 'http://shop.example.com/thanks' }
  expect(await refusal(plain, key)).toMatchObject({
    status: 400,
    code: 'validation_error',
    details: ['/redirect_url: must start with https:// in the live environment'],
  })
  const safe = { ...plain, redirect_url: 'https://shop.example.com/thanks' }
  expect(await refusal(safe, key)).toMatchObject({ code: 'gate_offline' })
})
