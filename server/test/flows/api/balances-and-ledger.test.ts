import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { newAddress } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

const zero = {
  available: '0',
  pending: '0',
  reserved: '0',
  total_received: '0',
  total_fees: '0',
  total_paid_out: '0',
}

async function receive(shop: Shop, invoice: { network: string; amount: string }, depth: number) {
  const made = await shop.create(invoice)
  await shop.pay(made, invoice.amount)
  await shop.mine(depth, made.network)
  return made
}

it('a currency has a row once a payment in it was seen, and not before', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  expect((await shop.expect(200, 'listBalances')).body.data).toEqual([])
  await shop.pay(invoice, '0.01')
  const row = { ...zero, pending: '0.01', total_in_base_currency: '0.00' }
  expect((await shop.expect(200, 'listBalances')).body.data).toEqual([
    {
      currency: 'BTC',
      environment: 'test',
      ...row,
      base_currency: 'USD',
      networks: [{ network: 'bitcoin', ...row }],
    },
  ])
  await shop.mine(2)
  expect(await shop.balance('BTC')).toMatchObject({
    available: '0.01',
    pending: '0',
    total_received: '0.01',
    total_in_base_currency: '600.00',
  })
})

it('a currency’s sum covers its networks, in the largest decimals among them', async () => {
  const shop = await openShop(service, { feeBps: 1000, baseCurrency: 'EUR' })
  await receive(shop, { currency: 'USDT', network: 'ethereum', amount: '10.000001' } as never, 12)
  await receive(shop, { currency: 'USDT', network: 'bsc', amount: '1.00000000000000001' } as never, 15)
  const polygon = await shop.create({ currency: 'USDT', network: 'polygon', amount: '5' })
  await shop.pay(polygon, '4')
  expect(await shop.balance('USDT')).toEqual({
    currency: 'USDT',
    environment: 'test',
    available: '9.900001000000000009',
    pending: '4',
    reserved: '0',
    total_received: '11.00000100000000001',
    total_fees: '1.100000000000000001',
    total_paid_out: '0',
    total_in_base_currency: '8.71',
    base_currency: 'EUR',
    networks: expect.arrayContaining([
      expect.objectContaining({ network: 'ethereum', available: '9.000001', total_fees: '1', pending: '0' }),
      expect.objectContaining({
        network: 'bsc',
        available: '0.900000000000000009',
        total_fees: '0.100000000000000001',
      }),
      expect.objectContaining({ network: 'polygon', available: '0', pending: '4', total_received: '0' }),
    ]),
  })
  const ledger = await shop.ledger('usdt')
  expect(
    ledger.map(({ id, network, entry_type, balance_after }) => [id, network, entry_type, balance_after]),
  ).toEqual([
    [1, 'ethereum', 'deposit', '10.000001'],
    [2, 'ethereum', 'fee', '9.000001'],
    [3, 'bsc', 'deposit', '10.00000100000000001'],
    [4, 'bsc', 'fee', '9.900001000000000009'],
  ])
})

it('an entry shows the amount, the reason and the balance after it', async () => {
  const shop = await openShop(service)
  const invoice = await receive(shop, { currency: 'LTC', network: 'litecoin', amount: '1.5' } as never, 6)
  expect(await shop.ledger('LTC')).toEqual([
    {
      id: 1,
      currency: 'LTC',
      network: 'litecoin',
      environment: 'test',
      entry_type: 'deposit',
      direction: 'credit',
      amount: '1.5',
      amount_in_base_currency: '120.00',
      base_currency: 'USD',
      balance_after: '1.5',
      reference_type: 'invoice',
      reference_id: invoice.id,
      description: null,
      created_at: expect.any(String),
    },
  ])
})

it('an entry has the value that its invoice or payout was recorded with, in the currency of that time', async () => {
  const shop = await openShop(service, { feeBps: 100 })
  await receive(shop, { currency: 'BTC', network: 'bitcoin', amount: '0.1' } as never, 2)
  const payout = await shop.payOut({
    currency: 'BTC',
    amount: '0.01',
    destination: await newAddress('bitcoin'),
  })
  const later = await receive(shop, { currency: 'BTC', network: 'bitcoin', amount: '0.01' } as never, 2)
  // As if the rate and the merchant's currency had been others when the invoice was made.
  const recorded = `update invoices set amount_in_base_currency = 12345, base_currency = 'EUR' where id = $1`
  await query(service.database.url, recorded, [later.id])
  const worth = (await shop.ledger('BTC')).map((entry) => [
    entry.entry_type,
    entry.amount,
    entry.amount_in_base_currency,
    entry.base_currency,
  ])
  const fee = payout.network_fee
  expect(worth).toEqual([
    ['deposit', '0.1', '6000.00', 'USD'],
    ['fee', '0.001', '60.00', 'USD'],
    ['payout', '0.01', '600.00', 'USD'],
    ['network_fee', fee, expect.stringMatching(/^\d\.\d\d$/), 'USD'],
    ['deposit', '0.01', '123.45', 'EUR'],
    ['fee', '0.0001', '1.23', 'EUR'],
  ])
  // Nothing is guessed where no rate was recorded.
  await query(service.database.url, 'update invoices set amount_in_base_currency = null where id = $1', [
    later.id,
  ])
  expect((await shop.ledger('BTC')).at(-1)).toMatchObject({
    amount_in_base_currency: null,
    base_currency: null,
  })
})

it('entries are numbered without gaps in the order of booking, however many payments confirm at once', async () => {
  const shop = await openShop(service, { feeBps: 10 })
  const invoices = await Promise.all(Array.from({ length: 30 }, () => shop.create()))
  await Promise.all(invoices.map((invoice) => shop.pay(invoice, '0.01')))
  await shop.mine(2)
  const ledger = await shop.ledger('BTC')
  expect(ledger.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1))
  expect(ledger.at(-1).balance_after).toBe('0.2997')
  expect((await shop.balance('BTC')).available).toBe('0.2997')

  const fees = await shop.expect(200, 'listLedgerEntries', {
    path: { currency: 'BTC' },
    query: { entry_type: 'fee', limit: '7', offset: '7' },
  })
  expect(fees.body.meta.pagination).toEqual({ total: 30, limit: 7, offset: 7, has_more: true })
  expect(new Set(fees.body.data.map(({ entry_type }: { entry_type: string }) => entry_type))).toEqual(
    new Set(['fee']),
  )
  const pages: number[] = []
  for (let offset = 0; offset < 60; offset += 25) {
    const { body } = await shop.expect(200, 'listLedgerEntries', {
      path: { currency: 'BTC' },
      query: { limit: '25', offset: String(offset) },
    })
    expect(body.meta.pagination).toEqual({ total: 60, limit: 25, offset, has_more: offset < 50 })
    pages.push(...body.data.map(({ id }: { id: number }) => id))
  }
  expect(pages).toEqual(Array.from({ length: 60 }, (_, n) => 60 - n))
})

it('numbers are separate for each merchant and currency', async () => {
  const [one, two] = [await openShop(service), await openShop(service)]
  await receive(one, { currency: 'BTC', network: 'bitcoin', amount: '0.01' } as never, 2)
  await receive(two, { currency: 'BTC', network: 'bitcoin', amount: '0.02' } as never, 2)
  await receive(two, { currency: 'LTC', network: 'litecoin', amount: '1' } as never, 6)
  expect((await one.ledger('BTC')).map(({ id, amount }) => [id, amount])).toEqual([[1, '0.01']])
  expect((await two.ledger('BTC')).map(({ id, amount }) => [id, amount])).toEqual([[1, '0.02']])
  expect((await two.ledger('LTC')).map(({ id, amount }) => [id, amount])).toEqual([[1, '1']])
  expect(await one.ledger('LTC')).toEqual([])
})

it('an unknown filter matches nothing, and an unknown currency gets 400', async () => {
  const shop = await openShop(service)
  await receive(shop, { currency: 'BTC', network: 'bitcoin', amount: '0.01' } as never, 2)
  expect(await shop.ledger('BTC', { entry_type: 'nope' })).toEqual([])
  expect(await shop.ledger('BTC', { entry_type: 'Deposit' })).toEqual([])
  for (const currency of ['NOPE', 'USD']) {
    const answer = await shop.call('listLedgerEntries', { path: { currency } })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
  }
  for (const query of [{ limit: '0' }, { limit: '101' }, { offset: '-1' }, { limit: 'x' }]) {
    const answer = await shop.call('listLedgerEntries', { path: { currency: 'BTC' }, query })
    expect(answer.status).toBe(400)
  }
})

it('listBalances accepts the documented parameters and ignores them', async () => {
  const shop = await openShop(service)
  await receive(shop, { currency: 'BTC', network: 'bitcoin', amount: '0.01' } as never, 2)
  const plain = (await shop.expect(200, 'listBalances')).body.data
  const query = { environment: 'live', limit: 'x', offset: '7' }
  expect((await shop.expect(200, 'listBalances', { query })).body.data).toEqual(plain)
})

it('a live key sees nothing of the test environment', async () => {
  const shop = await openShop(service)
  await receive(shop, { currency: 'BTC', network: 'bitcoin', amount: '0.01' } as never, 2)
  const { key } = await service.makeKey(shop.merchantId, { environment: 'live' })
  expect((await shop.expect(200, 'listBalances', { key })).body.data).toEqual([])
  const ledger = await shop.expect(200, 'listLedgerEntries', { key, path: { currency: 'BTC' } })
  expect(ledger.body.meta.pagination.total).toBe(0)
})

it('the pending amount rises when a payment is seen and falls when it confirms or vanishes', async () => {
  const shop = await openShop(service)
  await shop.mine(2)
  const invoice = await shop.create()
  await shop.pay(invoice, '0.004')
  const dropped = await shop.pay(invoice, '0.003')
  expect((await shop.balance('BTC')).pending).toBe('0.007')
  await shop.reorganise(1, [dropped])
  expect((await shop.balance('BTC')).pending).toBe('0.004')
  await shop.mine(2)
  expect(await shop.balance('BTC')).toMatchObject({
    pending: '0',
    available: '0.004',
    total_received: '0.004',
  })
})
