import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { moveToCold } from '../../../src/app/spends/cold/move-to-cold.ts'
import { recheckEnded } from '../../../src/app/spends/settling/recheck-ended.ts'
import type { ColdPolicy } from '../../../src/domain/cold-wallets.ts'
import { uuidv7 } from '../../../src/domain/ids.ts'
import { platform } from '../../../src/domain/ledger.ts'
import { formatDecimal } from '../../../src/domain/money.ts'
import {
  coldAccount,
  coldAttempts,
  platformBalance,
  untilColdSent,
  untilEnded,
} from '../../support/shop/cold.ts'
import {
  arrivals,
  expectCleanBooks,
  gateOf,
  newAddress,
  payOutTo,
  until,
  untilSettled,
} from '../../support/shop/money-out.ts'
import { networkOf } from '../../support/shop/registry.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

const gateId = 'ethereum-test'
const cold = { network: 'ethereum', environment: 'test', destination: coldAccount, currency: 'USD' }

// The sandbox funds hot wallets with 100 ETH of gas, which counts as the operator’s float.
let service: TestService
let shop: Shop
let policy: ColdPolicy
// One service for all tests: what one leaves in the hot wallet, the next one moves.
beforeAll(async () => {
  const payouts = { ...quiet.config.payouts, cancel_refused_after_seconds: 0, float_sweeps: 5 }
  service = await startTestService({
    ...quiet,
    networks: [networkOf('ethereum')],
    config: { ...quiet.config, payouts, cold: [{ ...cold, cap: '2000000.00', keep: '1000.00' }] },
  })
  shop = await openShop(service)
  policy = service.app.spending.cold.get(gateId) as ColdPolicy
})
beforeEach(() => void policies().set(gateId, policy))
afterEach(() => untilSettled(service, 'ethereum'))
afterAll(async () => {
  try {
    await expectCleanBooks(service)
  } finally {
    await service.stop()
  }
})

const policies = () => service.app.spending.cold as Map<string, ColdPolicy>
const allow = (capValue: bigint, keepValue = 0n) => policies().set(gateId, { ...policy, capValue, keepValue })
const move = (given: Partial<ColdPolicy> = {}) =>
  moveToCold(service.app, gateOf(service, 'ethereum'), { ...policy, ...given })
const held = (kind: string, currency: string) => platformBalance(service, kind, 'ethereum', currency)
const free = (currency: string) =>
  service.app.store.holdings.freeHot(gateId).then((units) => units.get(currency) ?? 0n)

/** Puts funds into the hot wallet: payouts of a little more than is there sweep everything. */
async function fillHot(currency: string, amount: string, paid: string): Promise<void> {
  await shop.fund(amount, currency, 'ethereum')
  await until(shop, await payOutTo(shop, 'ethereum', { currency, amount: paid }), 'completed')
  await untilSettled(service, 'ethereum')
}

/** Makes sure that the hot wallet has thousands in tokens. */
async function fillHotTokens(): Promise<void> {
  const has = await free('USDT')
  if (has < 10_000_000_000n) await fillHot('USDT', '50000', formatDecimal(has + 10_000_000n, 6))
}

it('tokens and native currency go to the cold wallet, the largest excess first, and the operator’s float stays', async () => {
  // More than the sandbox’s gas money, so that the deposit is swept.
  await fillHot('ETH', '210', '105')
  await fillHot('USDT', '900000', '10')
  const float = await held('float', 'ETH')
  expect(await move()).toBe('nothing')
  const owed = [await shop.balance('USDT'), await shop.balance('ETH')]

  allow(1_000_00n)
  const first = await untilColdSent(service, gateId)
  expect(first.plan).toMatchObject({ currency: 'USDT', to: { address: coldAccount } })
  await untilEnded(shop, 'ethereum', first.id, 'final')
  expect(await free('USDT')).toBe(0n)
  const second = await untilColdSent(service, gateId)
  expect(second.plan.currency).toBe('ETH')
  await untilEnded(shop, 'ethereum', second.id, 'final')
  policies().clear()

  const arrived = await arrivals(service, 'ethereum', coldAccount)
  expect(arrived.map(({ currency }) => currency).sort()).toEqual(['ETH', 'USDT'])
  for (const { currency, units } of arrived) expect(await held('cold', currency)).toBe(-units)
  // The float paid the gas of both moves, and nothing else of it has left.
  const took = (await feeOf(first.id)) + (await feeOf(second.id))
  expect(float - (await held('float', 'ETH'))).toBe(took)
  expect(await free('ETH')).toBeGreaterThanOrEqual(await held('float', 'ETH'))
  expect([await shop.balance('USDT'), await shop.balance('ETH')]).toEqual(owed)
})

async function feeOf(id: string): Promise<bigint> {
  return (await service.app.store.spends.find(id))?.feeUnits ?? 0n
}

it('what waiting payouts need stays in the hot wallet, and nothing moves while one is due', async () => {
  await fillHotTokens()
  const destination = await newAddress('ethereum')
  const waiting = await shop.payOut({ network: 'ethereum', currency: 'USDT', amount: '40000', destination })
  allow(1_000_00n)
  const sent = await untilColdSent(service, gateId)
  await untilEnded(shop, 'ethereum', sent.id, 'final')
  policies().clear()
  expect(await free('USDT')).toBeGreaterThanOrEqual(40_000_000_000n)
  expect((await shop.approve(waiting)).status).toBe(200)
  await until(shop, waiting, 'completed')
})

it('nothing moves while the operator’s float does not cover the fee: merchants’ money pays for no move', async () => {
  await fillHotTokens()
  const [float, moved] = [await held('float', 'ETH'), await coldAttempts(service, gateId)]
  const cold = await held('cold', 'USDT')
  // Almost all of it becomes the operator's income. The hot wallet still has the coins.
  await spendFloat(float - 1_000n)
  expect(await move({ capValue: 1n })).toBe('no float')
  expect(await coldAttempts(service, gateId)).toEqual(moved)
  await spendFloat(1_000n - float)
  allow(1_000_00n)
  const sent = await untilColdSent(service, gateId)
  await untilEnded(shop, 'ethereum', sent.id, 'final')
  policies().clear()
  expect(await held('cold', 'USDT')).toBeLessThan(cold)
})

async function spendFloat(units: bigint): Promise<void> {
  const asset = { environment: 'test', network: 'ethereum', currency: 'ETH', decimals: 18 } as const
  const postings = [
    { account: platform(asset, 'float'), units: -units },
    { account: platform(asset, 'fees'), units },
  ]
  const id = uuidv7(new Date())
  const taken = { id, entryType: 'outside', subject: id, occurrence: 1, postings } as const
  await service.app.transaction((tx) =>
    tx.ledger.post([{ ...taken, reference: null, description: null }], () => 18),
  )
}

it('without a rate for something in the hot wallet its value is unknown, and nothing moves', async () => {
  await fillHotTokens()
  const moved = await coldAttempts(service, gateId)
  const { rates } = service.app
  const { find } = rates
  Object.assign(rates, { find: (code: string, fiat: string) => (code === 'USDT' ? null : find(code, fiat)) })
  try {
    expect(await move({ capValue: 1n })).toEqual({ noRate: 'USDT' })
    expect(await coldAttempts(service, gateId)).toEqual(moved)
  } finally {
    Object.assign(rates, { find })
  }
})

it('a move that a reorganisation puts into another block is booked once', async () => {
  await fillHotTokens()
  const before = await held('cold', 'USDT')
  allow(1_000_00n)
  const sent = await untilColdSent(service, gateId)
  await untilEnded(shop, 'ethereum', sent.id, 'final')
  policies().clear()
  const [cold, chains] = [await held('cold', 'USDT'), service.app.store.simulatedChains]
  const { mined } = (await service.app.store.spends.find(sent.id)) ?? {}
  const depth = Number((await chains.tip(gateId)).height - (mined?.block?.height ?? 0n)) + 1
  await chains.reorganise(gateId, depth, [], { others: 'mempool' })
  await settle(service, gateId)
  await expect
    .poll(async () => {
      await shop.mine(1, 'ethereum')
      await recheckEnded(service.app, gateOf(service, 'ethereum'))
      return (await service.app.store.endedSpends.displaced(gateId)).length
    })
    .toBe(0)
  expect(await held('cold', 'USDT')).toBe(cold)
  expect(before - cold).toBeGreaterThan(10n ** 10n)
})

// Last: for an hour after a refusal nothing else is moved.
it('a transfer that the signer refuses is cancelled, and payouts behind its nonce continue', async () => {
  await fillHotTokens()
  const before = await held('cold', 'USDT')
  const wallet = { ...policy.wallet, addressAt: () => '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }
  expect(await move({ wallet, capValue: 1n })).toBe('moved')
  await expect
    .poll(async () => (await coldAttempts(service, gateId)).map(({ refusal }) => refusal).join())
    .toContain('does not pay the cold wallet')
  await until(shop, await payOutTo(shop, 'ethereum', { currency: 'USDT', amount: '1' }), 'completed')
  await untilSettled(service, 'ethereum')
  expect((await coldAttempts(service, gateId)).at(-1)?.status).toBe('reverted')
  expect(await held('cold', 'USDT')).toBe(before)
})
