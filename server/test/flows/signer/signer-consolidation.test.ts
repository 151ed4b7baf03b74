import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Coin, CoinPlan } from '../../../src/domain/spends.ts'
import { type Desk, elsewhere, openDesk } from '../../support/signer/signer-desk.ts'
import { limitsOf } from '../../support/signer/signer-limits.ts'

let desk: Desk
let coins: Coin[]
beforeEach(async () => {
  desk = await openDesk()
  coins = [await desk.coin(30_000n, 0), await desk.coin(20_000n, 1), await desk.coin(10_000n, 2)]
})
afterEach(() => desk.close())

const put = (plan: CoinPlan) => desk.plan(plan, [], { kind: 'consolidation' as never })
const consolidated = (feeUnits = 1_000n) => desk.coinPlan(coins, [], feeUnits, 7)

it('coins are consolidated at an address that the signer derives itself', async () => {
  const spendId = await put(consolidated())
  expect(await desk.sign()).toBe(1)
  expect((await desk.outcome(spendId)).hash).toMatch(/^[0-9a-f]{64}$/)
  expect(desk.journal().all()).toMatchObject([{ spendId, attempt: 1 }])
})

it.each<[string, (plan: CoinPlan) => CoinPlan, string]>([
  [
    'goes to a foreign address',
    (plan) => ({ ...plan, outputs: [{ ...plan.outputs[0], address: elsewhere.bitcoin } as never] }),
    'an address that is not',
  ],
  [
    'names another index than that of its address',
    (plan) => ({ ...plan, change: { outputIndex: 0, index: 8 } }),
    'an address that is not',
  ],
  [
    'goes back to a deposit address',
    (plan) => {
      const address = desk.wallet.addressAt('bitcoin', { chain: 'deposit', index: 7 }) ?? ''
      return { ...plan, outputs: [{ ...plan.outputs[0], address } as never] }
    },
    'an address that is not',
  ],
  [
    'pays another address as well',
    (plan) => ({
      ...plan,
      outputs: [
        { ...plan.outputs[0], units: 49_000n } as never,
        { address: elsewhere.bitcoin, units: 10_000n, payoutId: null },
      ],
    }),
    'an address that is not',
  ],
  [
    'leaves everything to the network as fee',
    (plan) => ({ ...plan, inputs: coins.slice(2), outputs: [], change: null, feeUnits: 10_000n }),
    'not a plan that the signer understands',
  ],
  ['does not add up', (plan) => ({ ...plan, feeUnits: 999n }), 'does not add up'],
  [
    'spends a coin twice',
    (plan) => ({ ...plan, inputs: [coins[0], coins[0]] as never, feeUnits: 1_000n }),
    'spends a coin twice',
  ],
  ['pays too high a fee', () => consolidated(50_000n), 'higher than the signer allows'],
])('a consolidation that %s is not signed', async (_, change, words) => {
  const spendId = await put(change(consolidated()))
  expect(await desk.sign({ limits: { ...limitsOf(), maxFees: new Map([['bitcoin', 40_000n]]) } })).toBe(0)
  expect(await desk.outcome(spendId)).toMatchObject({ hash: null, refusal: expect.stringContaining(words) })
  expect(desk.journal().all()).toEqual([])
})

it('only a consolidation’s fee counts toward the signer’s limits, not the amount it moves', async () => {
  const spendId = await put(consolidated(2_000n))
  const limits = limitsOf([
    {
      network: 'bitcoin',
      currency: 'BTC',
      per_payout: '0.00001',
      per_day: '0.00001999',
    },
  ])
  expect(await desk.sign({ limits })).toBe(0)
  expect((await desk.outcome(spendId)).refusal).toContain('0.00001999 BTC per day')
  const wider = limitsOf([{ network: 'bitcoin', currency: 'BTC', per_payout: '0.00001', per_day: '0.00002' }])
  expect(await desk.sign({ limits: wider })).toBe(1)
})
