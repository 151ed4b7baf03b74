import { afterEach, beforeEach, expect, it } from 'vitest'
import { moveToCold } from '../../../src/app/spends/cold/move-to-cold.ts'
import { giveUpMove } from '../../../src/app/spends/settling/give-up-move.ts'
import { recheckEnded } from '../../../src/app/spends/settling/recheck-ended.ts'
import type { ColdPolicy } from '../../../src/domain/cold-wallets.ts'
import { planFromJson } from '../../../src/domain/plan-json.ts'
import { usesOf } from '../../../src/domain/uses.ts'
import { query } from '../../support/database/database.ts'
import {
  coldAddressAt,
  coldAttempts,
  coldKeyOn,
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

const gateId = 'bitcoin-test'
// The sandbox's rate is 60,000 USD: the cap is 0.01 BTC, and a move leaves 0.005.
const cold = {
  network: 'bitcoin',
  environment: 'test',
  destination: coldKeyOn('test'),
  cap: '600.00',
  keep: '300.00',
  currency: 'USD',
}

let service: TestService
let shop: Shop
beforeEach(async () => {
  const payouts = { ...quiet.config.payouts, cancel_refused_after_seconds: 0 }
  service = await startTestService({
    ...quiet,
    networks: [networkOf('bitcoin')],
    config: { ...quiet.config, payouts, cold: [cold] },
  })
  shop = await openShop(service)
  policy = service.app.spending.cold.get(gateId) as ColdPolicy
})
afterEach(async () => {
  await untilSettled(service, 'bitcoin')
  await expectCleanBooks(service)
  await service.stop()
})

let policy: ColdPolicy
const move = (given: Partial<ColdPolicy> = {}) =>
  moveToCold(service.app, gateOf(service, 'bitcoin'), { ...policy, ...given })
const chains = () => service.app.store.simulatedChains
const held = (kind: string) => platformBalance(service, kind, 'bitcoin', 'BTC')

async function receive(...amounts: readonly string[]): Promise<void> {
  for (const amount of amounts) await shop.pay(await shop.create({ currency: 'BTC', amount }), amount)
  await shop.mine(2)
}

it('nothing moves up to the cap; what is above goes to the cold wallet, each time to the next of its addresses, and merchants are owed the same', async () => {
  await receive('0.004', '0.006')
  expect(await move()).toBe('nothing')
  expect(await coldAttempts(service, gateId)).toEqual([])

  await receive('0.002')
  const first = await untilColdSent(service, gateId)
  const before = await shop.balance('BTC')
  await untilEnded(shop, 'bitcoin', first.id, 'final')
  const arrived = await arrivals(service, 'bitcoin', coldAddressAt(0))
  expect(arrived).toMatchObject([{ units: 700_000n, hash: first.hash }])
  expect(await held('cold')).toBe(-700_000n)
  expect(await held('chain')).toBe(-1_200_000n + 700_000n + BigInt(first.fee))
  expect(await held('float')).toBe(-BigInt(first.fee))
  expect(await shop.balance('BTC')).toEqual(before)
  expect(
    await query(service.database.url, 'select address, cold_index::int, units::int from cold_coins'),
  ).toEqual([{ address: coldAddressAt(0), cold_index: 0, units: 700_000 }])

  await receive('0.006')
  const second = await untilColdSent(service, gateId)
  expect(second.id).not.toBe(first.id)
  await untilEnded(shop, 'bitcoin', second.id, 'final')
  expect(await arrivals(service, 'bitcoin', coldAddressAt(1))).toHaveLength(1)
  // What stayed is worth what the settings say, and payouts use it.
  await until(shop, await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.004' }), 'completed')
})

it('without a usable rate nothing moves, and the log says so once; a move that another transaction ruled out is dead, its coins are free, and its address is used again', async () => {
  const { rates } = service.app
  const { find } = rates
  Object.assign(rates, { find: () => null })
  try {
    await receive('0.05')
    expect(await move()).toEqual({ noRate: 'BTC' })
    await receive('0.05')
    expect(await coldAttempts(service, gateId)).toEqual([])
    const warned = () =>
      service.logged.filter(({ msg }) => `${msg}`.includes('nothing goes to the cold wallet')).length
    await expect.poll(warned).toBe(1)
    Object.assign(rates, { find: () => ({ ...find('BTC', 'USD'), stale: true }) })
    expect(await move()).toEqual({ noRate: 'BTC' })
  } finally {
    Object.assign(rates, { find })
  }
  await shop.mine(1)
  const sent = await untilColdSent(service, gateId)
  await chains().ruleOut(gateId, sent.hash, usesOf(planFromJson(JSON.stringify(sent.plan))))
  await untilEnded(shop, 'bitcoin', sent.id, 'dead')
  expect(await held('cold')).toBe(0n)
  const again = await untilColdSent(service, gateId)
  expect(again.id).not.toBe(sent.id)
  expect(again.plan.cold.index).toBe(0)
  await untilEnded(shop, 'bitcoin', again.id, 'final')
})

it('the coins that a waiting payout needs stay in the hot wallet, all of them if it needs everything', async () => {
  const other = await startPending('0.0195', '0.02')
  expect(await move()).toBe('nothing')
  expect(await coldAttempts(service, gateId)).toEqual([])

  await receive('0.0035')
  const sent = await untilColdSent(service, gateId)
  expect(sent.plan.inputs).toMatchObject([{ units: '350000' }])
  expect((await shop.approve(other)).status).toBe(200)
  await until(shop, other, 'completed')
  await untilEnded(shop, 'bitcoin', sent.id, 'final')
})

/** Funds arrive while a payout already waits for approval. */
async function startPending(amount: string, ...amounts: readonly string[]) {
  const policies = service.app.spending.cold as Map<string, ColdPolicy>
  policies.delete(gateId)
  await receive(...amounts)
  const destination = await newAddress('bitcoin')
  const payout = await shop.payOut({ currency: 'BTC', amount, destination })
  policies.set(gateId, policy)
  await shop.mine(1)
  return payout
}

// Every day another fate than consolidations have (`coin-consolidation.test.ts`); in `npm run soak` each.
const fates = ['mempool', 'next_height', 'forgotten'] as const
const isEveryFate = process.env.SLUICE_EVERY_REORGANISATION !== undefined

it.each(isEveryFate ? fates : fates.slice(0, 1))(
  'a move is mined again after a reorganisation (%s) and booked once; one that undoes it for good is reversed by new postings, and the funds are hot again',
  async (others) => {
    await receive('0.012')
    const sent = await untilColdSent(service, gateId)
    const drop = others === 'forgotten' ? [sent.hash] : []
    const again = async (depth: number) => {
      await chains().reorganise(gateId, depth, drop, others === 'forgotten' ? {} : { others })
      await settle(service, gateId)
      await recheckEnded(service.app, gateOf(service, 'bitcoin'))
    }
    await shop.mine(1)
    await again(1)
    await untilEnded(shop, 'bitcoin', sent.id, 'final')
    await again(await depthOf(sent))
    await expect
      .poll(async () => {
        await shop.mine(1)
        await recheckEnded(service.app, gateOf(service, 'bitcoin'))
        return (await service.app.store.endedSpends.displaced(gateId)).length
      })
      .toBe(0)
    expect(await held('cold')).toBe(-700_000n)
    expect(await held('float')).toBe(-BigInt(sent.fee))

    const depth = await depthOf(sent)
    ;(service.app.spending.cold as Map<string, ColdPolicy>).clear()
    await chains().reorganise(gateId, depth, [sent.hash])
    await settle(service, gateId)
    await chains().ruleOut(gateId, sent.hash, usesOf(planFromJson(JSON.stringify(sent.plan))))
    await shop.mine(3)
    await recheckEnded(service.app, gateOf(service, 'bitcoin'))
    const by = { actor: 'cli:ada', name: 'ada', ip: null, userAgent: null }
    const { reason } = await giveUpMove(service.app, sent.id, { by, deadSpendId: null })
    expect(reason).not.toBe('')
    expect(await held('cold')).toBe(0n)
    expect(await held('float')).toBe(0n)
    expect(await held('chain')).toBe(-1_200_000n)
    expect(await query(service.database.url, 'select from cold_coins')).toEqual([])
    const types = await query(
      service.database.url,
      `select entry_type from ledger_transactions where subject = $1 and entry_type like 'cold%' order by created_at`,
      [sent.id],
    )
    expect(types).toEqual([{ entry_type: 'cold' }, { entry_type: 'cold_reversal' }])
  },
)

/** How many blocks are there from the one that holds a move on. */
async function depthOf(sent: { readonly id?: string }): Promise<number> {
  const { mined } = (await service.app.store.spends.find(sent.id ?? '')) ?? {}
  return Number((await chains().tip(gateId)).height - (mined?.block?.height ?? 0n)) + 1
}

it('a move that the signer refuses is given up, and its coins are free again', async () => {
  const stranger = { ...policy.wallet, addressAt: () => 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }
  ;(service.app.spending.cold as Map<string, ColdPolicy>).clear()
  await receive('0.012')
  expect(await move({ wallet: stranger })).toBe('moved')
  await expect.poll(async () => (await coldAttempts(service, gateId)).at(-1)?.status).toBe('dead')
  expect((await coldAttempts(service, gateId)).at(-1)?.refusal).toContain('does not pay the cold wallet')
  await until(shop, await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.011' }), 'completed')
})
