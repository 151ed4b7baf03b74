import { afterAll, beforeAll, expect, it } from 'vitest'
import { paymentReference } from '../../../src/gates/solana/payment-link.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService({
    ...quiet,
    env: { ...quiet.env, SLUICE_PUBLIC_URL: 'https://pay.example' },
  })
  shop = await openShop(service)
})
afterAll(() => service.stop())

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000

it('a new invoice has every field, and unset ones are null', async () => {
  const invoice = await shop.create({ currency: 'BTC', amount: '0.0150' })
  expect(invoice).toEqual({
    id: expect.stringMatching(uuidv7),
    merchant_id: shop.merchantId,
    environment: 'test',
    status: 'pending',
    source: 'api',
    static_address_id: null,
    currency: 'BTC',
    network: 'bitcoin',
    amount: '0.015',
    amount_fiat: null,
    fiat_currency: null,
    exchange_rate: null,
    rate_locked_at: null,
    amount_in_base_currency: '900.00',
    base_currency: 'USD',
    amount_paid: '0',
    amount_pending: '0',
    amount_due: '0.015',
    amount_overpaid: '0',
    amount_refunded: '0',
    fee_amount: '0',
    deferred: false,
    deposit_address: expect.stringMatching(/^tb1q[02-9ac-hj-np-z]{38}$/),
    deposit_address_tag: null,
    payment_uri: `bitcoin:${invoice.deposit_address}?amount=0.015`,
    payment_reference: null,
    gate_id: 'bitcoin-test',
    required_confirmations: 2,
    description: null,
    external_id: null,
    metadata: null,
    redirect_url: null,
    checkout_url: expect.stringMatching(/^https:\/\/pay\.example\/pay\/[A-Za-z0-9_-]{22}$/),
    idempotency_key: null,
    expires_at: expect.stringMatching(time),
    live_at: expect.stringMatching(time),
    paid_at: null,
    cancelled_at: null,
    created_at: expect.stringMatching(time),
    updated_at: expect.stringMatching(time),
  })
  expect(secondsBetween(invoice.created_at, invoice.expires_at)).toBe(1800)
  const [event] = await shop.events()
  expect(event).toMatchObject({ event: 'invoice.confirming', environment: 'test', data: invoice })
  expect(await shop.get(invoice)).toEqual({ ...invoice, payments: [] })
  const { body } = await shop.expect(200, 'listInvoices')
  expect(body.data).toEqual([invoice])
})

it('an invoice keeps the merchant’s texts and metadata character by character', async () => {
  const sent = {
    currency: 'BTC',
    amount: '1',
    description: '  <script>alert(1)</script> =SUM(A1) 👍 é\r\n\t ',
    external_id: '00123',
    metadata: { order: '1001', n: 1.5, big: 1e21, yes: true, none: null, '': undefined, ' key ': '\u202e' },
    redirect_url: 'https://shop.example.com/thanks?order=1#x',
    expires_in: 300,
    idempotency_key: 'é 1',
  }
  const invoice = await shop.create(sent)
  const { currency: _, amount: __, expires_in: ___, metadata, ...same } = sent
  expect(invoice).toMatchObject(same)
  expect(invoice.metadata).toEqual(JSON.parse(JSON.stringify(metadata)))
  expect(secondsBetween(invoice.created_at, invoice.expires_at)).toBe(300)
  expect(await shop.get(invoice)).toMatchObject(same)
})

it('every field is accepted at its limit', async () => {
  const metadata = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [String(n).padStart(64, 'k'), 'é'.repeat(1000)]),
  )
  const few = Object.fromEntries(Object.entries(metadata).slice(0, 20))
  const invoice = await shop.create({
    currency: 'BTC',
    amount: '21000000.00000001',
    description: 'd'.repeat(1000),
    external_id: 'e'.repeat(255),
    redirect_url: `https://x/${'r'.repeat(2038)}`,
    expires_in: 172_800,
    metadata: few,
  })
  expect(invoice).toMatchObject({ amount: '21000000.00000001', metadata: few })
  expect(secondsBetween(invoice.created_at, invoice.expires_at)).toBe(172_800)
  const many = Object.fromEntries(Object.keys(metadata).map((key) => [key, key]))
  expect((await shop.create({ currency: 'BTC', amount: '1', metadata: many })).metadata).toEqual(many)
})

it('null for an optional field means that it was left out', async () => {
  const fields = ['network', 'amount_fiat', 'fiat_currency', 'deferred', 'description', 'external_id']
  const more = ['metadata', 'redirect_url', 'idempotency_key']
  const nulls = Object.fromEntries([...fields, ...more].map((name) => [name, null]))
  const invoice = await shop.create({ currency: 'BTC', amount: '1', ...nulls, expires_in: null })
  expect(invoice).toMatchObject({ ...nulls, deferred: false, network: 'bitcoin' })
})

it.each([
  ['BTC', null, '0.01', /^tb1q/, 2, 'bitcoin', (a: string) => `bitcoin:${a}?amount=0.01`],
  ['LTC', null, '1', /^tltc1q/, 6, 'litecoin', (a: string) => `litecoin:${a}?amount=1`],
  [
    'ETH',
    null,
    '0.5',
    /^0x/,
    12,
    'ethereum',
    (a: string) => `ethereum:${a}@11155111?value=500000000000000000`,
  ],
  ['ETH', 'base', '0.5', /^0x/, 30, 'base', (a: string) => `ethereum:${a}@84532?value=500000000000000000`],
  ['BNB', null, '1', /^0x/, 15, 'bsc', (a: string) => `ethereum:${a}@97?value=1000000000000000000`],
  [
    'SOL',
    null,
    '2.5',
    /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    32,
    'solana',
    (a: string, id: string) => `solana:${a}?amount=2.5&reference=${paymentReference(id)}`,
  ],
] as const)(
  'an invoice in %s on %s has the network’s own address format, depth and payment link',
  async (currency, named, amount, form, depth, network, uri) => {
    const invoice = await shop.create({ currency, network: named, amount })
    expect(invoice).toMatchObject({
      currency,
      network,
      amount,
      deposit_address: expect.stringMatching(form),
      deposit_address_tag: null,
      required_confirmations: depth,
      gate_id: `${network}-test`,
      payment_uri: uri(invoice.deposit_address, invoice.id),
      payment_reference: network === 'solana' ? paymentReference(invoice.id) : null,
    })
  },
)

it('a token’s payment link names the contract that /v1/currencies shows for the test environment', async () => {
  const { body } = await call(service.url, 'listCurrencies', { query: { environment: 'test' } })
  const usdt = body.data.find(({ code }: { code: string }) => code === 'USDT')
  const contractOn = (name: string) =>
    usdt.networks.find(({ network }: { network: string }) => network === name).contract_address
  const ethereum = await shop.create({ currency: 'USDT', network: 'ethereum', amount: '12.5' })
  expect(contractOn('ethereum')).not.toBe('0xdAC17F958D2ee523a2206206994597C13D831ec7')
  expect(ethereum.payment_uri).toBe(
    `ethereum:${contractOn('ethereum')}@11155111/transfer?address=${ethereum.deposit_address}&uint256=12500000`,
  )
  const bsc = await shop.create({ currency: 'USDT', network: 'bsc', amount: '12.5' })
  expect(bsc.payment_uri).toContain('@97/transfer?')
  expect(bsc.payment_uri).toContain('&uint256=12500000000000000000')
  const description = 'Order 7: one pot'
  const solana = await shop.create({ currency: 'USDT', network: 'solana', amount: '12.5', description })
  expect(solana.payment_uri).toBe(
    `solana:${solana.deposit_address}?amount=12.5&spl-token=${contractOn('solana')}` +
      `&reference=${solana.payment_reference}&message=Order%207%3A%20one%20pot`,
  )
})

it('XRP invoices share one account and have a tag each', async () => {
  const [one, two] = [
    await shop.create({ currency: 'XRP', amount: '20' }),
    await shop.create({ currency: 'XRP', amount: '20' }),
  ]
  expect(one.deposit_address).toMatch(/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/)
  expect(one.deposit_address).toBe(two.deposit_address)
  expect(one.deposit_address_tag).toMatch(/^[1-9][0-9]{0,9}$/)
  expect(one.deposit_address_tag).not.toBe(two.deposit_address_tag)
  expect(one.payment_uri).toBe(`xrpl://${one.deposit_address}?amount=20&dt=${one.deposit_address_tag}`)
})

it('codes are accepted in any case and returned in their canonical form', async () => {
  expect(await shop.create({ currency: 'uSdT', network: 'POLYGON', amount: '1' })).toMatchObject({
    currency: 'USDT',
    network: 'polygon',
  })
  expect(await shop.create({ currency: 'btc', amount_fiat: '10', fiat_currency: 'eur' })).toMatchObject({
    currency: 'BTC',
    fiat_currency: 'EUR',
    amount_fiat: '10.00',
  })
})

it.each([
  // 49.90 / 60000 = 0.000831666…
  [{ currency: 'BTC', amount_fiat: '49.90', fiat_currency: 'USD' }, '0.00083167', '49.90', '60000', '49.90'],
  // Exactly one unit: nothing is added.
  [{ currency: 'BTC', amount_fiat: '600', fiat_currency: 'USD' }, '0.01', '600.00', '60000', '600.00'],
  // 1000 JPY at 148 per dollar; the yen has no minor digits.
  [{ currency: 'LTC', amount_fiat: '1000', fiat_currency: 'JPY' }, '0.08445946', '1000', '11840', '6.75'],
  // The Kuwaiti dinar has three.
  [
    { currency: 'USDT', network: 'ethereum', amount_fiat: '1.001', fiat_currency: 'KWD' },
    '3.271242',
    '1.001',
    '0.306',
    '3.27',
  ],
] as const)(
  'the fiat price %j is fixed at the current rate and rounded up to the unit',
  async (json, amount, fiat, rate, base) => {
    const invoice = await shop.create(json)
    expect(invoice).toMatchObject({
      amount,
      amount_due: amount,
      amount_fiat: fiat,
      fiat_currency: json.fiat_currency,
      exchange_rate: rate,
      amount_in_base_currency: base,
      deferred: false,
    })
    expect(invoice.rate_locked_at).toBe(invoice.live_at)
  },
)

it('values are in the merchant’s base currency', async () => {
  const european = await openShop(service, { baseCurrency: 'EUR' })
  expect((await european.create({ currency: 'BTC', amount: '1' })).amount_in_base_currency).toBe('52800.00')
  const inFiat = { currency: 'BTC', amount_fiat: '10', fiat_currency: 'EUR' }
  expect((await european.create(inFiat)).amount_in_base_currency).toBe('10.00')
})

it('a deposit address is given out once, over all merchants and currencies', async () => {
  const shops = await Promise.all(Array.from({ length: 3 }, () => openShop(service)))
  const evm = [
    { currency: 'ETH', amount: '1' },
    { currency: 'USDT', network: 'polygon', amount: '1' },
    { currency: 'BNB', amount: '1' },
  ]
  const made = await Promise.all(
    Array.from({ length: 90 }, (_, n) => (shops[n % 3] as Shop).create(evm[(n % 9) % 3] as object)),
  )
  expect(new Set(made.map(({ deposit_address }) => deposit_address)).size).toBe(90)
  const links = new Set(made.map(({ checkout_url }) => checkout_url))
  expect(links.size).toBe(90)
})

it('an invoice has no payment reference before its asset is chosen, nor if a static address began it', async () => {
  const deferred = await shop.create({ amount_fiat: '50.00', fiat_currency: 'USD' })
  expect(deferred.payment_reference).toBeNull()
  const address = await shop.createAddress({ currency: 'SOL' })
  await shop.pay({ ...address, deposit_address: address.address, deposit_address_tag: address.tag }, '1')
  await settle(service, 'solana-test')
  const { body } = await shop.call('listInvoices')
  const [begun] = body.data.filter((each: { source: string }) => each.source === 'static_address')
  expect(begun).toMatchObject({ network: 'solana', payment_reference: null })
})
