import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openTill, TurnedNegative } from '../../../src/app/payouts/judge-backing.ts'
import { planPayouts } from '../../../src/app/spends/planning/plan-payouts.ts'
import { noPolicy, type PayoutPolicy } from '../../../src/domain/payout-policy.ts'
import { query } from '../../support/database/database.ts'
import {
  arrivals,
  breakable,
  expectCleanBooks,
  gateOf,
  newAddress,
  until,
  untilSent,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

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
    it(`arrives once, costs its fee, and is then shown on the invoice: ${currency} on ${network}`, async () => {
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
      // A refund in progress counts against the refundable amount.
      const more = await shop.refund({ ...json, amount: (Number(paid) * 0.7).toFixed(3) })
      expect([more.status, more.body.error.code]).toEqual([422, 'refund_exceeds_credited'])

      await until(shop, payout, 'completed')
      const done = await read(shop, refund)
      expect(done).toMatchObject({ status: 'completed', refund_fee: fee, amount })
      expect(await arrivals(service, network, destination)).toEqual([
        { hash: done.tx_hash, currency, units: BigInt(Number(amount) * 10 ** decimals) },
      ])
      const events = await shop.events()
      expect(events.map(({ event }) => event)).toEqual([
        'payout.approved',
        'payout.processing',
        'payout.completed',
        'refund.completed',
      ])
      expect(events.at(-1).data).toEqual(done)
      expect((await shop.get(invoice)).amount_refunded).toBe(amount)
      expect(await shop.balance(currency)).toMatchObject({ reserved: '0', total_paid_out: amount })
      const again = await shop.refund({ ...json, amount: (Number(paid) * 0.7).toFixed(3) })
      expect([again.status, again.body.error.code]).toEqual([422, 'refund_exceeds_credited'])
    })
})

it('a refund in progress is paid once when its invoice’s deposit is reorganised away, and the balance shows it', async () => {
  const shop = await openShop(service)
  // This coin is spent because it is larger than the invoice's own.
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

describe('a reorganisation that removes a deposit before its payouts have left', () => {
  const promised = async (shop: Shop, over: Partial<PayoutPolicy> = {}) => {
    const owner = { merchantId: shop.merchantId, environment: 'test' } as const
    await service.app.store.payoutPolicies.set(owner, { ...noPolicy, ...over })
    const invoice = await shop.create({ currency: 'BTC', amount: '1' })
    const deposit = await shop.pay(invoice, '1')
    await shop.mine(2)
    const payout = await shop.payOut({
      currency: 'BTC',
      amount: '0.5',
      destination: await newAddress('bitcoin'),
    })
    const json = { currency: 'BTC', amount: '0.4', destination: await newAddress('bitcoin') }
    const refund = (await shop.refund({ invoice_id: invoice.id, ...json })).body.data
    return { invoice, deposit, payout, refund, paidBack: { id: refund.payout_id, network: 'bitcoin' } }
  }
  const makeDue = async (shop: Shop, payouts: readonly { id: string }[]) => {
    await service.app.store.payoutPolicies.set({ merchantId: shop.merchantId, environment: 'test' }, noPolicy)
    await query(
      service.database.url,
      'update payouts set executable_at = clock_timestamp() where id = any($1)',
      [payouts.map(({ id }) => id)],
    )
  }
  const takeBack = async (shop: Shop, invoice: { id: string }, deposit: string) => {
    const [{ confirmations }] = (await shop.get(invoice)).payments
    await shop.reorganise(confirmations, [deposit])
    expect(Number((await shop.balance('BTC')).available)).toBeLessThan(-0.9)
  }
  let others: Shop
  beforeAll(async () => {
    // Another merchant's coins, which could pay for anything.
    others = await openShop(service)
    await others.fund('30')
  })

  it('blocks approval until the balance is covered, and refunds beyond the invoice’s credit', async () => {
    const shop = await openShop(service)
    const { invoice, deposit, payout, refund, paidBack } = await promised(shop)
    await takeBack(shop, invoice, deposit)
    for (const each of [payout, paidBack]) {
      const refused = await shop.approve(each)
      expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
      expect(refused.body.error.message).toMatch(/balance on Bitcoin is -0\.9.*Pay in the missing amount/)
      expect((await shop.payout(each)).status).toBe('pending_approval')
    }
    await shop.fund('5')
    await until(shop, (await shop.approve(payout)).body.data, 'completed')
    const beyond = await shop.approve(paidBack)
    expect([beyond.status, beyond.body.error.code]).toEqual([409, 'conflict'])
    expect(beyond.body.error.message).toMatch(/^Its invoice is now credited with 0 BTC/)
    await shop.pay(invoice, '0.3')
    await shop.mine(2)
    expect((await shop.approve(paidBack)).status).toBe(409)
    await shop.pay(invoice, '0.1')
    await shop.mine(2)
    await until(shop, (await shop.approve(paidBack)).body.data, 'completed')
    expect(await arrivals(service, 'bitcoin', refund.destination)).toHaveLength(1)
  })

  it('makes approved payouts wait with a reason, even past their cooling-off, until they are covered', async () => {
    const shop = await openShop(service)
    const { invoice, deposit, payout, paidBack } = await promised(shop, { coolingOffSeconds: 3600 })
    const both = [payout, paidBack]
    for (const each of both) expect((await shop.approve(each)).status).toBe(200)
    await takeBack(shop, invoice, deposit)
    await makeDue(shop, both)
    for (const each of both)
      await expect
        .poll(() => shop.payout(each))
        .toMatchObject({
          status: 'approved',
          waiting_reason: expect.stringMatching(/^The balance on Bitcoin is -0\.9/),
        })
    expect(await planPayouts(service.app, gateOf(service, 'bitcoin'))).toBe(0)
    // Other funds cover the balance: the payout leaves, but the refund's invoice still has no credit to refund.
    await shop.fund('2')
    await until(shop, payout, 'completed')
    await expect
      .poll(() => shop.payout(paidBack))
      .toMatchObject({ status: 'approved', waiting_reason: expect.stringContaining('credited with 0 BTC') })
    await shop.pay(invoice, '0.4')
    await shop.mine(2)
    expect(await until(shop, paidBack, 'completed')).toMatchObject({ waiting_reason: null })
  })

  it('makes the second of two approved refunds wait when the credit covers only one', async () => {
    const shop = await openShop(service)
    const { invoice, deposit, refund, paidBack } = await promised(shop, { coolingOffSeconds: 3600 })
    const more = (
      await shop.refund({
        invoice_id: invoice.id,
        currency: 'BTC',
        amount: '0.05',
        destination: refund.destination,
      })
    ).body.data
    const both = [paidBack, { id: more.payout_id }]
    for (const each of both) expect((await shop.approve(each)).status).toBe(200)
    await takeBack(shop, invoice, deposit)
    await shop.fund('2')
    await shop.pay(invoice, '0.42')
    await shop.mine(2)
    await makeDue(shop, both)
    await expect
      .poll(async () => {
        const states = await Promise.all(both.map((each) => shop.payout(each)))
        return states.map(({ status, waiting_reason }) => [status === 'approved', waiting_reason !== null])
      })
      .toEqual(expect.arrayContaining([[true, true]]))
    const states = await Promise.all(both.map((each) => shop.payout(each)))
    expect(states.filter(({ status }) => status !== 'approved')).toHaveLength(1)
  })

  it('discards the plan when it happens during planning', async () => {
    const shop = await openShop(service)
    const { invoice, deposit, payout } = await promised(shop, { coolingOffSeconds: 3600 })
    expect((await shop.approve(payout)).status).toBe(200)
    const held = await service.app.store.payouts.find(null, payout.id)
    if (held === null) throw new Error('The payout is gone.')
    const planning = service.app.transaction(async (tx) => {
      const till = await openTill(service.app, tx, [held])
      expect(till.objectionTo(held)).toBeNull()
      await takeBack(shop, invoice, deposit)
      await till.close()
    })
    await expect(planning).rejects.toThrow(TurnedNegative)
    expect((await shop.payout(payout)).status).toBe('approved')
  })
})
