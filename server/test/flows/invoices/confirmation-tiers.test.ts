import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { listCoins } from '../../../src/app/spends/planning/list-coins.ts'
import { call } from '../../support/shop/contract-client.ts'
import { expectCleanBooks, hurry, payOutTo, untilSent } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  const tiers = [
    { from: '0.5', confirmations: 4 },
    { from: '1', confirmations: 6 },
  ]
  const config = { ...quiet.config, confirmation_tiers: { bitcoin: tiers } }
  service = await startTestService({ ...quiet, config })
  shop = await openShop(service)
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

const depths = async (invoice: { id: string }) =>
  (await shop.get(invoice)).payments.map(
    (payment: { required_confirmations: number }) => payment.required_confirmations,
  )

/** Pays outputs to addresses in one transaction. */
async function payTogether(
  ...outputs: readonly (readonly [address: string, units: bigint])[]
): Promise<void> {
  await service.app.store.simulatedChains.submit('bitcoin-test', {
    feeUnits: 1_000n,
    outputs: outputs.map(([address, units]) => ({ address, tag: null, currency: 'BTC', units })),
    makeTransaction: () => ({ hash: randomBytes(32).toString('hex'), bytes: null }),
  })
  await settle(service, 'bitcoin-test')
}

it('an invoice and its payment show the depth their amount needs, and the invoice is paid exactly there', async () => {
  for (const [amount, depth] of [
    ['0.49999999', 2],
    ['0.5', 4],
    ['1', 6],
  ] as const) {
    const invoice = await shop.create({ currency: 'BTC', amount })
    expect(invoice.required_confirmations).toBe(depth)
    await shop.pay(invoice, amount)
    await shop.mine(depth - 1)
    expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_pending: amount })
    expect(await depths(invoice)).toEqual([depth])
    await shop.mine(1)
    expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: amount })
  }
})

it('a reorganisation reverses a large payment until it has its full depth again', async () => {
  const invoice = await shop.create({ currency: 'BTC', amount: '1' })
  await shop.pay(invoice, '1')
  await shop.mine(6)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid' })
  await service.app.store.simulatedChains.reorganise('bitcoin-test', 6, [], { others: 'mempool' })
  await settle(service, 'bitcoin-test')
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0' })
  await shop.mine(5)
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0' })
  await shop.mine(1)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '1' })
})

it('an invoice paid in small parts needs the same depth as one paid at once', async () => {
  const invoice = await shop.create({ currency: 'BTC', amount: '1' })
  for (let part = 0; part < 4; part++) await shop.pay(invoice, '0.25')
  expect(await depths(invoice)).toEqual([6, 6, 6, 6])
  await shop.mine(5)
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0' })
  await shop.mine(1)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '1' })
})

it('all outputs of a transaction count as one amount, across addresses and beyond the amount due', async () => {
  const [first, second, large] = [
    await shop.create({ currency: 'BTC', amount: '0.1' }),
    await shop.create({ currency: 'BTC', amount: '0.1' }),
    await shop.create({ currency: 'BTC', amount: '0.1' }),
  ]
  await shop.pay(large, '1.5')
  await payTogether(
    [first.deposit_address, 10_000_000n],
    [first.deposit_address, 30_000_000n],
    [second.deposit_address, 10_000_000n],
  )
  expect([first.required_confirmations, second.required_confirmations]).toEqual([2, 2])
  expect([await depths(first), await depths(second), await depths(large)]).toEqual([[4, 4], [4], [6]])
  await shop.mine(3)
  expect((await shop.get(second)).status).toBe('pending')
  await shop.mine(1)
  expect([(await shop.get(first)).status, (await shop.get(second)).status]).toEqual(['overpaid', 'paid'])
  await shop.mine(2)
  expect((await shop.get(large)).status).toBe('overpaid')
})

it('deposits to a static address need the same depth, and their invoices say so', async () => {
  const address = await shop.createAddress({ currency: 'BTC' })
  await payTogether([address.address, 60_000_000n], [address.address, 60_000_000n])
  const { body } = await shop.expect(200, 'listInvoices', { query: { limit: '2' } })
  const made = body.data
  expect(
    made.map((each: { amount: string; required_confirmations: number }) => [
      each.amount,
      each.required_confirmations,
    ]),
  ).toEqual([
    ['0.6', 6],
    ['0.6', 6],
  ])
  await shop.mine(5)
  for (const each of made) expect(await shop.get(each)).toMatchObject({ status: 'pending' })
  await shop.mine(1)
  for (const each of made) expect(await shop.get(each)).toMatchObject({ status: 'paid' })
})

it('the coin of a large payment is spendable only once it counts, and a payout completes at the plain depth', async () => {
  const invoice = await shop.create({ currency: 'BTC', amount: '3' })
  const hash = await shop.pay(invoice, '3')
  const state = async () =>
    (await listCoins(service.app, 'bitcoin-test')).coins.find(({ txHash }) => txHash === hash)?.state
  await shop.mine(5)
  expect(await state()).toBe('confirming')
  await shop.mine(1)
  expect(await state()).toBe('spendable')
  const payout = await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '2.5' })
  await untilSent(service, payout)
  await shop.mine(2)
  await expect
    .poll(async () => {
      await hurry(service)
      return (await shop.payout(payout)).status
    })
    .toBe('completed')
})

it('the list of currencies shows the depth that every payment needs', async () => {
  const { body } = await call(service.url, 'listCurrencies', { query: { environment: 'test' } })
  const bitcoin = body.data.find(({ code }: { code: string }) => code === 'BTC')
  expect(bitcoin.networks).toMatchObject([{ network: 'bitcoin', required_confirmations: 2 }])
})
