import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { arrivals, breakable, expectCleanBooks, newAddress, until, untilSent } from '../support/money-out.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { openShop, quiet, type Shop, settle } from '../support/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

const read = async (shop: Shop, refund: { id: string }) =>
  (await shop.expect(200, 'getRefund', { path: { refundID: refund.id } })).body.data

describe('an approved refund', () => {
  for (const { currency, network, paid, amount, fee, decimals } of [
    { currency: 'BTC', network: 'bitcoin', paid: '0.1', amount: '0.04', fee: '0.0004', decimals: 8 },
    { currency: 'USDT', network: 'ethereum', paid: '100', amount: '40', fee: '0.4', decimals: 6 },
  ])
    it(`arrives once, costs its fee, and is on the invoice then: ${currency} on ${network}`, async () => {
      const shop = await openShop(service, { refundFeeBps: 100, payoutFeeBps: 9_999 })
      await shop.fund(paid, currency, network)
      const invoice = await shop.fund(paid, currency, network)
      const destination = await newAddress(network)
      const json = { invoice_id: invoice.id, currency, network, amount, destination }
      const refund = (await shop.refund(json)).body.data
      expect(refund).toMatchObject({ status: 'pending', refund_fee: fee })
      await shop.told()
      await shop.approve({ id: refund.payout_id })
      const payout = { id: refund.payout_id, network }
      await until(shop, payout, 'processing')
      expect(await read(shop, refund)).toMatchObject({ status: 'processing', completed_at: null })
      expect((await shop.get(invoice)).amount_refunded).toBe('0')
      // What is on its way counts against what may be refunded.
      const more = await shop.refund({ ...json, amount: (Number(paid) * 0.7).toFixed(3) })
      expect([more.status, more.body.error.code]).toEqual([422, 'refund_exceeds_credited'])

      await until(shop, payout, 'completed')
      const done = await read(shop, refund)
      expect(done).toMatchObject({ status: 'completed', refund_fee: fee, amount })
      expect(await arrivals(service, network, destination)).toEqual([
        ...[{ hash: done.tx_hash, currency, units: BigInt(Number(amount) * 10 ** decimals) }],
      ])
      const events = await shop.events()
      expect(events.map(({ event }) => event)).toEqual([
        ...['payout.approved', 'payout.processing', 'payout.completed', 'refund.completed'],
      ])
      expect(events.at(-1).data).toEqual(done)
      expect((await shop.get(invoice)).amount_refunded).toBe(amount)
      expect(await shop.balance(currency)).toMatchObject({ reserved: '0', total_paid_out: amount })
      const again = await shop.refund({ ...json, amount: (Number(paid) * 0.7).toFixed(3) })
      expect([again.status, again.body.error.code]).toEqual([422, 'refund_exceeds_credited'])
    })
})

it('a refund on its way when its invoice’s deposit is reorganised away still happens once; the balance shows it', async () => {
  const shop = await openShop(service)
  // Its coin is used, being larger, and not the invoice's own.
  await shop.fund('20', 'LTC', 'litecoin')
  const invoice = await shop.create({ currency: 'LTC', network: 'litecoin', amount: '1' })
  const deposit = await shop.pay(invoice, '1')
  await shop.mine(6, 'litecoin')
  const destination = await newAddress('litecoin')
  const node = breakable(service, 'litecoin')
  try {
    node.always('broadcast', 'refuses')
    const json = { invoice_id: invoice.id, currency: 'LTC', amount: '1', destination }
    const refund = (await shop.refund(json)).body.data
    await shop.approve({ id: refund.payout_id })
    await untilSent(service, { id: refund.payout_id })
    await shop.reorganise(6, [deposit], 'litecoin')
    await settle(service, 'litecoin-test')
    expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0' })
    expect((await read(shop, refund)).status).toBe('processing')
    expect((await shop.refund(json)).body.error.code).toBe('invalid_state')
    node.always('broadcast', null)
    await until(shop, { id: refund.payout_id, network: 'litecoin' }, 'completed')
    const done = await read(shop, refund)
    expect(await arrivals(service, 'litecoin', destination)).toMatchObject([{ hash: done.tx_hash }])
    expect((await shop.get(invoice)).amount_refunded).toBe('1')
    const { available } = await shop.balance('LTC')
    expect(Number(available)).toBeCloseTo(20 - 1 - Number(done.network_fee), 8)
  } finally {
    node.mend()
  }
})
