import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { noPolicy } from '../../../src/domain/payout-policy.ts'
import { query } from '../../support/database/database.ts'
import {
  approveTogether,
  arrivals,
  expectCleanBooks,
  newAddress,
  payOutTo,
  until,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

const fail = (shop: Shop, payout: { id: string }) =>
  shop.call('failTestPayout', { path: { payoutID: payout.id } })

const rows = [
  { currency: 'BTC', network: 'bitcoin', funds: '0.1', amount: '0.06' },
  { currency: 'LTC', network: 'litecoin', funds: '5', amount: '3' },
  { currency: 'ETH', network: 'ethereum', funds: '2', amount: '1.2' },
  { currency: 'USDT', network: 'ethereum', funds: '500', amount: '300' },
  { currency: 'XRP', network: 'xrp', funds: '1000', amount: '700' },
  { currency: 'SOL', network: 'solana', funds: '20', amount: '12' },
] as const

describe('a payout whose transaction can never be mined', () => {
  for (const { currency, network, funds, amount } of rows)
    it(`fails, and the funds it gives back pay the next payout: ${currency} on ${network}`, async () => {
      const shop = await openShop(service, { payoutFeeBps: 50 })
      await shop.fund(funds, currency, network)
      const before = await shop.balance(currency)
      await shop.told()
      const destination = await newAddress(network)
      const payout = await payOutTo(shop, network, { currency, amount, destination })
      // On some networks deposits have to be swept first, which takes blocks.
      await until(shop, payout, 'processing')
      const answer = await fail(shop, payout)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body.data).toMatchObject({
        status: 'failed',
        failure_reason: expect.stringMatching(/\w/),
        waiting_reason: null,
        completed_at: null,
        cancelled_at: null,
      })
      expect(await shop.told()).toEqual(['payout.approved', 'payout.processing', 'payout.failed'])
      expect(await shop.balance(currency)).toEqual(before)
      expect((await shop.ledger(currency)).at(-1)).toMatchObject({
        entry_type: 'release',
        direction: 'credit',
        reference_id: payout.id,
      })
      expect((await fail(shop, payout)).status).toBe(409)

      // Only the funds that the first payout had claimed can pay this one.
      const next = await payOutTo(shop, network, { currency, amount, destination })
      const done = await until(shop, next, 'completed')
      expect(await arrivals(service, network, destination)).toMatchObject([{ hash: done.tx_hash }])
      expect((await shop.payout(payout)).status).toBe('failed')
    })
})

it('a merchant’s payouts in one transaction fail together, and another merchant’s payout continues', async () => {
  const [shop, other] = [await openShop(service), await openShop(service)]
  await shop.fund('0.5')
  await other.fund('0.5')
  // Approved together, so that one transaction pays them.
  const batch = await Promise.all(
    [1, 2, 3].map(async () =>
      shop.payOut({ currency: 'BTC', amount: '0.01', destination: await newAddress('bitcoin') }),
    ),
  )
  await approveTogether(shop, batch)
  const theirs = await payOutTo(other, 'bitcoin', { currency: 'BTC', amount: '0.02' })
  const [first] = batch
  await until(shop, first, 'processing')
  const spends = await query(
    service.database.url,
    'select distinct spend_id from payouts where id = any($1)',
    [batch.map(({ id }) => id)],
  )
  expect(spends).toHaveLength(1)
  expect((await fail(shop, first)).status).toBe(200)
  for (const payout of batch) expect((await shop.payout(payout)).status).toBe('failed')
  expect(await shop.balance('BTC')).toMatchObject({ available: '0.5', reserved: '0' })
  await until(other, theirs, 'completed')
})

it('a refund fails with its payout, sends refund.failed, and can be requested again', async () => {
  const shop = await openShop(service)
  await shop.fund('0.5')
  const invoice = await shop.fund('0.1')
  const json = {
    invoice_id: invoice.id,
    currency: 'BTC',
    amount: '0.1',
    destination: await newAddress('bitcoin'),
  }
  const refund = (await shop.refund(json)).body.data
  await shop.told()
  await shop.approve({ id: refund.payout_id })
  await until(shop, { id: refund.payout_id, network: 'bitcoin' }, 'processing')
  expect((await fail(shop, { id: refund.payout_id })).status).toBe(200)
  const read = (await shop.expect(200, 'getRefund', { path: { refundID: refund.id } })).body.data
  expect(read).toMatchObject({ status: 'failed', failure_reason: expect.stringMatching(/\w/) })
  const events = await shop.events()
  expect(events.map(({ event }) => event)).toEqual([
    'payout.approved',
    'payout.processing',
    'payout.failed',
    'refund.failed',
  ])
  expect(events.at(-1).data).toEqual(read)
  expect((await shop.get(invoice)).amount_refunded).toBe('0')
  expect((await shop.refund(json)).status).toBe(201)
})

it('a payout that is pending, cooling off, completed or another merchant’s cannot be made to fail', async () => {
  const [shop, stranger] = [await openShop(service), await openShop(service)]
  await shop.fund('0.1')
  const payout = await shop.payOut({
    currency: 'BTC',
    amount: '0.001',
    destination: await newAddress('bitcoin'),
  })
  expect((await fail(shop, payout)).status).toBe(409)
  expect((await fail(stranger, payout)).status).toBe(404)
  const owner = { merchantId: shop.merchantId, environment: 'test' } as const
  await service.app.store.payoutPolicies.set(owner, { ...noPolicy, coolingOffSeconds: 3600 })
  await shop.approve(payout)
  expect((await fail(shop, payout)).status).toBe(409)
  await service.app.store.payoutPolicies.set(owner, noPolicy)
  const quick = await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.001' })
  await until(shop, quick, 'completed')
  expect((await fail(shop, quick)).status).toBe(409)
})
