import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

const price = { amount_fiat: '49.90', fiat_currency: 'USD' }
const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000

it('a price without a currency waits a day for the payer’s choice and sends no event yet', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create({ ...price, expires_in: 600 })
  expect(invoice).toMatchObject({
    status: 'pending',
    deferred: true,
    currency: null,
    network: null,
    amount: null,
    amount_fiat: '49.90',
    fiat_currency: 'USD',
    exchange_rate: null,
    rate_locked_at: null,
    amount_in_base_currency: '49.90',
    amount_paid: '0',
    amount_pending: '0',
    amount_due: null,
    amount_overpaid: '0',
    deposit_address: null,
    deposit_address_tag: null,
    payment_uri: null,
    gate_id: null,
    required_confirmations: null,
    checkout_url: expect.stringContaining('/pay/'),
    live_at: null,
  })
  expect(secondsBetween(invoice.created_at, invoice.expires_at)).toBe(86_400)
  expect(await shop.told()).toEqual([])
  expect(await shop.get(invoice)).toEqual({ ...invoice, payments: [] })
  expect((await shop.create({ ...price, deferred: true })).deferred).toBe(true)
})

it('the payer’s choice fixes rate, amount, address and window, and the invoice is then paid like any other', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create({ ...price, expires_in: 600 })
  const { status, body } = await shop.activate(invoice, { currency: 'btc' })
  expect(status).toBe(200)
  const live = body.data
  expect(live).toMatchObject({
    id: invoice.id,
    status: 'pending',
    deferred: true,
    currency: 'BTC',
    network: 'bitcoin',
    // 49.90 / 60000, rounded up.
    amount: '0.00083167',
    amount_fiat: '49.90',
    exchange_rate: '60000',
    amount_in_base_currency: '49.90',
    amount_due: '0.00083167',
    deposit_address: expect.stringMatching(/^tb1q/),
    payment_uri: `bitcoin:${live.deposit_address}?amount=0.00083167`,
    gate_id: 'bitcoin-test',
    required_confirmations: 2,
  })
  expect(live.rate_locked_at).toBe(live.live_at)
  expect(secondsBetween(live.live_at, live.expires_at)).toBe(600)
  const events = await shop.events()
  expect(events.map(({ event }) => event)).toEqual(['invoice.confirming'])
  expect(events[0].data).toEqual(live)

  await shop.pay(live, live.amount)
  await shop.mine(2)
  expect((await shop.get(invoice)).status).toBe('paid')
  expect(await shop.told()).toEqual(['invoice.payment_detected', 'balance.credited', 'invoice.paid'])
})

it('the window after the choice is half an hour unless the merchant set one', async () => {
  const shop = await openShop(service)
  const { body } = await shop.activate(await shop.create(price), { currency: 'USDC', network: 'Solana' })
  expect(body.data).toMatchObject({ currency: 'USDC', network: 'solana', amount: '49.9' })
  expect(secondsBetween(body.data.live_at, body.data.expires_at)).toBe(1800)
})

it('a second choice is refused and changes nothing', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create(price)
  await shop.activate(invoice, { currency: 'BTC' })
  const before = await shop.get(invoice)
  for (const currency of ['BTC', 'LTC']) {
    const answer = await shop.activate(invoice, { currency })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
  }
  expect(await shop.get(invoice)).toEqual(before)
  expect(await shop.told()).toEqual(['invoice.confirming'])
})

it('one of twenty concurrent choices wins', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create(price)
  const currencies = ['BTC', 'LTC', 'SOL', 'XRP', 'POL']
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => shop.activate(invoice, { currency: currencies[n % 5] as string })),
  )
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
  expect((await shop.get(invoice)).currency).toBe(won[0]?.body.data.currency)
  expect(await shop.told()).toEqual(['invoice.confirming'])
})

it('an invoice that was not deferred cannot be activated', async () => {
  const shop = await openShop(service)
  expect((await shop.activate(await shop.create(), { currency: 'LTC' })).status).toBe(409)
})

it('the losers of a concurrent choice leave their addresses to the next invoices', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create(price)
  const picks = await Promise.all(
    Array.from({ length: 8 }, () => shop.activate(invoice, { currency: 'LTC' })),
  )
  expect(picks.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  const later = await Promise.all(
    Array.from({ length: 7 }, () => shop.create({ currency: 'LTC', amount: '0.1' })),
  )
  const positions = await query<{ position: bigint }>(
    service.database.url,
    'select deposit_position::integer as position from invoices where id = any($1) order by 1',
    [[invoice.id, ...later.map(({ id }) => id)]],
  )
  const [first] = positions.map(({ position }) => Number(position))
  expect(positions.map(({ position }) => Number(position) - Number(first))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

it('a deferred invoice expires at its deadline and can then not be activated', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create(price)
  expect(await shop.expire(invoice)).toMatchObject({ status: 'expired', currency: null, amount_due: null })
  expect(await shop.told()).toEqual(['invoice.expired'])
  expect((await shop.activate(invoice, { currency: 'BTC' })).status).toBe(409)
})

it('the deadline applies even before the invoice is marked as expired', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create(price)
  await query(
    service.database.url,
    `update invoices set expires_at = clock_timestamp() - interval '1 second', due_at = null where id = $1`,
    [invoice.id],
  )
  const answer = await shop.activate(invoice, { currency: 'BTC' })
  expect([answer.status, (await shop.get(invoice)).status]).toEqual([409, 'pending'])
})

it('a deferred invoice can be cancelled and then not activated', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create(price)
  expect((await shop.cancel(invoice)).body.data).toMatchObject({ status: 'cancelled', currency: null })
  expect((await shop.activate(invoice, { currency: 'BTC' })).status).toBe(409)
  expect(await shop.told()).toEqual(['invoice.cancelled'])
})

it.each([
  ['an unknown currency', { currency: 'NOPE' }, 400, 'validation_error'],
  ['a fiat currency', { currency: 'USD' }, 400, 'validation_error'],
  ['no network where there are several', { currency: 'USDT' }, 400, 'validation_error'],
  ['an unknown network', { currency: 'USDT', network: 'bitcoin' }, 400, 'validation_error'],
  ['nothing', {}, 400, 'validation_error'],
  ['too little for the network', { currency: 'USDT', network: 'ethereum' }, 422, 'amount_too_small'],
  ['an offline network', { currency: 'LTC' }, 503, 'gate_offline'],
])('a choice of %s is refused, and another one may follow', async (_, pick, status, code) => {
  const shop = await openShop(service)
  const invoice = await shop.create({ amount_fiat: '0.99', fiat_currency: 'usd' })
  await shop.setGate('litecoin', 'offline')
  const answer = await shop.activate(invoice, pick)
  expect([answer.status, answer.body.error.code]).toEqual([status, code])
  expect(await shop.get(invoice)).toEqual({ ...invoice, payments: [] })
  expect((await shop.activate(invoice, { currency: 'SOL' })).status).toBe(200)
})

it('when the price is in another currency, the value in base currency is fixed at the choice', async () => {
  const shop = await openShop(service, { baseCurrency: 'EUR' })
  const invoice = await shop.create(price)
  expect(invoice.amount_in_base_currency).toBeNull()
  const { body } = await shop.activate(invoice, { currency: 'BTC' })
  // 0.00083167 BTC at 52800 EUR, rounded down.
  expect(body.data.amount_in_base_currency).toBe('43.91')
})
