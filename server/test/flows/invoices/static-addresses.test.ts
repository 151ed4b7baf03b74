import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

type Address = { id: string; address: string; address_tag: string | null; currency: string; network: string }

const payTo = (shop: Shop, { address, address_tag, currency, network }: Address, amount: string) =>
  shop.deposit({ address, address_tag, currency, network, amount })
const invoicesOf = async (shop: Shop, { id }: { id: string }, query: Record<string, string> = {}) =>
  (await shop.expect(200, 'listAddressInvoices', { path: { addressID: id }, query })).body

it('a new address has every field of the contract, and nothing received', async () => {
  const shop = await openShop(service)
  const address = await shop.createAddress({ currency: 'btc', label: 'Tips <b>' })
  expect(address).toEqual({
    id: expect.any(String),
    merchant_id: shop.merchantId,
    currency: 'BTC',
    network: 'bitcoin',
    environment: 'test',
    gate_id: 'bitcoin-test',
    address: expect.stringMatching(/^tb1q/),
    address_tag: null,
    label: 'Tips <b>',
    total_received: '0',
    total_received_in_base_currency: '0.00',
    base_currency: 'USD',
    invoice_count: 0,
    created_at: expect.any(String),
  })
  expect(await shop.address(address)).toEqual(address)
  expect(await shop.told()).toEqual([])
  expect((await shop.createAddress({ currency: 'BTC', label: null })).label).toBeNull()
})

it('an invoice that a deposit creates is about the label of its address', async () => {
  const shop = await openShop(service)
  const named = await shop.createAddress({ currency: 'BTC', label: 'Customer 42' })
  await payTo(shop, named, '0.005')
  const { data } = await invoicesOf(shop, named)
  expect(data).toMatchObject([{ source: 'static_address', description: 'Customer 42' }])
  const found = await shop.expect(200, 'listInvoices', { query: { search: 'customer 42' } })
  expect(found.body.data).toHaveLength(1)
})

it('every deposit creates an invoice of its own, for exactly the amount received', async () => {
  const shop = await openShop(service, { feeBps: 100 })
  const address = await shop.createAddress()
  const txHash = await payTo(shop, address, '0.005')
  const { data, meta } = await invoicesOf(shop, address)
  expect(meta.pagination.total).toBe(1)
  expect(data[0]).toMatchObject({
    merchant_id: shop.merchantId,
    status: 'pending',
    source: 'static_address',
    static_address_id: address.id,
    currency: 'BTC',
    network: 'bitcoin',
    amount: '0.005',
    amount_fiat: null,
    fiat_currency: null,
    exchange_rate: null,
    rate_locked_at: null,
    amount_in_base_currency: '300.00',
    amount_paid: '0',
    amount_pending: '0.005',
    amount_due: '0.005',
    deferred: false,
    deposit_address: address.address,
    deposit_address_tag: null,
    gate_id: 'bitcoin-test',
    required_confirmations: 2,
    checkout_url: null,
    idempotency_key: null,
    expires_at: null,
    live_at: expect.any(String),
    paid_at: null,
  })
  expect(await shop.told()).toEqual(['invoice.confirming', 'invoice.payment_detected'])
  expect(await shop.address(address)).toMatchObject({
    total_received: '0',
    total_received_in_base_currency: '0.00',
    base_currency: 'USD',
    invoice_count: 0,
  })
  expect((await shop.cancel(data[0])).status).toBe(409)
  const ended = await shop.call('expireTestInvoice', { path: { invoiceID: data[0].id } })
  expect(ended.status).toBe(409)

  await shop.mine(2)
  expect(await shop.told()).toEqual(['balance.credited', 'invoice.paid'])
  const paid = await shop.get(data[0])
  expect(paid).toMatchObject({ status: 'paid', amount_paid: '0.005', amount_due: '0', fee_amount: '0.00005' })
  expect(paid.payments).toEqual([
    expect.objectContaining({ tx_hash: txHash, status: 'confirmed', late: false }),
  ])
  expect(await shop.address(address)).toMatchObject({ total_received: '0.005', invoice_count: 1 })

  await payTo(shop, address, '0.007')
  await shop.mine(2)
  const second = await invoicesOf(shop, address)
  expect(second.data.map(({ amount }: { amount: string }) => amount)).toEqual(['0.007', '0.005'])
  const received = { total_received: '0.012', total_received_in_base_currency: '720.00', invoice_count: 2 }
  expect(await shop.address(address)).toMatchObject(received)
  expect((await shop.expect(200, 'listAddresses')).body.data).toMatchObject([received])
})

it('two outputs of one transaction to one address are two invoices', async () => {
  const shop = await openShop(service)
  const address = await shop.createAddress()
  const output = { address: address.address as string, tag: null, currency: 'BTC', units: 10_000n }
  await service.app.store.simulatedChains.submit('bitcoin-test', {
    feeUnits: 1n,
    outputs: [output, output],
    makeTransaction: () => ({ hash: 'cd'.repeat(32), bytes: null }),
  })
  await shop.mine(2)
  expect((await invoicesOf(shop, address)).meta.pagination.total).toBe(2)
  expect(await shop.address(address)).toMatchObject({ total_received: '0.0002', invoice_count: 2 })
})

it('a reversal is deducted from the totals, and a restored deposit counts again', async () => {
  const shop = await openShop(service)
  await shop.mine(5)
  const address = await shop.createAddress()
  await payTo(shop, address, '0.005')
  const gone = await payTo(shop, address, '0.001')
  await shop.mine(2)
  expect(await shop.address(address)).toMatchObject({ total_received: '0.006', invoice_count: 2 })
  await shop.told()
  await shop.reorganise(2, [gone])
  expect(await shop.address(address)).toMatchObject({ total_received: '0.005', invoice_count: 1 })
  expect(await shop.told()).toEqual(['invoice.deposit_reversed'])
  const { data, meta } = await invoicesOf(shop, address)
  expect(meta.pagination.total).toBe(2)
  expect(data[0]).toMatchObject({ status: 'expired', amount: '0.001', amount_paid: '0', amount_pending: '0' })

  await service.app.store.simulatedChains.reorganise('bitcoin-test', 3, [], { others: 'mempool' })
  await settle(service, 'bitcoin-test')
  await shop.mine(2)
  expect(await shop.address(address)).toMatchObject({ total_received: '0.005', invoice_count: 1 })
  expect(await shop.told()).toEqual([
    'invoice.deposit_reversed',
    'balance.credited',
    'invoice.deposit_restored',
  ])
})

it('a payment replaced before it was mined ends its invoice, and if mined after all it is credited once', async () => {
  const shop = await openShop(service)
  const address = await shop.createAddress()
  const txHash = await payTo(shop, address, '0.003')
  const [{ id }] = (await invoicesOf(shop, address)).data
  await shop.told()
  const place = (state: string) =>
    query(service.database.url, 'update simulated_transactions set state = $2 where hash = $1', [
      txHash,
      state,
    ])
  await place('gone')
  await settle(service, 'bitcoin-test')
  expect(await shop.get({ id })).toMatchObject({ status: 'expired', amount_pending: '0' })
  expect(await shop.told()).toEqual(['invoice.expired'])
  expect((await shop.cancel({ id })).status).toBe(409)

  await place('waiting')
  await settle(service, 'bitcoin-test')
  await shop.mine(2)
  expect(await shop.get({ id })).toMatchObject({ status: 'paid', amount_paid: '0.003' })
  expect(await shop.told()).toEqual(['balance.credited', 'invoice.paid'])
  expect(await shop.address(address)).toMatchObject({ total_received: '0.003', invoice_count: 1 })
})

it('dust creates no invoice, so strangers cannot flood an address', async () => {
  const shop = await openShop(service)
  const address = await shop.createAddress()
  await payTo(shop, address, '0.00000545')
  await shop.mine(2)
  expect((await invoicesOf(shop, address)).meta.pagination.total).toBe(0)
  expect(await shop.told()).toEqual([])
})

it('totals are exact after fifty concurrent deposits', async () => {
  const shop = await openShop(service, { feeBps: 250 })
  const address = await shop.createAddress()
  await Promise.all(Array.from({ length: 50 }, (_, n) => payTo(shop, address, `0.00${100 + n}`)))
  await shop.mine(2)
  // 0.001 × 50, and 0.00001 × (0 + 1 + … + 49)
  expect(await shop.address(address)).toMatchObject({ total_received: '0.06225', invoice_count: 50 })
  const { data, meta } = await invoicesOf(shop, address, { limit: '100' })
  expect(meta.pagination).toMatchObject({ total: 50, limit: 100, offset: 0, has_more: false })
  expect(new Set(data.map(({ status }: { status: string }) => status))).toEqual(new Set(['paid']))
  expect(await shop.balance('BTC')).toMatchObject({ total_received: '0.06225', pending: '0' })

  const pages: string[] = []
  for (let offset = 0; offset < 50; offset += 20) {
    const page = await invoicesOf(shop, address, { limit: '20', offset: String(offset) })
    expect(page.meta.pagination).toMatchObject({ total: 50, limit: 20, offset, has_more: offset < 40 })
    pages.push(...page.data.map(({ id }: { id: string }) => id))
  }
  expect(pages).toEqual(data.map(({ id }: { id: string }) => id))
})

it('XRP addresses share an account and differ by tag, and a deposit finds its own', async () => {
  const shop = await openShop(service)
  const [one, two] = [
    await shop.createAddress({ currency: 'XRP' }),
    await shop.createAddress({ currency: 'XRP' }),
  ]
  expect(one.address).toBe(two.address)
  expect(one.address_tag).toMatch(/^[1-9][0-9]*$/)
  expect(one.address_tag).not.toBe(two.address_tag)
  await payTo(shop, two, '25')
  await shop.mine(1, 'xrp')
  expect(await shop.address(one)).toMatchObject({ total_received: '0', invoice_count: 0 })
  expect(await shop.address(two)).toMatchObject({ total_received: '25', invoice_count: 1 })
  const [invoice] = (await invoicesOf(shop, two)).data
  expect(invoice.deposit_address_tag).toBe(two.address_tag)
})

it('addresses are listed newest first, by currency, page by page', async () => {
  const shop = await openShop(service)
  const made: string[] = []
  for (const currency of ['BTC', 'LTC', 'BTC', 'SOL', 'BTC'])
    made.unshift((await shop.createAddress({ currency })).id)
  const list = async (query: Record<string, string>) => {
    const { data, meta } = (await shop.expect(200, 'listAddresses', { query })).body
    return { ids: data.map(({ id }: { id: string }) => id), ...meta.pagination }
  }
  expect(await list({})).toMatchObject({ ids: made, total: 5, limit: 20, offset: 0, has_more: false })
  expect(await list({ limit: '2', offset: '1' })).toMatchObject({
    ids: made.slice(1, 3),
    total: 5,
    has_more: true,
  })
  expect(await list({ currency: 'btc' })).toMatchObject({ ids: [made[0], made[2], made[4]], total: 3 })
  expect(await list({ currency: 'nope' })).toMatchObject({ ids: [], total: 0 })
})

it.each([
  ['an unknown currency', { currency: 'NOPE' }, 400],
  ['a fiat currency', { currency: 'USD' }, 400],
  ['a currency on several networks without a network', { currency: 'USDT' }, 400],
  ['another currency’s network', { currency: 'BTC', network: 'litecoin' }, 400],
  ['an unknown field', { currency: 'BTC', tag: '1' }, 400],
  ['a label with NUL', { currency: 'BTC', label: 'a\0' }, 400],
  ['a missing currency', {}, 400],
])('an address with %s is refused', async (_, json, status) => {
  const shop = await openShop(service)
  expect((await shop.call('createAddress', { json })).status).toBe(status)
  expect((await shop.expect(200, 'listAddresses')).body.meta.pagination.total).toBe(0)
})

it('while a merchant has the network offline it gets no new address, but deposits to old ones count', async () => {
  const shop = await openShop(service)
  const address = await shop.createAddress()
  await shop.setGate('bitcoin', 'offline')
  const refused = await shop.call('createAddress', { json: { currency: 'BTC' } })
  expect([refused.status, refused.body.error.code]).toEqual([503, 'gate_offline'])
  await payTo(shop, address, '0.005')
  await shop.mine(2)
  expect(await shop.address(address)).toMatchObject({ invoice_count: 1, total_received: '0.005' })
})
