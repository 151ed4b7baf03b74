import { afterAll, beforeAll, expect, it } from 'vitest'
import { tellInvoice } from '../../../src/app/history/tell-invoice.ts'
import { getOverview } from '../../../src/app/overview/get-overview.ts'
import { feeReader } from '../../../src/app/payouts/present-cost.ts'
import { reviewPayout } from '../../../src/app/payouts/review-payout.ts'
import { releasePayment } from '../../../src/app/suspense/release-payment.ts'
import { noPolicy } from '../../../src/domain/payout-policy.ts'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { createEndpoint, delivered, startHookReceiver } from '../../support/servers/hook-receiver.ts'
import { callCheckout, openPage, tinyPage } from '../../support/shop/checkout-client.ts'
import { expectCleanBooks, newAddress, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ ...quiet, page: tinyPage })
})
afterAll(() => service.stop())

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const nothing = { invoices: 0, payouts: 0, webhook_deliveries: 0 }
const slackMs = 60_000

const caller = async ({ merchantId }: Shop) => {
  const merchant = await service.app.store.merchants.find(merchantId)
  if (merchant === null) throw new Error('The merchant does not exist.')
  const environment = 'test' as const
  return { actor: 'key:test', person: null, merchantId, environment, permissions: new Set<never>(), merchant }
}
const clock = async (shop: Shop): Promise<Row> => (await shop.expect(200, 'getTestClock')).body.data
const aheadMs = (moment: string) => Date.parse(moment) - Date.now()
const expectAhead = (moment: string, seconds: number) =>
  expect(Math.abs(aheadMs(moment) - seconds * 1000), moment).toBeLessThan(slackMs)

it('a merchant’s invoices expire when its own clock passes their windows, and no other merchant’s do', async () => {
  const moved = await openShop(service)
  const other = await openShop(service)
  const short = await moved.create({ currency: 'BTC', amount: '0.01', expires_in: 15 * minute })
  const long = await moved.create({ currency: 'BTC', amount: '0.01', expires_in: 2 * day })
  const deferred = await moved.create({ amount_fiat: '10', fiat_currency: 'EUR' })
  const untouched = await other.create({ currency: 'BTC', amount: '0.01', expires_in: 15 * minute })
  await moved.events()
  await other.events()

  expect(await moved.advance(hour)).toEqual({ ...nothing, invoices: 1 })
  const expired = await moved.get(short)
  expect(expired.status).toBe('expired')
  expectAhead(expired.updated_at, hour)
  expect(Date.parse(expired.updated_at)).toBeGreaterThan(Date.parse(expired.expires_at))
  expect(expired.expires_at).toBe(short.expires_at)
  const [told] = await moved.events()
  expect(told.event).toBe('invoice.expired')
  expectAhead(told.created_at, hour)
  expect((await moved.get(long)).status).toBe('pending')
  expect((await moved.get(deferred)).status).toBe('pending')

  expect(await moved.advance(day)).toEqual({ ...nothing, invoices: 1 })
  expect((await moved.get(deferred)).status).toBe('expired')
  expect((await moved.get(long)).status).toBe('pending')

  expect((await other.get(untouched)).status).toBe('pending')
  expect(await other.events()).toEqual([])
  expect(await clock(other)).toMatchObject({ ahead_seconds: 0 })
})

it('what is made after a move is dated by the clock, and lives out its own window', async () => {
  const shop = await openShop(service)
  await shop.advance(30 * day)
  const invoice = await shop.create({ amount_fiat: '10', fiat_currency: 'EUR', currency: 'BTC' })
  expectAhead(invoice.created_at, 30 * day)
  expect(Date.parse(invoice.expires_at) - Date.parse(invoice.created_at)).toBe(30 * minute * 1000)
  // The sandbox's fixed rates never grow old: the invoice has a rate, locked at a time before the end of its window.
  expect(invoice.exchange_rate).not.toBeNull()
  const { checkout, token } = (await openPage(invoice.checkout_url)).state
  // The page goes by the same clock, or it would count down wrongly and renew its token all the time.
  expectAhead(token?.expires_at ?? '', 30 * day + 15 * minute)
  const read = await callCheckout(service.url, 'getCheckout', { token: token?.token ?? '' })
  expect(read.status).toBe(200)
  expect(checkout).toMatchObject({ phase: 'pay', expires_at: invoice.expires_at })
  expectAhead(checkout?.now ?? '', 30 * day)

  await shop.pay(invoice, invoice.amount)
  await shop.mine(invoice.required_confirmations)
  const paid = await shop.get(invoice)
  expect(paid.status).toBe('paid')
  expectAhead(paid.paid_at, 30 * day)
  const [payment] = (await shop.expect(200, 'getInvoice', { path: { invoiceID: invoice.id } })).body.data
    .payments
  expectAhead(payment.detected_at, 30 * day)
  const ledger = await shop.expect(200, 'listLedgerEntries', { path: { currency: 'BTC' } })
  for (const { created_at: at } of ledger.body.data) expectAhead(at, 30 * day)
  const address = await shop.createAddress()
  expectAhead(address.created_at, 30 * day)
  await shop.deposit({ address: address.address, amount: '0.02', currency: 'BTC' })
  await shop.mine(6)
  const { data } = (await shop.expect(200, 'listInvoices', { query: { status: 'paid' } })).body
  for (const { created_at: at, paid_at: paidAt } of data) {
    expectAhead(at, 30 * day)
    expectAhead(paidAt, 30 * day)
  }
  await expectSoundBooks(service.database.url)
})

it('an invoice made after a move can be ended by hand, and a deferred one activated', async () => {
  const shop = await openShop(service)
  await shop.advance(day)
  const ended = await shop.expire(await shop.create())
  expect(ended.status).toBe('expired')
  expectAhead(ended.expires_at, day)
  const deferred = await shop.create({ amount_fiat: '10', fiat_currency: 'EUR' })
  const { data } = (await shop.activate(deferred, { currency: 'BTC' })).body
  expectAhead(data.expires_at, day + 30 * minute)
})

it('a payment after the window is late by the clock; one seen before the move still settles the invoice', async () => {
  const shop = await openShop(service)
  const missed = await shop.create({ currency: 'BTC', amount: '0.01' })
  const seen = await shop.create({ currency: 'BTC', amount: '0.01' })
  await shop.pay(seen, '0.01')
  expect(await shop.advance(hour)).toEqual({ ...nothing, invoices: 2 })
  expect((await shop.get(missed)).status).toBe('expired')
  expect((await shop.get(seen)).status).toBe('pending')

  await shop.pay(missed, '0.01')
  await shop.mine(seen.required_confirmations)
  expect(await shop.get(missed)).toMatchObject({ status: 'expired', payments: [{ late: true }] })
  expect(await shop.get(seen)).toMatchObject({ status: 'paid', payments: [{ late: false }] })
})

it('a reorganisation after a move does not make a payment late that was seen before it', async () => {
  const shop = await openShop(service)
  const other = await openShop(service)
  const invoice = await shop.create({ currency: 'BTC', amount: '0.01' })
  const hash = await shop.pay(invoice, '0.01')
  await shop.mine(1)
  await shop.advance(hour)
  await other.reorganise(1)
  await other.mine(invoice.required_confirmations)
  const after = await shop.get(invoice)
  expect(after).toMatchObject({ status: 'paid', payments: [{ tx_hash: hash, late: false }] })
})

it('a payout leaves once its cooling-off period has passed by the clock, and not before', async () => {
  const shop = await openShop(service)
  const other = await openShop(service)
  for (const each of [shop, other]) {
    await each.fund('0.01')
    const owner = { merchantId: each.merchantId, environment: 'test' } as const
    await service.app.store.payoutPolicies.set(owner, { ...noPolicy, coolingOffSeconds: 3 * day })
  }
  const order = async () => ({
    currency: 'BTC',
    network: 'bitcoin',
    amount: '0.001',
    destination: await newAddress('bitcoin'),
  })
  const payout = await shop.payOut(await order())
  const waiting = await other.payOut(await order())
  await shop.approve(payout)
  await other.approve(waiting)
  const approved = await shop.payout(payout)

  expect(await shop.advance(2 * day)).toEqual(nothing)
  expect(await shop.payout(payout)).toMatchObject({
    status: 'approved',
    executable_at: approved.executable_at,
  })
  expect(await shop.advance(day)).toEqual({ ...nothing, payouts: 1 })
  await until(shop, payout, 'processing')
  await shop.mine(6)
  await until(shop, payout, 'completed')
  const done = await shop.payout(payout)
  expectAhead(done.completed_at, 3 * day)
  expect(Date.parse(done.completed_at)).toBeGreaterThan(Date.parse(done.executable_at))
  expect((await other.payout(waiting)).status).toBe('approved')
  await expectCleanBooks(service)
  const { bars } = await getOverview(service.app, await caller(shop), 7)
  expect(bars.at(-1)).toMatchObject({ to: done.completed_at.slice(0, 10) })
  expect(bars.at(-1)?.moved.paid_out).toBeGreaterThan(0n)
})

it('a payment in suspense and its release have the real time, for whichever merchant it is', async () => {
  const [shop, other] = [await openShop(service), await openShop(service)]
  await shop.advance(30 * day)
  const invoice = await shop.create({ currency: 'ETH', amount: '1' })
  await shop.pay({ ...invoice, currency: 'USDT' }, '25')
  await shop.mine(12, 'ethereum')
  const list = async (each: Shop) => (await each.expect(200, 'listSuspense')).body.data
  const [held] = await list(shop)
  await releasePayment(
    service.app,
    { actor: 'cli:ada', name: 'ada', ip: null, userAgent: null },
    { paymentId: held.id, merchantId: other.merchantId, note: 'The payer chose the wrong shop.' },
  )
  for (const each of [shop, other]) {
    const [released] = await list(each)
    expectAhead(released.seen_at, 0)
    expect(Date.parse(released.released_at)).toBeGreaterThan(Date.parse(released.seen_at))
  }
})

it('a key made after a move is new to the approvers of its payouts', async () => {
  const shop = await openShop(service)
  await shop.advance(30 * day)
  const { key } = await service.makeKey(shop.merchantId)
  const fresh = new Shop(service, shop.merchantId, key)
  await fresh.fund('0.01')
  const payout = await fresh.payOut({
    currency: 'BTC',
    network: 'bitcoin',
    amount: '0.001',
    destination: await newAddress('bitcoin'),
  })
  const { warnings } = await reviewPayout(service.app, feeReader(service.app), await caller(shop), payout.id)
  expect(warnings.map(({ code }) => code)).toContain('key_new')
})

it('the history of an invoice has webhooks after the events that they tell of', async () => {
  const shop = await openShop(service)
  const receiver = await startHookReceiver()
  try {
    await shop.advance(30 * day)
    await createEndpoint(shop, { url: receiver.url })
    const invoice = await shop.create()
    const [event] = await receiver.received(1)
    await delivered(shop, { id: event?.id ?? '' }, { status: 'succeeded' })
    const { happenings } = await tellInvoice(service.app, await caller(shop), invoice.id)
    expect(happenings).toMatchObject([
      { kind: 'invoice_created', events: [{ deliveries: [{ status: 'succeeded' }] }] },
    ])
    for (const { createdAt, deliveries } of happenings.flatMap(({ events }) => events))
      for (const { at } of deliveries) expect(at.getTime()).toBeGreaterThanOrEqual(createdAt.getTime())
  } finally {
    await receiver.close()
  }
})

it('a limit per day counts the days of the clock', async () => {
  const shop = await openShop(service)
  await shop.fund('0.01')
  const owner = { merchantId: shop.merchantId, environment: 'test' } as const
  const json = {
    currency: 'BTC',
    network: 'bitcoin',
    amount: '0.002',
    destination: await newAddress('bitcoin'),
  }
  const first = await shop.payOut(json)
  const value = Math.ceil(Number(first.amount_in_base_currency) * 100)
  await service.app.store.payoutPolicies.set(owner, { ...noPolicy, maxDay: BigInt(value) })
  await shop.approve(first)
  const second = await shop.payOut(json)
  expect((await shop.approve(second)).body.data.status).toBe('pending_approval')
  await shop.advance(day + 1)
  expect((await shop.approve(second)).body.data.status).not.toBe('pending_approval')
})

it('what happened before a move, and is read after it, is dated by the clock as it was', async () => {
  const shop = await openShop(service)
  const moments: string[] = []
  for (const seconds of [day, hour]) {
    const [row] = await query(service.database.url, 'select clock_timestamp()::text as now')
    moments.push(row?.now)
    await shop.advance(seconds)
  }
  const [ahead] = await query(
    service.database.url,
    `select extract(epoch from merchant_time($1, 'test', $2) - $2)::integer as before,
       extract(epoch from merchant_time($1, 'test', $3) - $3)::integer as between,
       extract(epoch from merchant_time($1, 'test', clock_timestamp()) - clock_timestamp())::integer as after`,
    [shop.merchantId, ...moments],
  )
  expect(ahead).toEqual({ before: 0, between: day, after: day + hour })
})
