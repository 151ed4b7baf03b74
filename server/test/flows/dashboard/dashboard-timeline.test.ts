import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { callCheckout, tinyPage, tokenOf } from '../../support/shop/checkout-client.ts'
import { expectCleanBooks, newAddress, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop, settle } from '../../support/shop/shop.ts'

/** The timelines of invoices whose payments left the chain, came together, or whose payer chose again; and those of refunds. */

let service: TestService
let shop: Shop
let owner: DashboardClient
beforeAll(async () => {
  service = await startTestService({ ...quiet, page: tinyPage })
  shop = await openShop(service)
  owner = await signedIn(service, await makePerson(service, { merchantId: shop.merchantId, role: 'owner' }))
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

async function timelineOf(invoice: { id: string }): Promise<Row[]> {
  const path = { merchantID: shop.merchantId, environment: 'test', invoiceID: invoice.id }
  const answer = await owner.call('getInvoiceTimeline', { path })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
async function refundTimelineOf({ id: refundID }: { id: string }): Promise<Row[]> {
  const answer = await owner.call('getRefundTimeline', {
    path: { merchantID: shop.merchantId, environment: 'test', refundID },
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const told = ({ kind, event, payment, events }: Row) => [
  event ?? kind,
  payment?.tx_hash ?? null,
  ...events.map((each: Row) => each.event),
]
const credits = (timeline: readonly Row[]) => timeline.filter(({ kind }) => kind === 'payment_credited')

it('a payment that left the chain and came back is credited twice, each time with its own event', async () => {
  const invoice = await shop.create()
  const hash = await shop.pay(invoice, '0.01')
  await shop.mine(2)
  await service.app.store.simulatedChains.reorganise('bitcoin-test', 2, [], { others: 'mempool' })
  await settle(service, 'bitcoin-test')
  await shop.mine(2)
  const timeline = await timelineOf(invoice)
  expect(timeline.map(told)).toEqual([
    ['invoice_created', null, 'invoice.confirming'],
    ['payment_seen', hash, 'invoice.payment_detected'],
    ['payment_credited', hash, 'balance.credited'],
    ['invoice.paid', null, 'invoice.paid'],
    ['invoice.deposit_reversed', null, 'invoice.deposit_reversed'],
    ['payment_credited', hash, 'balance.credited'],
    ['invoice.deposit_restored', null, 'invoice.deposit_restored'],
  ])
  const times = timeline.map(({ at }) => at)
  expect(times).toEqual([...times].sort())
})

it('the credit of a payment that is gone for good stays its own, beside that of another', async () => {
  const invoice = await shop.create()
  const gone = await shop.pay(invoice, '0.01')
  await shop.mine(2)
  await shop.reorganise(2, [gone])
  const other = await shop.pay(invoice, '0.01')
  await shop.mine(2)
  expect(credits(await timelineOf(invoice)).map(told)).toEqual([
    ['payment_credited', gone, 'balance.credited'],
    ['payment_credited', other, 'balance.credited'],
  ])
})

it('payments that are credited together have each its own events', async () => {
  const invoice = await shop.create()
  await shop.expire(invoice)
  const hashes = [await shop.pay(invoice, '0.004'), await shop.pay(invoice, '0.005')]
  await shop.mine(2)
  const credited = credits(await timelineOf(invoice))
  expect(credited.map(({ payment }) => payment.tx_hash).sort()).toEqual(hashes.sort())
  for (const each of credited) {
    expect(told(each).slice(2)).toEqual(['balance.credited', 'invoice.late_deposit'])
    const path = { merchantID: shop.merchantId, environment: 'test', eventID: each.events[0].id }
    expect((await owner.call('getEvent', { path })).body.data.data.amount).toBe(each.payment.amount)
  }
})

it('every choice of a payer is told, with what was chosen', async () => {
  const invoice = await shop.create({ amount_fiat: '49.90', fiat_currency: 'USD', expires_in: 600 })
  const token = await tokenOf(invoice)
  const [btc, ltc] = [
    { currency: 'BTC', network: 'bitcoin' },
    { currency: 'LTC', network: 'litecoin' },
  ]
  for (const json of [btc, { ...ltc, instead_of: btc }, { ...btc, instead_of: ltc }])
    expect((await callCheckout(service.url, 'chooseCheckoutAsset', { token, json })).status).toBe(200)
  const [, ...choices] = await timelineOf(invoice)
  expect(choices.map(told)).toEqual(Array(3).fill(['invoice_activated', null, 'invoice.confirming']))
  expect(choices.map(({ details }) => details)).toEqual([
    expect.stringContaining('BTC'),
    expect.stringContaining('LTC'),
    expect.stringContaining('BTC'),
  ])
})

async function refundOf(invoice: Row): Promise<Row> {
  const destination = await newAddress('bitcoin')
  const path = { merchantID: shop.merchantId, environment: 'test' }
  const body = { invoice_id: invoice.id, currency: 'BTC', network: 'bitcoin', amount: '0.02', destination }
  const answer = await owner.call('createRefund', { path, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

it('a refund has the timeline of its payout: each fact once, however often the chain was reorganised', async () => {
  const refund = await refundOf(await shop.fund('0.1'))
  const payout = { id: refund.payout_id, network: 'bitcoin' }
  await shop.approve(payout)
  await until(shop, payout, 'completed')
  const timeline = await refundTimelineOf(refund)
  expect(timeline.map(told)).toEqual([
    ['payout_created', null],
    ['payout_approved', null, 'payout.approved'],
    ['payout_sent', null, 'payout.processing'],
    ['payout_completed', null, 'payout.completed', 'refund.completed'],
  ])
  expect(timeline[0]).toMatchObject({
    by: expect.stringMatching(/^user:/),
    by_name: expect.stringContaining('@example.com'),
    payout: { id: refund.payout_id, refund_id: refund.id, amount: '0.02' },
  })
  const path = { merchantID: shop.merchantId, environment: 'test' }
  const ofPayout = await owner.call('getPayoutTimeline', { path: { ...path, payoutID: refund.payout_id } })
  expect(ofPayout.body.data).toEqual(timeline)
  await service.app.store.simulatedChains.reorganise('bitcoin-test', 2, [], { others: 'mempool' })
  await settle(service, 'bitcoin-test')
  await shop.mine(3)
  expect((await refundTimelineOf(refund)).map(told)).toEqual(timeline.map(told))
  const theirs = await (await openShop(service)).fund('0.1')
  const unknown = await owner.call('getRefundTimeline', { path: { ...path, refundID: theirs.id } })
  expect(unknown.status).toBe(404)
})

it('the timeline of a refund that was rejected says by whom and why', async () => {
  const refund = await refundOf(await shop.fund('0.1'))
  const path = { merchantID: shop.merchantId, environment: 'test', payoutID: refund.payout_id }
  const rejected = await owner.call('rejectPayout', { path, body: { reason: 'Sent back by post' } })
  expect(rejected.status, rejected.text).toBe(200)
  const timeline = await refundTimelineOf(refund)
  expect(timeline.map(told)).toEqual([
    ['payout_created', null],
    ['payout_rejected', null, 'payout.cancelled'],
  ])
  expect(timeline[1]).toMatchObject({ reason: 'Sent back by post', by_name: expect.any(String) })
})
