import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { getOverview, type Overview } from '../../../src/app/overview/get-overview.ts'
import { query } from '../../support/database/database.ts'
import { makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { cents } from '../../support/shop/amounts.ts'
import { expectCleanBooks, newAddress, payOutTo, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'

/** Fees, how many invoices are paid, and how long that takes. */

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
// The audit counts everything again.
afterEach(() => expectCleanBooks(service))

const day = 24 * 60 * 60
const fold = () => service.app.store.dailyFigures.fold()

async function overviewOf(shop: Shop, days = 7): Promise<Overview> {
  const merchant = await service.app.store.merchants.find(shop.merchantId)
  if (merchant === null) throw new Error('The merchant does not exist.')
  const caller = {
    actor: 'key:test',
    person: null,
    merchantId: shop.merchantId,
    environment: 'test',
  } as const
  return getOverview(service.app, { ...caller, permissions: new Set<never>(), merchant }, days)
}
const outcomes = async (shop: Shop) => (await overviewOf(shop)).outcomes.now
const nothing = { created: 0, open: 0, paid: 0, expired: 0, cancelled: 0, share: null }

describe('fees', () => {
  it('are what the platform keeps of payments, payouts and refunds, and what networks cost; in the base currency', async () => {
    const shop = await openShop(service, { feeBps: 150, payoutFeeBps: 100, refundFeeBps: 50 })
    const invoice = await shop.create({ currency: 'BTC', amount_fiat: '200.00', fiat_currency: 'USD' })
    await shop.pay(invoice, invoice.amount)
    expect((await overviewOf(shop)).fees.now).toEqual({ platform: 0n, network: 0n, total: 0n })
    await shop.mine(2)
    expect((await overviewOf(shop)).fees.now).toEqual({ platform: 300n, network: 0n, total: 300n })

    const amount = (Number(invoice.amount) / 2).toFixed(8)
    const payout = await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount })
    // A fee that is only reserved was not paid yet.
    expect((await overviewOf(shop)).fees.now.platform).toBe(300n)
    await until(shop, payout, 'completed')
    const done = await shop.payout(payout)
    const worth = (fee: string) =>
      BigInt(Math.round((Number(fee) / Number(amount)) * Number(cents(done.amount_in_base_currency))))
    const after = await overviewOf(shop)
    expect(after.fees.now.platform).toBe(300n + worth(done.fee_amount))
    expect(after.fees.now.network).toBe(worth(done.network_fee))
    expect(after.fees.now.network).toBeGreaterThan(0n)
    expect(after.bars.at(-1)?.fees).toEqual(after.fees.now)
    expect(after.bars.at(-2)?.fees.total).toBe(0n)

    const destination = await newAddress('bitcoin')
    const json = {
      invoice_id: invoice.id,
      currency: 'BTC',
      network: 'bitcoin',
      amount: '0.0004',
      destination,
    }
    const refund = (await shop.refund(json)).body.data
    await shop.approve({ id: refund.payout_id })
    await until(shop, { id: refund.payout_id, network: 'bitcoin' }, 'completed')
    const last = await overviewOf(shop)
    expect(last.fees.now.platform).toBeGreaterThan(after.fees.now.platform)
    const balance = await shop.balance('BTC')
    expect(last.byAsset).toMatchObject([
      { currency: 'BTC', feeUnits: BigInt(Math.round(Number(balance.total_fees) * 1e8)) },
    ])
    await fold()
    expect((await overviewOf(shop)).fees).toEqual(last.fees)
  })

  it('of a token name what its network cost in the token', async () => {
    const shop = await openShop(service, { payoutFeeBps: 100 })
    await shop.fund('100', 'USDT', 'ethereum')
    await until(shop, await payOutTo(shop, 'ethereum', { currency: 'USDT', amount: '40' }), 'completed')
    const { fees } = await overviewOf(shop)
    expect(fees.now.platform).toBe(40n)
    expect(fees.now.network).toBeGreaterThan(0n)
  })

  it('are given back with a payment that a reorganisation removes, to the last millionth, also after folding', async () => {
    const shop = await openShop(service, { feeBps: 150 })
    const invoice = await shop.create({ currency: 'BTC', amount: '0.01234567' })
    const hash = await shop.pay(invoice, '0.01234567')
    await shop.mine(2)
    expect((await overviewOf(shop)).fees.now.platform).toBeGreaterThan(0n)
    await fold()
    await shop.reorganise(2, [hash])
    await fold()
    expect((await overviewOf(shop)).fees.now).toEqual({ platform: 0n, network: 0n, total: 0n })
    expect(
      await query(
        service.database.url,
        'select units, base_millionths from daily_fees where merchant_id = $1 and (units <> 0 or base_millionths <> 0)',
        [shop.merchantId],
      ),
    ).toEqual([])
  })

  it('are taken of a late deposit too', async () => {
    const shop = await openShop(service, { feeBps: 100 })
    const invoice = await shop.create({ currency: 'BTC', amount_fiat: '100.00', fiat_currency: 'USD' })
    await shop.expire(invoice)
    await shop.pay(invoice, invoice.amount)
    await shop.mine(2)
    expect((await overviewOf(shop)).fees.now.platform).toBe(100n)
  })
})

describe('how many invoices are paid', () => {
  it('counts those created in the period by what has become of them; deposits to static addresses are left out', async () => {
    const shop = await openShop(service)
    expect(await outcomes(shop)).toEqual(nothing)
    const [paid, over, under, cancelled, expired, deferred] = [
      await shop.create(),
      await shop.create(),
      await shop.create(),
      await shop.create(),
      await shop.create(),
      await shop.create({ amount_fiat: '49.90', fiat_currency: 'USD' }),
    ]
    expect(await outcomes(shop)).toEqual({ ...nothing, created: 6, open: 6 })
    await shop.pay(paid, '0.01')
    await shop.pay(over, '0.02')
    await shop.pay(under, '0.001')
    await shop.cancel(cancelled)
    await shop.expire(expired)
    const address = await shop.createAddress()
    await shop.deposit({ address: address.address, amount: '0.5', currency: 'BTC', network: 'bitcoin' })
    await shop.mine(2)
    const now = { created: 6, open: 2, paid: 2, expired: 1, cancelled: 1, share: '0.6666' }
    expect(await outcomes(shop)).toEqual(now)

    // What the payer chooses changes nothing, a late deposit neither, nor does a refund.
    await shop.activate(deferred, { currency: 'LTC' })
    await shop.pay(expired, '0.01')
    await shop.mine(2)
    const refund = { invoice_id: over.id, currency: 'BTC', network: 'bitcoin', amount: '0.005' }
    const asked = await shop.refund({ ...refund, destination: await newAddress('bitcoin') })
    await shop.approve({ id: asked.body.data.payout_id })
    await until(shop, { id: asked.body.data.payout_id, network: 'bitcoin' }, 'completed')
    expect(await outcomes(shop)).toEqual(now)
    await fold()
    expect(await outcomes(shop)).toEqual(now)
    // Paid in time after all.
    await shop.pay(under, '0.009')
    await shop.mine(2)
    expect(await outcomes(shop)).toEqual({ ...now, open: 1, paid: 3, share: '0.7500' })
  })

  it('follows a reorganisation that takes a payment away and brings it back', async () => {
    const shop = await openShop(service)
    const invoice = await shop.create()
    const hash = await shop.pay(invoice, '0.01')
    await shop.mine(2)
    const paid = { ...nothing, created: 1, paid: 1, share: '1.0000' }
    expect(await outcomes(shop)).toEqual(paid)
    await fold()
    await shop.reorganise(2, [hash])
    expect(await outcomes(shop)).toEqual({ ...nothing, created: 1, open: 1 })
    await shop.pay(invoice, '0.01')
    await shop.mine(2)
    expect(await outcomes(shop)).toEqual(paid)
  })

  it('belongs to the day of the creation by the merchant’s clock, and so moves to the period before', async () => {
    const shop = await openShop(service)
    const invoice = await shop.create({ currency: 'BTC', amount: '0.01', expires_in: 2 * day })
    await shop.advance(day)
    await shop.pay(invoice, '0.01')
    await shop.mine(2)
    const yesterday = await overviewOf(shop)
    expect(yesterday.bars.slice(-2).map((bar) => bar.outcomes.paid)).toEqual([1, 0])
    await shop.advance(6 * day)
    const after = await overviewOf(shop)
    expect([after.outcomes.now.created, after.outcomes.before?.paid]).toEqual([0, 1])
    expect([after.medianSeconds.now, after.medianSeconds.before]).toEqual([null, 2 * day])
  })
})

describe('the typical time to paid', () => {
  async function payAfter(shop: Shop, invoice: Row, seconds: number) {
    await shop.advance(seconds)
    await shop.pay(invoice, invoice.amount)
    await shop.mine(2)
  }
  const median = async (shop: Shop) => (await overviewOf(shop)).medianSeconds.now

  it('is the median of the paid ones, from when currency and address were fixed until confirmed, rounded up', async () => {
    const shop = await openShop(service)
    expect(await median(shop)).toBeNull()
    await shop.expire(await shop.create())
    await payAfter(shop, await shop.create(), 200)
    expect(await median(shop)).toBe(240)
    await payAfter(shop, await shop.create(), 1_000)
    expect(await median(shop)).toBe(240)
    await payAfter(shop, await shop.create(), 1_000)
    expect(await median(shop)).toBe(1_200)
  })

  it('of a deferred invoice begins with the payer’s choice', async () => {
    const shop = await openShop(service)
    const invoice = await shop.create({ amount_fiat: '49.90', fiat_currency: 'USD' })
    await shop.advance(1_200)
    const live = (await shop.activate(invoice, { currency: 'BTC' })).body.data
    await payAfter(shop, live, 100)
    expect(await median(shop)).toBe(120)
  })

  it('stays when a reorganisation moves the payment to another block', async () => {
    const shop = await openShop(service)
    await payAfter(shop, await shop.create(), 100)
    await shop.reorganise(2)
    expect((await outcomes(shop)).paid + (await outcomes(shop)).open).toBe(1)
    await shop.mine(2)
    expect(await median(shop)).toBe(120)
  })
})

it('the dashboard is told every figure with the one of the period before', async () => {
  const shop = await openShop(service, { feeBps: 100 })
  const login = await makePerson(service, { merchantId: shop.merchantId, role: 'viewer' })
  const client = await signedIn(service, login)
  const invoice = await shop.create({ currency: 'BTC', amount_fiat: '100.00', fiat_currency: 'USD' })
  await shop.pay(invoice, invoice.amount)
  await shop.mine(2)
  const path = { merchantID: shop.merchantId, environment: 'test' }
  const { data } = (await client.call('getOverview', { path, query: { days: '7' } })).body
  const counted = { created: 1, paid: 1, expired: 0, open: 0, cancelled: 0, share: '1.0000' }
  expect(data).toMatchObject({
    fees: { platform: { amount: '1.00', before: '0.00' }, network: { amount: '0.00', before: '0.00' } },
    conversion: { invoices: counted, before: nothing },
    time_to_paid: { median_seconds: expect.any(Number), before: null },
    counted_since: null,
  })
  expect(data.bars.at(-1)).toMatchObject({ fees: '1.00', invoices: counted })
  // The platform's share is rounded down.
  expect(data.received_by_asset[0].fees).toBe((Math.floor(Number(invoice.amount) * 1e6) / 1e8).toFixed(8))
})
