import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import {
  approveTogether,
  arrivals,
  expectCleanBooks,
  newAddress,
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

const inUnits = (amount: string) => BigInt(Math.round(Number(amount) * 1e8))

async function ask(shop: Shop, count: number) {
  return Promise.all(
    Array.from({ length: count }, async (_, n) =>
      shop.payOut({
        currency: 'BTC',
        amount: `0.0${n + 101}`,
        destination: await newAddress('bitcoin'),
      }),
    ),
  )
}

it('30 payouts that are due together share one transaction and split its fee to the last unit', async () => {
  const shop = await openShop(service, { payoutFeeBps: 10 })
  for (const part of ['0.3', '0.3', '0.2']) await shop.fund(part)
  const payouts = await ask(shop, 30)
  await approveTogether(shop, payouts)
  for (const payout of payouts) await until(shop, payout, 'completed')
  const done = await Promise.all(payouts.map((payout) => shop.payout(payout)))
  expect(new Set(done.map(({ tx_hash }) => tx_hash)).size).toBe(1)
  for (const payout of done)
    expect(await arrivals(service, 'bitcoin', payout.destination)).toEqual([
      { hash: payout.tx_hash, units: inUnits(payout.amount), currency: 'BTC' },
    ])

  const [spend] = await query(
    service.database.url,
    `select fee_units::text as fee from spends where mined_hash = $1`,
    [done[0].tx_hash],
  )
  const fee = BigInt(spend?.fee)
  const shares = done.map(({ network_fee }) => inUnits(network_fee))
  expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(fee)
  const [least, most] = [fee / 30n, (fee + 29n) / 30n]
  expect(shares.filter((share) => share === most && most !== least)).toHaveLength(Number(fee % 30n))
  expect(shares.every((share) => share === least || share === most)).toBe(true)

  const sum = (of: (payout: (typeof done)[number]) => string) =>
    done.reduce((total, payout) => total + inUnits(of(payout)), 0n)
  const paid = sum(({ amount }) => amount)
  const fees = sum(({ fee_amount }) => fee_amount) + fee
  const balance = await shop.balance('BTC')
  expect(inUnits(balance.total_paid_out)).toBe(paid)
  expect(inUnits(balance.total_fees)).toBe(fees)
  expect(inUnits(balance.available)).toBe(80_000_000n - paid - fees)
  expect(balance.reserved).toBe('0')
  expect((await shop.ledger('BTC', { entry_type: 'release' })).length).toBe(30)
})

it('payouts of two merchants never share a transaction in the sandbox', async () => {
  const shops = [await openShop(service), await openShop(service)]
  const asked: { shop: Shop; payouts: Awaited<ReturnType<typeof ask>> }[] = []
  for (const shop of shops) {
    await shop.fund('0.5')
    asked.push({ shop, payouts: await ask(shop, 6) })
  }
  await Promise.all(asked.map(({ shop, payouts }) => approveTogether(shop, payouts)))
  for (const { shop, payouts } of asked) for (const payout of payouts) await until(shop, payout, 'completed')
  expect(
    await query(
      service.database.url,
      'select spend_id from payouts where spend_id is not null group by 1 having count(distinct merchant_id) > 1',
    ),
  ).toEqual([])
})
