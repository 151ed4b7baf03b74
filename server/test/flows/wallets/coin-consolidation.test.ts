import { Transaction } from '@scure/btc-signer'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { consolidateCoins } from '../../../src/app/spends/planning/consolidate-coins.ts'
import { listCoins } from '../../../src/app/spends/planning/list-coins.ts'
import { recheckEnded } from '../../../src/app/spends/settling/recheck-ended.ts'
import type { ConsolidationPolicy } from '../../../src/domain/coin-consolidation.ts'
import { planFromJson } from '../../../src/domain/plan-json.ts'
import { usesOf } from '../../../src/domain/uses.ts'
import { consolidationAttempts, floatOn, untilConsolidationSent } from '../../support/nodes/consolidation.ts'
import { setHalt } from '../../support/shop/halt.ts'
import {
  breakable,
  expectCleanBooks,
  gateOf,
  hurry,
  newAddress,
  payOutTo,
  until,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

const gateId = 'bitcoin-test'
const policy: ConsolidationPolicy = { belowRate: 5n, coins: 5, maxInputs: 100 }

let service: TestService
let shop: Shop
beforeAll(async () => {
  const config = { ...quiet.config, payouts: { raise_fee_after_seconds: 1 } }
  service = await startTestService({ ...quiet, config })
  shop = await openShop(service)
  await receive('0.01', '0.02')
})
beforeEach(() => receive('0.001', '0.001', '0.002', '0.002', '0.003', '0.003'))
afterEach(() => expectCleanBooks(service))
afterAll(() => service.stop())

async function receive(...amounts: readonly string[]): Promise<void> {
  for (const amount of amounts) await shop.pay(await shop.create({ currency: 'BTC', amount }), amount)
  await shop.mine(2)
}

const consolidate = (wanted: Partial<ConsolidationPolicy> = {}) =>
  consolidateCoins(service.app, gateOf(service, 'bitcoin'), { ...policy, ...wanted })
const chains = () => service.app.store.simulatedChains
const statusOf = async (id: string) => (await service.app.store.spends.find(id))?.status
const spendable = async () =>
  (await listCoins(service.app, gateId)).coins
    .filter(({ state }) => state === 'spendable')
    .map(({ amount }) => Number(amount))
const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

async function untilEnded(id: string, status: string): Promise<void> {
  await expect
    .poll(async () => {
      await shop.mine(1)
      await hurry(service)
      return statusOf(id)
    })
    .toBe(status)
}

it('the smallest coins become one in a replaceable transaction, and the operator’s float pays its fee', async () => {
  const before = await shop.balance('BTC')
  expect(await consolidate()).toBe(true)
  const sent = await untilConsolidationSent(service, gateId)
  expect(sent.plan.inputs).toHaveLength(6)
  expect(sent.plan.outputs).toHaveLength(1)
  const raw = Transaction.fromRaw(Buffer.from(sent.bytes, 'hex'))
  for (let at = 0; at < raw.inputsLength; at++) expect(raw.getInput(at).sequence).toBeLessThan(0xfffffffe)
  expect((await listCoins(service.app, gateId)).totals).toMatchObject({ pinned: '0.012', spendable: '0.03' })
  // Only one consolidation runs at a time.
  expect(await consolidate({ coins: 1 })).toBe(false)

  await shop.mine(1)
  await hurry(service)
  expect(await statusOf(sent.id)).toBe('open')
  await untilEnded(sent.id, 'final')
  expect(await spendable()).toEqual([0.02, (1_200_000 - Number(sent.fee)) / 1e8, 0.01])
  expect(await floatOn(service, 'bitcoin')).toBe(-BigInt(sent.fee))
  expect(await shop.balance('BTC')).toEqual(before)
  expect(await consolidate()).toBe(false)
  // The consolidated coin is spent like any other.
  await until(shop, await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.035' }), 'completed')
})

it('coins are not consolidated when fees are high, coins are few, the gate is halted or the network has no coins', async () => {
  const before = await consolidationAttempts(service, gateId)
  expect(await consolidate({ belowRate: 4n })).toBe(false)
  expect(await consolidate({ coins: (await spendable()).length })).toBe(false)
  expect(
    await consolidateCoins(service.app, gateOf(service, 'ethereum'), { ...policy, belowRate: 10n ** 18n }),
  ).toBe(false)
  await setHalt(service, gateId, 'Why not.')
  expect(await consolidate()).toBe(false)
  await service.app.store.followedChains.endHalt(gateId)
  await expect.poll(() => service.app.gates.isOnline(gateId)).toBe(true)
  expect(await consolidationAttempts(service, gateId)).toHaveLength(before.length)
})

it('a payout pending approval keeps the coins it needs out of a consolidation', async () => {
  const destination = await newAddress('bitcoin')
  // All but the five smallest coins, minus the network fee.
  const amount = (total((await spendable()).slice(0, -5)) - 0.0005).toFixed(7)
  const waiting = await shop.payOut({ currency: 'BTC', amount, destination })
  expect(await consolidate()).toBe(true)
  const sent = await untilConsolidationSent(service, gateId)
  expect(sent.plan.inputs).toHaveLength(5)
  expect((await shop.approve(waiting)).status).toBe(200)
  await expect.poll(async () => (await shop.payout(waiting)).status).toBe('processing')
  await until(shop, waiting, 'completed')
  await untilEnded(sent.id, 'final')
})

it('no coins are consolidated while a payout is due', async () => {
  const other = await openShop(service)
  await other.fund('0.001')
  const destination = await newAddress('bitcoin')
  const probe = await other.payOut({ currency: 'BTC', amount: '0.0005', destination })
  expect((await other.cancelPayout(probe)).status).toBe(200)
  // Everything this merchant has; then the network's fee rate rises.
  const amount = (0.001 - Number(probe.network_fee)).toFixed(8).replace(/0+$/, '')
  const payout = await other.payOut({ currency: 'BTC', amount, destination })
  const gate = gateOf(service, 'bitcoin')
  const { feeRate } = gate
  try {
    Object.assign(gate, { feeRate: async () => 25n })
    expect((await other.approve(payout)).status).toBe(200)
    await expect
      .poll(async () => (await other.payout(payout)).waiting_reason)
      .toContain('asks for a higher fee than was reserved')
    expect(await consolidate({ belowRate: 25n })).toBe(false)
    expect((await other.cancelPayout(payout)).status).toBe(200)
    // A planner that was about to plan the payout may still hold the lock.
    await expect.poll(() => consolidate({ belowRate: 25n })).toBe(true)
    await untilEnded((await untilConsolidationSent(service, gateId)).id, 'final')
  } finally {
    Object.assign(gate, { feeRate })
  }
})

// Every day other fates than moves to the cold wallet have (`cold-coins.test.ts`); in `npm run soak` each.
const fates = ['mempool', 'next_height', 'forgotten'] as const
const isEveryFate = process.env.SLUICE_EVERY_REORGANISATION !== undefined

it.each(isEveryFate ? fates : fates.slice(1))(
  'a consolidation is mined again after a reorganisation (%s) and booked once',
  async (others) => {
    const before = await floatOn(service, 'bitcoin')
    expect(await consolidate()).toBe(true)
    const sent = await untilConsolidationSent(service, gateId)
    const drop = others === 'forgotten' ? [sent.hash] : []
    const again = async (depth: number) => {
      await chains().reorganise(gateId, depth, drop, others === 'forgotten' ? {} : { others })
      await settle(service, gateId)
      await recheckEnded(service.app, gateOf(service, 'bitcoin'))
    }
    await shop.mine(1)
    await again(1)
    await untilEnded(sent.id, 'final')
    const { mined } = (await service.app.store.spends.find(sent.id)) ?? {}
    await again(Number((await chains().tip(gateId)).height - (mined?.block?.height ?? 0n)) + 1)
    await expect
      .poll(async () => {
        await shop.mine(1)
        await recheckEnded(service.app, gateOf(service, 'bitcoin'))
        return (await service.app.store.endedSpends.displaced(gateId)).length
      })
      .toBe(0)
    expect(await statusOf(sent.id)).toBe('final')
    expect(before - (await floatOn(service, 'bitcoin'))).toBe(BigInt(sent.fee))
  },
)

it('a consolidation that another transaction ruled out is dead: its coins are free and no fee is booked', async () => {
  const before = [await spendable(), await floatOn(service, 'bitcoin')]
  expect(await consolidate()).toBe(true)
  const sent = await untilConsolidationSent(service, gateId)
  await chains().ruleOut(gateId, sent.hash, usesOf(planFromJson(JSON.stringify(sent.plan))))
  await untilEnded(sent.id, 'dead')
  expect([await spendable(), await floatOn(service, 'bitcoin')]).toEqual(before)
})

it('a waiting consolidation keeps its fee until a payout is due that may need its coins', async () => {
  const float = await floatOn(service, 'bitcoin')
  expect(await consolidate()).toBe(true)
  const first = await untilConsolidationSent(service, gateId)
  const gate = gateOf(service, 'bitcoin')
  const { feeRate } = gate
  Object.assign(gate, { feeRate: async () => 25n })
  try {
    const node = breakable(service, 'bitcoin')
    await expect
      .poll(async () => {
        await hurry(service)
        return node.calls.fate
      })
      .toBeGreaterThan(12)
    node.mend()
    Object.assign(gate, { feeRate: async () => 25n })
    expect((await untilConsolidationSent(service, gateId)).hash).toBe(first.hash)
    // More than the other coins can pay.
    const amount = (total(await spendable()) + 0.0005).toFixed(7)
    const payout = await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount })
    const second = await untilConsolidationSent(service, gateId, 2)
    expect(second.plan.inputs).toEqual(first.plan.inputs)
    expect(BigInt(second.fee)).toBe(BigInt(first.fee) * 5n)
    expect(await shop.payout(payout)).toMatchObject({ status: 'approved' })
    await untilEnded(first.id, 'final')
    expect(float - (await floatOn(service, 'bitcoin'))).toBe(BigInt(second.fee))
    await until(shop, payout, 'completed')
  } finally {
    Object.assign(gate, { feeRate })
  }
})
