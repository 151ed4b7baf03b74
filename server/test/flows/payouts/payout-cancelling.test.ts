import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { cancelRefused } from '../../../src/app/spends/settling/cancel-refused.ts'
import { endGivenUp } from '../../../src/app/spends/settling/end-given-up.ts'
import { query } from '../../support/database/database.ts'
import {
  arrivals,
  attemptsOf,
  breakable,
  expectCleanBooks,
  gateOf,
  hurry,
  newAddress,
  payOutTo,
  until,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

const limits = [
  { network: 'ethereum', currency: 'ETH', per_payout: '1' },
  { network: 'ethereum', currency: 'USDT', per_payout: '100' },
  { network: 'xrp', currency: 'XRP', per_payout: '100' },
  { network: 'solana', currency: 'SOL', per_payout: '1' },
  { network: 'base', currency: 'ETH', per_payout: '1' },
  { network: 'litecoin', currency: 'LTC', per_payout: '2' },
  { network: 'arbitrum', currency: 'ETH', per_payout: '1' },
  { network: 'polygon', currency: 'POL', per_hour: '10' },
  { network: 'bsc', currency: 'BNB', per_day: '10' },
]
let service: TestService
beforeAll(async () => {
  const config = { ...quiet.config, payouts: { cancel_refused_after_seconds: 0 }, signer: { limits } }
  service = await startTestService({ ...quiet, config })
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

const leaveToPeople = (ms: number) => Object.assign(service.app.spending, { cancelAfterMs: ms })
const ended = async (payout: { id: string }) =>
  (
    await query(
      service.database.url,
      'select mined_hash from spends join payouts on spend_id = spends.id where payouts.id = $1',
      [payout.id],
    )
  )[0]?.mined_hash

const rows = [
  { currency: 'ETH', network: 'ethereum', funds: '5', over: '2', fine: '0.9' },
  { currency: 'USDT', network: 'ethereum', funds: '500', over: '300', fine: '99' },
  { currency: 'XRP', network: 'xrp', funds: '1000', over: '200', fine: '99' },
  { currency: 'SOL', network: 'solana', funds: '20', over: '2', fine: '0.9' },
] as const

describe('a payout that the signer refuses for good', () => {
  for (const { currency, network, funds, over, fine } of rows)
    it(`fails with the reason, gives everything back, pays nothing and does not block later payouts: ${currency} on ${network}`, async () => {
      const shop = await openShop(service, { payoutFeeBps: 50 })
      await shop.fund(funds, currency, network)
      const before = await shop.balance(currency)
      await shop.told()
      const refused = await payOutTo(shop, network, { currency, amount: over })
      await expect
        .poll(async () => {
          await hurry(service)
          const { status, waiting_reason } = await shop.payout(refused)
          if (status === 'approved') await shop.mine(1, network)
          return waiting_reason
        })
        .toMatch(/limit of .* per payout on .*It is being cancelled/s)
      // The payout never shows a transaction that does not pay it.
      expect(await shop.payout(refused)).toMatchObject({ status: 'processing', tx_hash: null })
      const behind = await payOutTo(shop, network, { currency, amount: fine })
      const done = await until(shop, behind, 'completed')
      expect(await arrivals(service, network, behind.destination)).toMatchObject([{ hash: done.tx_hash }])

      const failed = await until(shop, refused, 'failed')
      expect(failed).toMatchObject({ waiting_reason: null, tx_hash: null })
      expect(failed.failure_reason).toMatch(/^The signer did not sign it, so it was cancelled.* limit of /)
      // All external addresses on XRP belong to one account, so it also received the other payout.
      const got = await arrivals(service, network, refused.destination)
      expect(got.filter(({ hash }) => hash !== done.tx_hash)).toEqual([])
      expect((await attemptsOf(service, refused)).map(({ bytes }) => bytes !== null)).toEqual([false, true])
      // Which of the two is deep enough first depends on the chain.
      expect((await shop.told()).sort()).toEqual([
        'payout.approved',
        'payout.approved',
        'payout.completed',
        'payout.failed',
        'payout.processing',
        'payout.processing',
      ])
      const charged = Number(done.amount) + Number(done.fee_amount) + Number(done.network_fee)
      const after = await shop.balance(currency)
      expect(after.reserved).toBe('0')
      expect(Number(after.available)).toBeCloseTo(Number(before.available) - charged, 6)
    })
})

it('on a network with coins, a payout fails once the signer rules out signing it, and its coins pay for others', async () => {
  const shop = await openShop(service, { payoutFeeBps: 50 })
  await shop.fund('5', 'LTC', 'litecoin')
  const before = await shop.balance('LTC')
  leaveToPeople(3_600_000)
  const refused = await payOutTo(shop, 'litecoin', { currency: 'LTC', amount: '3' })
  try {
    await expect
      .poll(async () => (await shop.payout(refused)).waiting_reason)
      .toMatch(/limit of 2 LTC per payout on litecoin\.$/)
    expect(await endGivenUp(service.app)).toBe(0)
    await shop.told()
  } finally {
    leaveToPeople(0)
  }
  const failed = await until(shop, refused, 'failed')
  expect(failed).toMatchObject({ waiting_reason: null, tx_hash: null })
  expect(failed.failure_reason).toMatch(
    /^The signer did not sign it, and never will; nothing was paid\..* limit of /,
  )
  expect(await shop.told()).toEqual(['payout.failed'])
  expect(await shop.balance('LTC')).toMatchObject({ available: before.available, reserved: '0' })
  // Even if the signer signed it later, its signature is no longer stored.
  const [attempt] = await attemptsOf(service, refused)
  expect(attempt).toMatchObject({ bytes: null, status: 'dead' })
  const kept = { hash: 'ab'.repeat(32), bytes: Buffer.from('00', 'hex') }
  expect(await service.app.store.spends.saveSigned(attempt?.spend_id, 1, kept)).toBe(false)
  await until(shop, await payOutTo(shop, 'litecoin', { currency: 'LTC', amount: '1.9' }), 'completed')
})

it('a payout over the signer’s hourly or daily limit waits and is never cancelled', async () => {
  for (const [network, currency, amount] of [
    ['polygon', 'POL', '6'],
    ['bsc', 'BNB', '6'],
  ] as const) {
    const shop = await openShop(service)
    await shop.fund('30', currency, network)
    await until(shop, await payOutTo(shop, network, { currency, amount }), 'completed')
    const waits = await payOutTo(shop, network, { currency, amount })
    await expect
      .poll(async () => (await shop.payout(waits)).waiting_reason)
      .toMatch('It is signed when the limit allows it')
    for (let look = 0; look < 3; look++) expect(await cancelRefused(service.app)).toBe(0)
    expect(await attemptsOf(service, waits)).toHaveLength(1)
    expect(await shop.payout(waits)).toMatchObject({ status: 'processing', failure_reason: null })
  }
})

it('no payout is cancelled before the operator’s time to react has passed', async () => {
  const shop = await openShop(service)
  await shop.fund('5', 'ETH', 'base')
  leaveToPeople(3_600_000)
  try {
    const payout = await payOutTo(shop, 'base', { currency: 'ETH', amount: '2' })
    await expect
      .poll(async () => {
        if ((await shop.payout(payout)).status === 'approved') await shop.mine(1, 'base')
        return (await shop.payout(payout)).waiting_reason
      })
      .toMatch(/limit of 1 ETH per payout on base\.$/)
    for (let look = 0; look < 3; look++) expect(await cancelRefused(service.app)).toBe(0)
    expect(await attemptsOf(service, payout)).toHaveLength(1)
    leaveToPeople(0)
    await until(shop, payout, 'failed')
  } finally {
    leaveToPeople(0)
  }
})

it('the fee of a stuck cancelling transaction is raised at the operator’s expense', async () => {
  const shop = await openShop(service)
  await shop.fund('5', 'ETH', 'arbitrum')
  const before = await shop.balance('ETH')
  const gate = gateOf(service, 'arbitrum')
  const { feeRate } = gate
  const { bumpAfterMs } = service.app.spending
  const node = breakable(service, 'arbitrum')
  try {
    const payout = await payOutTo(shop, 'arbitrum', { currency: 'ETH', amount: '2' })
    await expect
      .poll(async () => {
        const attempts = await attemptsOf(service, payout)
        if (attempts.length === 0) await shop.mine(1, 'arbitrum')
        return attempts.at(1)?.sent_at ?? null
      })
      .not.toBeNull()
    const rate = await feeRate()
    Object.assign(gate, { feeRate: async () => rate * 3n })
    Object.assign(service.app.spending, { bumpAfterMs: 0 })
    await expect
      .poll(async () => {
        await hurry(service)
        return (await attemptsOf(service, payout)).at(2)?.sent_at ?? null
      })
      .not.toBeNull()
    Object.assign(service.app.spending, { bumpAfterMs })
    await until(shop, payout, 'failed')
    const attempts = await attemptsOf(service, payout)
    // While a more expensive attempt is still to be signed, no further attempt is planned, however often it is checked.
    expect(attempts).toHaveLength(3)
    expect(await ended(payout)).toBe(attempts[2]?.hash)
    expect(await shop.balance('ETH')).toEqual(before)
    expect(await arrivals(service, 'arbitrum', payout.destination)).toEqual([])
  } finally {
    Object.assign(service.app.spending, { bumpAfterMs })
    node.mend()
    Object.assign(gate, { feeRate })
  }
})

it('several payouts refused at once are all cancelled, each with its own nonce', async () => {
  const shop: Shop = await openShop(service)
  await shop.fund('20', 'SOL', 'solana')
  const payouts = []
  for (let n = 0; n < 3; n++)
    payouts.push(
      await payOutTo(shop, 'solana', {
        currency: 'SOL',
        amount: '3',
        destination: await newAddress('solana'),
      }),
    )
  for (const payout of payouts) await until(shop, payout, 'failed')
  expect(await shop.balance('SOL')).toMatchObject({ available: '20', reserved: '0' })
})
