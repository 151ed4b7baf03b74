import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { changeSettings } from '../../../src/app/merchants/change-settings.ts'
import { expectSoundBooks } from '../../support/database/books.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const body = { currency: 'BTC', amount: '0.01', destination }

it('a new payout waits for approval and reserves its amount, fee and estimated network fee', async () => {
  const shop = await openShop(service, { payoutFeeBps: 50 })
  await shop.fund('0.1')
  await shop.told()
  const metadata = { batch: 7, note: null }
  const payout = await shop.payOut({ ...body, currency: 'btc', description: 'Payroll', metadata })
  const { network_fee: fee, id, created_at } = payout
  expect(payout).toEqual({
    id,
    currency: 'BTC',
    network: 'bitcoin',
    amount: '0.01',
    amount_in_base_currency: '600.00',
    base_currency: 'USD',
    network_fee: fee,
    fee_amount: '0.00005',
    destination,
    destination_tag: null,
    allow_program_address: false,
    status: 'pending_approval',
    environment: 'test',
    tx_hash: null,
    explorer_url: null,
    idempotency_key: null,
    description: 'Payroll',
    metadata,
    waiting_reason: null,
    waiting_reasons: [],
    failure_reason: null,
    failure_reasons: [],
    approved_at: null,
    executable_at: null,
    completed_at: null,
    cancelled_at: null,
    created_at,
  })
  expect(await shop.payout(payout)).toEqual(payout)
  const reserved = (0.01 + 0.00005 + Number(fee)).toFixed(8).replace(/0+$/, '')
  expect(await shop.balance('BTC')).toMatchObject({ reserved, total_paid_out: '0', total_received: '0.1' })
  // A new payout sends no event.
  expect(await shop.told()).toEqual([])
})

it('each value names the currency in which it was recorded, also once the merchant’s is another', async () => {
  const shop = await openShop(service)
  const invoice = await shop.fund('0.1')
  const refundJson = { invoice_id: invoice.id, currency: 'BTC', amount: '0.01', destination }
  const refund = (await shop.refund(refundJson)).body.data
  const payout = await shop.payOut(body)
  const inDollars = { amount_in_base_currency: '600.00', base_currency: 'USD' }
  expect([payout, refund]).toMatchObject([inDollars, inDollars])
  expect(await shop.balance('BTC')).toMatchObject({ base_currency: 'USD' })

  const by = { actor: 'cli:test', name: 'test', ip: null, userAgent: null }
  await changeSettings(service.app, by, shop.merchantId, { baseCurrency: 'EUR' })
  // A balance has the value of this moment, in the currency of this moment. A key's merchant is read again every few seconds.
  const now = async () => (await shop.balance('BTC')).base_currency
  await expect.poll(now, { timeout: 10_000 }).toBe('EUR')
  const inEuros = { amount_in_base_currency: '528.00', base_currency: 'EUR' }
  const later = await shop.payOut(body)
  expect(later).toMatchObject(inEuros)
  expect((await shop.expect(200, 'listPayouts')).body.data).toMatchObject([inEuros, inDollars, inDollars])
  expect((await shop.expect(200, 'listRefunds')).body.data).toMatchObject([inDollars])
  expect((await shop.expect(200, 'listInvoices')).body.data).toMatchObject([{ base_currency: 'USD' }])
  expect(await shop.create({ currency: 'BTC', amount: '0.01' })).toMatchObject(inEuros)
})

it('the ledger shows each part, and a cancellation gives back their sum in one entry', async () => {
  const shop = await openShop(service, { payoutFeeBps: 1 })
  await shop.fund('0.1')
  const payout = await shop.payOut(body)
  await shop.told()
  const cancelled = (await shop.cancelPayout(payout)).body.data
  expect(cancelled).toMatchObject({ id: payout.id, status: 'cancelled', cancelled_at: expect.any(String) })
  const entries = (await shop.ledger('BTC')).slice(1)
  const reference = { reference_type: 'payout', reference_id: payout.id, network: 'bitcoin' }
  expect(entries).toMatchObject([
    { entry_type: 'payout', direction: 'debit', amount: '0.01', balance_after: '0.09', ...reference },
    { entry_type: 'payout_fee', direction: 'debit', amount: '0.000001', ...reference },
    { entry_type: 'network_fee', direction: 'debit', amount: payout.network_fee, ...reference },
    { entry_type: 'release', direction: 'credit', balance_after: '0.1', ...reference },
  ])
  expect(await shop.balance('BTC')).toMatchObject({ available: '0.1', reserved: '0' })
  const [told, ...more] = await shop.events()
  expect([told.event, told.data, more]).toEqual(['payout.cancelled', cancelled, []])
  const again = await shop.cancelPayout(payout)
  expect([again.status, again.body.error.code]).toEqual([409, 'conflict'])
})

it('the fee is rounded up to a whole unit, and a zero fee has no ledger entry', async () => {
  const shop = await openShop(service, { payoutFeeBps: 1 })
  await shop.fund('0.1')
  expect((await shop.payOut({ ...body, amount: '0.00010001' })).fee_amount).toBe('0.00000002')
  const free = await openShop(service)
  await free.fund('0.1')
  expect((await free.payOut(body)).fee_amount).toBe('0')
  expect((await free.ledger('BTC')).map(({ entry_type }) => entry_type)).toEqual([
    'deposit',
    'payout',
    'network_fee',
  ])
})

it('the network fee estimate on Bitcoin is one and a half times the cost of two inputs and two outputs', async () => {
  const shop = await openShop(service)
  await shop.fund('0.1')
  const gate = service.app.gates.find('bitcoin-test')
  if (gate?.spending.kind !== 'coins') throw new Error('bitcoin is spent in coins')
  const size = gate.spending.sizeOf(2, [destination, gate.spending.changeAddress(0)])
  const units = (size * (await gate.feeRate()) * 3n + 1n) / 2n
  const { network_fee } = await shop.payOut(body)
  expect(BigInt(Math.round(Number(network_fee) * 1e8))).toBe(units)
})

it('a token’s network fee estimate is the cost in native currency, converted and rounded up', async () => {
  const shop = await openShop(service)
  await shop.fund('100', 'USDT', 'ethereum')
  const gate = service.app.gates.find('ethereum-test')
  const asset = gate?.assets.find(({ currency }) => currency === 'USDT')
  if (gate?.spending.kind !== 'account' || asset === undefined) throw new Error('ethereum has accounts')
  const wei = (gate.spending.gasOf(asset) * (await gate.feeRate()) * 3n + 1n) / 2n
  const [eth, usdt] = await Promise.all(['ETH', 'USDT'].map((code) => service.app.rates.find(code, 'USD')))
  const price = (usdt?.rate ?? 0n) * 10n ** 18n
  const micro = (wei * (eth?.rate ?? 0n) * 10n ** 6n + price - 1n) / price
  const payout = await shop.payOut({
    currency: 'USDT',
    network: 'ethereum',
    amount: '50',
    destination: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  })
  expect(BigInt(Math.round(Number(payout.network_fee) * 1e6))).toBe(micro)
  expect(await shop.balance('USDT')).toMatchObject({ networks: [{ network: 'ethereum' }] })
})

it('payouts are listed newest first, filtered by status, and visible only to their owner', async () => {
  const shop = await openShop(service)
  await shop.fund('0.1')
  const made = []
  for (let count = 0; count < 3; count++) made.push(await shop.payOut({ ...body, amount: '0.001' }))
  await shop.cancelPayout(made[1])
  const list = async (query: Record<string, string>) =>
    (await shop.expect(200, 'listPayouts', { query })).body
  const all = await list({})
  expect(all.data.map(({ id }: { id: string }) => id)).toEqual(made.map(({ id }) => id).reverse())
  expect(all.meta.pagination).toMatchObject({ total: 3, limit: 20, offset: 0, has_more: false })
  expect(await list({ limit: '1', offset: '1' })).toMatchObject({
    data: [{ id: made[1].id, status: 'cancelled' }],
    meta: { pagination: { total: 3, limit: 1, offset: 1, has_more: true } },
  })
  expect((await list({ status: 'cancelled' })).meta.pagination.total).toBe(1)
  expect((await list({ status: 'no_such' })).data).toEqual([])
  const stranger = await openShop(service)
  expect((await stranger.expect(200, 'listPayouts')).body.data).toEqual([])
  expect((await stranger.call('getPayout', { path: { payoutID: made[0].id } })).status).toBe(404)
  const { key } = await service.makeKey(shop.merchantId, { environment: 'live' })
  expect((await call(service.url, 'listPayouts', { key })).body.data).toEqual([])
})

it('a payout can spend the balance to the last unit, and not one unit more', async () => {
  const shop = await openShop(service)
  await shop.fund('0.1')
  const { network_fee } = await shop.payOut({ ...body, amount: '0.001' })
  const left = (await shop.balance('BTC')).available
  const most = (Number(left) - Number(network_fee)).toFixed(8)
  const over = (Number(most) + 0.00000001).toFixed(8)
  const refused = await shop.call('createPayout', { json: { ...body, amount: over } })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'insufficient_balance'])
  expect(refused.body.error.message).toContain(left)
  await shop.payOut({ ...body, amount: most })
  expect((await shop.balance('BTC')).available).toBe('0')
  const none = await shop.call('createPayout', { json: { ...body, amount: '0.00001' } })
  expect(none.body.error.code).toBe('insufficient_balance')
})

it('funds on one network cannot pay on another', async () => {
  const shop = await openShop(service)
  await shop.fund('10', 'USDT', 'polygon')
  const answer = await shop.call('createPayout', {
    json: {
      currency: 'USDT',
      network: 'bsc',
      amount: '1',
      destination: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    },
  })
  expect(answer.body.error?.code).toBe('insufficient_balance')
})

it('a balance below zero after a reversal allows no payout', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create({ currency: 'BTC', amount: '0.1' })
  const hash = await shop.pay(invoice, '0.1')
  await shop.mine(2)
  await shop.payOut({ ...body, amount: '0.05' })
  await shop.reorganise(2, [hash])
  expect((await shop.balance('BTC')).available).toMatch(/^-0\.05/)
  const refused = await shop.call('createPayout', { json: { ...body, amount: '0.00001' } })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'insufficient_balance'])
})
