import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { followChain } from '../../../src/app/chain/follow-chain.ts'
import { resumeChain } from '../../../src/app/chain/resume-chain.ts'
import { planPayouts } from '../../../src/app/spends/planning/plan-payouts.ts'
import { explainWaiting } from '../../../src/app/spends/settling/explain-waiting.ts'
import { lookAtSpends } from '../../../src/app/spends/settling/look-at-spends.ts'
import { recheckEnded } from '../../../src/app/spends/settling/recheck-ended.ts'
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
  untilAsked,
  untilSent,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  const config = { ...quiet.config, chains: { max_reorganisation_depth: 20 } }
  service = await startTestService({ ...quiet, config })
})
afterAll(() => service.stop())

const chains = () => service.app.store.simulatedChains
const completions = async (payout: { id: string }) =>
  (
    await query(
      service.database.url,
      `select count(*)::int as n from events where event = 'payout.completed' and data ->> 'id' = $1`,
      [payout.id],
    )
  )[0]?.n
const hashOf = async (payout: { id: string }) => (await attemptsOf(service, payout))[0]?.hash as string

// Every day each fate at one depth, and on the second network those that need a transaction again; in `npm run soak` all.
const isEveryReorganisation = process.env.SLUICE_EVERY_REORGANISATION !== undefined
const fates = ['same_height', 'next_height', 'mempool', 'forgotten'] as const
const fatesOn = (network: string) => (network === 'bitcoin' || isEveryReorganisation ? fates : fates.slice(2))

describe('a reorganisation of our own payout', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop(service)
    for (let coins = 0; coins < 4; coins++) await shop.fund('0.5')
    await shop.fund('10', 'ETH', 'ethereum')
    await until(shop, await payOutTo(shop, 'ethereum', { currency: 'ETH', amount: '0.01' }), 'completed')
  })
  afterEach(() => expectCleanBooks(service))

  for (const { network, currency, depths } of [
    { network: 'bitcoin', currency: 'BTC', depths: [1, 2, 5] },
    { network: 'ethereum', currency: 'ETH', depths: [15] },
  ])
    for (const [at, others] of fatesOn(network).entries())
      it(`completes it once at any depth: ${network}, ${others.replace('_', ' ')}`, async () => {
        for (const depth of isEveryReorganisation ? depths : [depths[at % depths.length] ?? 1]) {
          const destination = await newAddress(network)
          const payout = await payOutTo(shop, network, { currency, amount: '0.02', destination })
          await untilSent(service, payout)
          await shop.mine(depth, network)
          const drop = others === 'forgotten' ? [await hashOf(payout)] : []
          await chains().reorganise(`${network}-test`, depth, drop, others === 'forgotten' ? {} : { others })
          await settle(service, `${network}-test`)
          const done = await until(shop, payout, 'completed')
          // A completed payout sends no second event; a forgotten transaction is sent again.
          await expect
            .poll(async () => {
              await shop.mine(1, network)
              return (await arrivals(service, network, destination)).map(({ hash }) => hash)
            })
            .toEqual([done.tx_hash])
          await shop.mine(gateOf(service, network).network.confirmations, network)
          await hurry(service)
          expect(await completions(payout)).toBe(1)
          expect((await shop.payout(payout)).completed_at).toBe(done.completed_at)
          const parts = (await shop.ledger(currency)).filter(({ reference_id }) => reference_id === payout.id)
          expect(parts.filter(({ entry_type }) => entry_type === 'payout')).toHaveLength(1)
        }
        expect((await shop.balance(currency)).reserved).toBe('0')
      })
})

it('when a reorganisation removes the deposit a payout spends, the balance turns negative and nothing more is paid out', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create({ currency: 'LTC', network: 'litecoin', amount: '5' })
  const deposit = await shop.pay(invoice, '5')
  await shop.mine(6, 'litecoin')
  const payout = await payOutTo(shop, 'litecoin', { currency: 'LTC', amount: '3' })
  await untilSent(service, payout)
  await shop.mine(1, 'litecoin')
  await chains().reorganise('litecoin-test', 7, [deposit])
  await settle(service, 'litecoin-test')
  expect((await shop.get(invoice)).status).toBe('pending')
  const { available, reserved } = await shop.balance('LTC')
  expect(Number(available)).toBeLessThan(-3)
  expect(Number(reserved)).toBeGreaterThan(3)
  const refused = await shop.call('createPayout', {
    json: { currency: 'LTC', amount: '0.1', destination: await newAddress('litecoin') },
  })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'insufficient_balance'])
  // The coin may come back: nothing proves that it never will.
  await shop.mine(10, 'litecoin')
  await expect
    .poll(async () => {
      await hurry(service)
      return shop.payout(payout)
    })
    .toMatchObject({
      status: 'processing',
      failure_reason: null,
      waiting_reason: expect.stringMatching(
        /^A coin that it spends was reorganised away \([0-9a-f]{64}:\d+\)/,
      ),
    })
  expect(await arrivals(service, 'litecoin', payout.destination)).toEqual([])
  await expectCleanBooks(service)
})

it('when a reorganisation removes a spent deposit for good, the payout fails, and so does one that spends its change', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create({ currency: 'LTC', network: 'litecoin', amount: '70' })
  const deposit = await shop.pay(invoice, '70')
  await shop.mine(6, 'litecoin')
  // The first payout is completed. Its change is the largest coin, so it pays for the second.
  const first = await until(
    shop,
    await payOutTo(shop, 'litecoin', { currency: 'LTC', amount: '1' }),
    'completed',
  )
  const payout = await payOutTo(shop, 'litecoin', { currency: 'LTC', amount: '30' })
  await untilSent(service, payout)
  await shop.told()
  const [{ confirmations }] = (await shop.get(invoice)).payments
  await shop.reorganise(confirmations, [deposit], 'litecoin')
  await expect
    .poll(async () => {
      await hurry(service)
      return (await shop.payout(payout)).waiting_reason
    })
    .toMatch(/^As things stand, it can never be mined: A coin that it spends was reorganised away for good/)
  await shop.mine(6, 'litecoin')
  await expect
    .poll(async () => {
      await hurry(service)
      return shop.payout(payout)
    })
    .toMatchObject({
      status: 'failed',
      waiting_reason: null,
      failure_reason: expect.stringContaining('reorganised away for good'),
    })
  expect(await shop.told()).toContain('payout.failed')
  const { available, reserved } = await shop.balance('LTC')
  expect([Number(available), reserved]).toEqual([expect.closeTo(-1 - Number(first.network_fee), 8), '0'])
  // Neither coin is selected again.
  const other = await openShop(service)
  await other.fund('3', 'LTC', 'litecoin')
  await until(other, await payOutTo(other, 'litecoin', { currency: 'LTC', amount: '2' }), 'completed')
  await expectCleanBooks(service)
})

it('when a deposit vanishes after its payout completed, the reversal is booked once and the operator is told', async () => {
  const shop = await openShop(service)
  // No other coin is as large, so the payout spends this one.
  const invoice = await shop.create({ currency: 'BTC', amount: '50' })
  const deposit = await shop.pay(invoice, '50')
  await shop.mine(2)
  const payout = await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '40' })
  await until(shop, payout, 'completed')
  const { available: before } = await shop.balance('BTC')
  const [first] = (await shop.get(invoice)).payments
  await chains().reorganise('bitcoin-test', first.confirmations, [deposit])
  await settle(service, 'bitcoin-test')
  const { available, reserved } = await shop.balance('BTC')
  expect([Number(available), reserved]).toEqual([expect.closeTo(Number(before) - 50, 8), '0'])
  expect((await shop.ledger('BTC')).filter(({ entry_type }) => entry_type === 'reversal')).toHaveLength(1)
  const spend = (await attemptsOf(service, payout))[0]?.spend_id
  await expect
    .poll(async () => {
      await shop.mine(1)
      return service.logged.some((line) => line.spend === spend && String(line.reason).includes('no output'))
    })
    .toBe(true)
  expect((await shop.payout(payout)).status).toBe('completed')
  expect(await completions(payout)).toBe(1)
  await expectCleanBooks(service)
})

it('a reorganisation that makes a completed payout pending again is logged and changes nothing', async () => {
  const shop = await openShop(service)
  await shop.fund('0.5')
  const payout = await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.02' })
  const done = await until(shop, payout, 'completed')
  const [attempt] = await attemptsOf(service, payout)
  const { mined } = (await service.app.store.spends.find(attempt?.spend_id)) ?? {}
  const depth = Number((await chains().tip('bitcoin-test')).height - (mined?.block?.height ?? 0n)) + 1
  await chains().reorganise('bitcoin-test', depth, [], { others: 'mempool' })
  await settle(service, 'bitcoin-test')
  await expect
    .poll(async () => {
      await followChain(service.app, gateOf(service, 'bitcoin'), { evenIfHeld: true })
      await recheckEnded(service.app, gateOf(service, 'bitcoin'))
      return service.logged.find(
        ({ msg, spend }) => spend === attempt?.spend_id && String(msg).includes('is pending again'),
      )
    })
    .toMatchObject({ level: 30, hash: done.tx_hash, gate: 'bitcoin-test' })
  expect(await shop.payout(payout)).toEqual(done)
  await shop.mine(2)
  expect(await completions(payout)).toBe(1)
  await expectCleanBooks(service)
})

it('on a halted gate approved payouts wait: none is planned, and signed transactions are not sent', async () => {
  const shop = await openShop(service)
  await shop.fund('20', 'SOL', 'solana')
  const gate = gateOf(service, 'solana')
  await until(shop, await payOutTo(shop, 'solana', { currency: 'SOL', amount: '1' }), 'completed')
  const later = await shop.payOut({
    currency: 'SOL',
    network: 'solana',
    amount: '1',
    destination: await newAddress('solana'),
  })
  const node = breakable(service, 'solana')
  try {
    node.always('broadcast', 'times_out_before')
    const signed = await payOutTo(shop, 'solana', { currency: 'SOL', amount: '1' })
    await untilAsked(service, node, 'broadcast', 1)
    const fork = (await chains().tip(gate.id)).height - 25n
    await chains().reorganise(gate.id, 25, [])
    await expect.poll(() => followChain(service.app, gate, { evenIfHeld: true })).toBe('halted')
    // Broadcasts that were under way when the gate was halted have ended.
    await hurry(service)
    await expect.poll(openAndDue).toBe(0)
    node.always('broadcast', null)
    expect((await shop.approve(later)).status).toBe(200)
    const sent = node.calls.broadcast
    for (let look = 0; look < 3; look++) {
      await hurry(service)
      await lookAtSpends(service.app)
      await expect.poll(openAndDue).toBe(0)
      expect(await planPayouts(service.app, gate)).toBe(0)
    }
    expect(node.calls.broadcast).toBe(sent)
    expect(await arrivals(service, 'solana', signed.destination)).toEqual([])
    for (const [waits, status] of [
      [later, 'approved'],
      [signed, 'processing'],
    ] as const)
      await expect
        .poll(() => shop.payout(waits))
        .toMatchObject({ status, waiting_reason: expect.stringMatching(/^Solana is halted/) })
    // A payout whose reason was lost gets one again.
    const forget = () =>
      query(service.database.url, 'update payouts set waiting_reason = null where id = $1', [signed.id])
    await expect
      .poll(async () => {
        await forget()
        return service.app.store.waiting.unexplained(0, 100)
      })
      .toMatchObject([{ payoutId: signed.id }])
    await expect
      .poll(async () => {
        await forget()
        await explainWaiting(service.app, { afterMs: 0 })
        return (await shop.payout(signed)).waiting_reason
      })
      .toContain('the network has not accepted it yet')

    await resumeChain(service.app, gate, fork)
    await settle(service, gate.id)
    expect(await until(shop, signed, 'completed')).toMatchObject({ waiting_reason: null })
    await until(shop, later, 'completed')
  } finally {
    node.mend()
  }
  await expectCleanBooks(service)
})

async function openAndDue(): Promise<number> {
  const [row] = await query(
    service.database.url,
    `select count(*)::int as n from spends where status = 'open' and look_at <= clock_timestamp()`,
  )
  return row?.n
}
