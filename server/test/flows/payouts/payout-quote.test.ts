import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mostPayable, payoutFee } from '../../../src/domain/payouts.ts'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { newAddress } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'

/** What the form of a payout says before there is one. */

let service: TestService
let shop: Shop
let client: DashboardClient
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
  client = await signedIn(service, await makePerson(service, { merchantId: shop.merchantId, role: 'owner' }))
})
afterAll(() => service.stop())

const here = () => ({ merchantID: shop.merchantId, environment: 'test' })
const quote = async (query: Record<string, string>): Promise<Row> => {
  const answer = await client.call('getPayoutQuote', { path: here(), query })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}

it('the most that may be paid out can be paid out, and leaves nothing but what the fees need', async () => {
  const invoice = await shop.create()
  await shop.pay(invoice, '0.01')
  await shop.mine(2)
  const destination = await newAddress('bitcoin')
  const { most, available, network_fee, fee_of_most, rate } = await quote({ currency: 'BTC', destination })
  expect(Number(most)).toBeGreaterThan(0)
  expect(Number(most) + Number(network_fee) + Number(fee_of_most)).toBeCloseTo(Number(available), 8)
  expect(rate).toMatchObject({ price: expect.stringMatching(/^\d+/), updated_at: expect.any(String) })
  const more = `${most.slice(0, -1)}${Number(most.at(-1)) + 1}`
  const body = (amount: string) => ({ currency: 'BTC', amount, destination })
  expect((await client.call('createPayout', { path: here(), body: body(more) })).status).toBe(422)
  const made = await client.call('createPayout', { path: here(), body: body(most) })
  expect(made.status, made.text).toBe(201)
  expect(await quote({ currency: 'BTC' })).toMatchObject({ most: null, fee_of_most: null })
})

it('while the network cannot say its fee, there is a quote without one', async () => {
  await shop.expect(200, 'setTestGate', { json: { network: 'litecoin', status: 'offline' } })
  const answer = await quote({ currency: 'LTC' })
  expect(answer).toMatchObject({ available: '0', most: null })
})

it('an unknown currency and another merchant are refused', async () => {
  const status = async (path: object, query: object) =>
    (await client.call('getPayoutQuote', { path, query } as never)).status
  expect(await status(here(), { currency: 'NOPE' })).toBe(400)
  const stranger = await openShop(service)
  expect(await status({ ...here(), merchantID: stranger.merchantId }, { currency: 'BTC' })).toBe(404)
})

it('no amount above the most fits beside its fee, for any fee', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 24n), fc.integer({ min: 0, max: 10_000 }), (units, bps) => {
      const most = mostPayable(units, bps)
      expect(most + payoutFee(most, bps)).toBeLessThanOrEqual(units)
      expect(most + 1n + payoutFee(most + 1n, bps)).toBeGreaterThan(units)
    }),
  )
})
