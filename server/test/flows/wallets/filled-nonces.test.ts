import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { fillGaps } from '../../../src/app/spends/hot-wallet/fill-gaps.ts'
import { planAlone, planInTurn } from '../../../src/app/spends/planning/plan-alone.ts'
import { recheckEnded } from '../../../src/app/spends/settling/recheck-ended.ts'
import { hotKey } from '../../../src/domain/spends.ts'
import { hotAddressOf } from '../../../src/gates/gate.ts'
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
  signOutside,
  until,
  untilSent,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  const config = {
    ...quiet.config,
    chains: { max_reorganisation_depth: 60 },
    payouts: { raise_fee_after_seconds: 1 },
  }
  service = await startTestService({ ...quiet, config })
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

const rows = (text: string, values: readonly unknown[] = []) => query(service.database.url, text, [...values])
const fillsOn = (network: string) =>
  rows(
    `select spends.id, nonce::int as nonce, status, count(t.*)::int as attempts, count(t.bytes)::int as signed
     from spends join spend_transactions as t on t.spend_id = spends.id
     where kind = 'fill' and gate_id = $1 group by spends.id order by spends.id`,
    [`${network}-test`],
  )
const units = async (text: string, values: readonly unknown[]) =>
  BigInt((await rows(text, values))[0]?.units ?? 0)
const free = (network: string) =>
  units(`select units::text from hot_balances where gate_id = $1 and currency = 'ETH'`, [`${network}-test`])
const float = (network: string) =>
  units(
    `select balance_units::text as units from ledger_accounts
     where kind = 'float' and network = $1 and currency = 'ETH' and environment = 'test'`,
    [network],
  )
const onChain = (network: string, address: string) =>
  units(
    `select (coalesce((select sum(o.units) from simulated_outputs o join simulated_transactions t
         on t.gate_id = o.gate_id and t.hash = o.tx_hash and t.state = 'mined'
         where o.gate_id = $1 and o.address = $2 and o.currency = 'ETH'), 0)
       - coalesce((select sum(d.units) from simulated_debits d join simulated_transactions t
         on t.gate_id = d.gate_id and t.hash = d.tx_hash and t.state = 'mined'
         where d.gate_id = $1 and d.address = $2 and d.currency = 'ETH'), 0))::text as units`,
    [`${network}-test`, address],
  )

/**
 * A payout failed because the transaction that ruled it out was deep enough; then a still deeper reorganisation freed its
 * nonce again. The node accepts nothing from the service until `mend` is called.
 */
async function freedNonce(shop: Shop, network: string) {
  await shop.fund('9', 'ETH', network)
  await until(shop, await payOutTo(shop, network, { currency: 'ETH', amount: '1' }), 'completed')
  const gate = gateOf(service, network)
  const hot = hotAddressOf(gate) ?? ''
  const broadcast = gate.broadcast.bind(gate)
  const node = breakable(service, network)
  node.always('broadcast', 'refuses')
  const nonce = Number(await gate.nextNonce(hot))
  const payout = await payOutTo(shop, network, { currency: 'ETH', amount: '2' })
  await untilSent(service, payout)
  const [attempt] = await attemptsOf(service, payout)
  const to = { address: await newAddress(network), tag: null }
  const outside = await signOutside(service, network, { key: hotKey, to, units: 1n })
  expect(await broadcast(outside)).toBeNull()
  const depth = gate.network.confirmations
  await shop.mine(depth, network)
  await expect
    .poll(async () => {
      await hurry(service)
      return (await shop.payout(payout)).status
    })
    .toBe('failed')
  const bytes = Buffer.from(attempt?.bytes, 'hex')
  const reorganise = async () => {
    await service.app.store.simulatedChains.reorganise(`${network}-test`, depth, [outside.hash])
    await settle(service, `${network}-test`)
    expect(await gate.nextNonce(hot)).toBe(BigInt(nonce))
  }
  return { gate, hot, node, nonce, payout, broadcast, reorganise, old: { hash: attempt?.hash, bytes } }
}

it('a nonce freed by a deep reorganisation is filled: later payouts continue, and the failed one can never be paid', async () => {
  const shop = await openShop(service)
  const { gate, hot, node, nonce, payout, reorganise, old, broadcast } = await freedNonce(shop, 'base')
  const before = await shop.balance('ETH')
  // A payout that was planned, signed and sent before the reorganisation continues too.
  const early = await payOutTo(shop, 'base', { currency: 'ETH', amount: '0.1' })
  await untilSent(service, early)
  await reorganise()
  node.mend()
  const late = await payOutTo(shop, 'base', { currency: 'ETH', amount: '0.2' })
  for (const each of [early, late]) {
    const done = await until(shop, each, 'completed')
    expect(await arrivals(service, 'base', each.destination)).toMatchObject([{ hash: done.tx_hash }])
  }
  await shop.mine(gate.network.confirmations, 'base')
  await expect
    .poll(async () => {
      await hurry(service)
      return (await fillsOn('base')).map(({ nonce: filled, status }) => [filled, status])
    })
    .toEqual([[nonce, 'reverted']])
  expect(await broadcast(old)).toMatch(/number|nonce/i)
  expect(await arrivals(service, 'base', payout.destination)).toEqual([])
  expect(await shop.payout(payout)).toMatchObject({ status: 'failed' })
  // The merchant paid for two payouts; the operator paid for the fill.
  const charged = [early, late].map(async (each) => {
    const { amount, network_fee } = await shop.payout(each)
    return Number(amount) + Number(network_fee)
  })
  const sum = (await Promise.all(charged)).reduce((total, each) => total + each, 0)
  expect(Number((await shop.balance('ETH')).available)).toBeCloseTo(Number(before.available) - sum, 9)
  expect(await free('base')).toBe(await onChain('base', hot))
})

it('when the failed transaction is mined after all, the operator bears its cost and is told, and the books match the chain', async () => {
  const shop = await openShop(service)
  const { gate, hot, node, nonce, payout, reorganise, old, broadcast } = await freedNonce(shop, 'arbitrum')
  const before = { merchant: await shop.balance('ETH'), float: await float('arbitrum') }
  await reorganise()
  expect(await broadcast(old)).toBeNull()
  const late = await payOutTo(shop, 'arbitrum', { currency: 'ETH', amount: '0.2' })
  await expect.poll(async () => (await fillsOn('arbitrum')).map(({ signed }) => signed)).toEqual([1])
  await shop.mine(1, 'arbitrum')
  node.mend()
  await until(shop, late, 'completed')
  await shop.mine(gate.network.confirmations, 'arbitrum')
  const told = () =>
    service.logged.filter(({ msg, hash }) => hash === old.hash && String(msg).includes('MINED AFTER ALL'))
  await expect.poll(told).toMatchObject([{ level: 60, booked: true, gate: 'arbitrum-test' }])
  expect(await arrivals(service, 'arbitrum', payout.destination)).toMatchObject([{ hash: old.hash }])
  expect(await shop.payout(payout)).toMatchObject({ status: 'failed' })
  await expect
    .poll(async () => {
      await hurry(service)
      return (await fillsOn('arbitrum')).map(({ status }) => status)
    })
    .toEqual(['dead'])
  const [move] = await rows(
    `select first_nonce::int as nonce, units::text, stated_by from outside_moves where gate_id = 'arbitrum-test'`,
  )
  expect(move).toMatchObject({ nonce, stated_by: 'the service' })
  expect(BigInt(move?.units)).toBeGreaterThan(2n * 10n ** 18n)
  expect(before.float - (await float('arbitrum'))).toBe(BigInt(move?.units))
  expect(await free('arbitrum')).toBe(await onChain('arbitrum', hot))
  const { available } = await shop.balance('ETH')
  const { amount, network_fee } = await shop.payout(late)
  expect(Number(available)).toBeCloseTo(
    Number(before.merchant.available) - Number(amount) - Number(network_fee),
    9,
  )
  // It is booked and reported once, however often it is checked.
  for (let look = 0; look < 3; look++) await recheckEnded(service.app, gate)
  expect(told()).toHaveLength(1)
})

it('a nonce is filled once, however many processes look for it, and the fill’s fee is raised when it waits too long', async () => {
  const shop = await openShop(service)
  await shop.fund('9', 'ETH', 'optimism')
  await until(shop, await payOutTo(shop, 'optimism', { currency: 'ETH', amount: '1' }), 'completed')
  const gate = gateOf(service, 'optimism')
  const hot = hotAddressOf(gate) ?? ''
  const { feeRate } = gate
  const next = await service.app.store.holdings.nextCount(gate.id, hot)
  await service.app.store.holdings.raiseCount(gate.id, hot, next + 2n)
  const payout = await payOutTo(shop, 'optimism', { currency: 'ETH', amount: '1' })
  await Promise.all(Array.from({ length: 8 }, () => fillGaps(service.app)))
  await expect
    .poll(async () => (await fillsOn('optimism')).map(({ nonce }) => nonce))
    .toEqual([Number(next), Number(next + 1n)])
  const rate = await gate.feeRate()
  Object.assign(gate, { feeRate: async () => rate * 3n })
  try {
    await expect
      .poll(async () => {
        await hurry(service)
        return (await fillsOn('optimism')).map(({ signed }) => signed)
      })
      .toEqual([2, 2])
    await until(shop, payout, 'completed')
  } finally {
    Object.assign(gate, { feeRate })
  }
  await shop.mine(gate.network.confirmations, 'optimism')
  await expect
    .poll(async () => {
      await hurry(service)
      return (await fillsOn('optimism')).map(({ status }) => status)
    })
    .toEqual(['reverted', 'reverted'])
  expect(await free('optimism')).toBe(await onChain('optimism', hot))
})

it('a payout whose swept tokens vanish in a reorganisation fails and blocks no other payout', async () => {
  const [gone, there] = [await openShop(service), await openShop(service)]
  await there.fund('5', 'ETH', 'ethereum')
  await until(there, await payOutTo(there, 'ethereum', { currency: 'ETH', amount: '1' }), 'completed')
  const invoice = await gone.create({ currency: 'USDC', network: 'ethereum', amount: '100' })
  const deposit = await gone.pay(invoice, '100')
  await gone.mine(12, 'ethereum')
  const lost = await payOutTo(gone, 'ethereum', { currency: 'USDC', amount: '60' })
  await until(gone, lost, 'processing')
  await untilSent(service, lost)
  // Its nonce comes after that of the payout that can no longer be paid.
  const behind = await payOutTo(there, 'ethereum', { currency: 'ETH', amount: '1' })
  await untilSent(service, behind)
  const [{ confirmations }] = (await gone.get(invoice)).payments
  await gone.reorganise(confirmations, [deposit], 'ethereum')
  const done = await until(there, behind, 'completed')
  expect(await arrivals(service, 'ethereum', behind.destination)).toMatchObject([{ hash: done.tx_hash }])
  const failed = await until(gone, lost, 'failed')
  expect(failed.failure_reason).toContain('the funds are no longer there')
  expect(await arrivals(service, 'ethereum', lost.destination)).toEqual([])
  const { available, reserved } = await gone.balance('USDC')
  expect([available, reserved]).toEqual(['0', '0'])
  // The books no longer count those tokens to the hot wallet: other merchants' tokens are swept and arrive.
  await expect
    .poll(async () => {
      await there.mine(1, 'ethereum')
      return rows(
        `select units::text from hot_balances where gate_id = 'ethereum-test' and currency = 'USDC'`,
      )
    })
    .toEqual([{ units: '0' }])
  await there.fund('50', 'USDC', 'ethereum')
  const paid = await payOutTo(there, 'ethereum', { currency: 'USDC', amount: '40' })
  expect(await until(there, paid, 'completed')).toMatchObject({ waiting_reason: null })
})

it('planning a fill waits for its turn, while other planning is skipped until later', async () => {
  const { app } = service
  const gate = gateOf(service, 'polygon')
  const isWaiting = () =>
    rows(`select from pg_locks where locktype = 'advisory' and not granted and database =
      (select oid from pg_database where datname = current_database())`)
  const { alone, inTurn } = await app.transaction(async (tx) => {
    await tx.holdings.becomeOnlyPlanner(gate.id)
    const turn = planInTurn(app, gate, async () => 7)
    await expect.poll(isWaiting).not.toEqual([])
    return { alone: await planAlone(app, gate, async () => 7), inTurn: { turn } }
  })
  expect([alone, await inTurn.turn]).toEqual([0, 7])
})
