import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { approvalHash } from '../../../src/domain/payouts.ts'
import { planToJson } from '../../../src/domain/plan-json.ts'
import type { AccountPlan, Coin, CoinPlan } from '../../../src/domain/spends.ts'
import { query } from '../../support/database/database.ts'
import { type Desk, elsewhere, openDesk } from '../../support/signer/signer-desk.ts'
import { limitsOf } from '../../support/signer/signer-limits.ts'

// The attacker has the database: every row can be changed at any moment. What the signer knows by itself must be enough.

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

const gateId = 'ethereum-test' as const
const ether = 10n ** 18n
const thief = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

const forgePlan = (spendId: string, plan: object, attempt = 1) =>
  desk.forge(
    'spend_transactions',
    'update spend_transactions set plan = $2::jsonb where spend_id = $1 and attempt = $3',
    [
      spendId,
      JSON.stringify(plan, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
      attempt,
    ],
  )

describe('attack 1: another payout under the name of one that was signed', () => {
  const limits = limitsOf([{ network: 'ethereum', currency: 'ETH', per_payout: '1', per_day: '3' }])

  async function signedPayout() {
    const payout = await desk.payout({
      network: 'ethereum',
      currency: 'ETH',
      destination: elsewhere.ethereum,
      amountUnits: 1n,
      networkFeeUnits: ether,
    })
    const plan = desk.transferPlan(payout, 0n)
    const spendId = await desk.plan(plan, [payout], { gateId })
    expect(await desk.sign({ limits })).toBe(1)
    return { payout, plan, spendId }
  }

  it.each<[what: string, amountUnits: bigint, destination: string]>([
    ['500 ETH to a thief', 500n * ether, thief],
    ['the same amount to a thief', 1n, thief],
    ['a little more to the same address', 2n, elsewhere.ethereum],
  ])('%s is refused, although the approvals match it', async (_, amountUnits, destination) => {
    const { payout, plan, spendId } = await signedPayout()
    await desk.forge('payouts', 'update payouts set amount_units = $2, destination = $3 where id = $1', [
      payout.id,
      amountUnits.toString(),
      destination,
    ])
    const forged = await desk.find(payout.id)
    await desk.forge(
      'payout_approvals',
      'update payout_approvals set approval_hash = $2 where payout_id = $1',
      [payout.id, approvalHash(forged)],
    )
    const dearer = {
      ...plan,
      units: amountUnits,
      to: { address: destination, tag: null },
      gasPrice: 2n * 10n ** 9n,
    }
    await desk.app.store.spends.addAttempt(spendId, 2, dearer)
    expect(await desk.sign({ limits })).toBe(0)
    expect((await desk.outcome(spendId, 2)).refusal).toMatch(`Payout ${payout.id} was signed before`)
    expect(desk.journal().ofPayout(payout.id)).toHaveLength(1)
  })

  it('every limit holds for every attempt, even one that adds nothing', async () => {
    const { plan, spendId } = await signedPayout()
    await desk.app.store.spends.addAttempt(spendId, 2, { ...plan, gasPrice: 10n ** 8n })
    const lower = limitsOf([{ network: 'ethereum', currency: 'ETH', per_payout: '0' }])
    expect(await desk.sign({ limits: lower })).toBe(0)
    expect((await desk.outcome(spendId, 2)).refusal).toMatch('0 ETH per payout on ethereum')
    // It waits instead of failing: an earlier attempt may still be mined.
    const [row] = await query(
      desk.url,
      'select refused_for_good_at from spend_transactions where attempt = 2',
    )
    expect(row).toEqual({ refused_for_good_at: null })
    expect(await desk.sign({ limits })).toBe(1)
  })
})

describe('attack 2: fees that no one approved', () => {
  it('a negative data fee hides no tip', async () => {
    const spendId = await desk.plan(desk.emptyPlan(), [], { kind: 'fill', gateId })
    await forgePlan(spendId, { ...desk.emptyPlan({ gasPrice: 10n ** 16n }), dataFeeUnits: -210n * ether })
    expect(await desk.sign()).toBe(0)
    expect((await desk.outcome(spendId)).refusal).toMatch('not a plan that the signer understands')
  })

  it('a data fee is accepted only on a network that charges one', async () => {
    const spendId = await desk.plan(desk.emptyPlan({ dataFeeUnits: 1n }), [], { kind: 'fill', gateId })
    expect(await desk.sign()).toBe(0)
    expect((await desk.outcome(spendId)).refusal).toMatch('no data fee')
    const onBase = await desk.plan(desk.emptyPlan({ dataFeeUnits: 1n }), [], {
      kind: 'fill',
      gateId: 'base-test',
    })
    expect(await desk.sign()).toBe(1)
    expect((await desk.outcome(onBase)).hash).not.toBeNull()
  })

  it('a spend that names itself again counts again if both transactions can be mined', async () => {
    const limits = limitsOf([{ network: 'ethereum', currency: 'ETH', per_day: '0.25' }])
    const dear = { gasLimit: 100_000n, gasPrice: 10n ** 12n }
    const spendId = await desk.plan(desk.emptyPlan(dear), [], { kind: 'fill', gateId })
    expect(await desk.sign({ limits })).toBe(1)
    for (let attempt = 2; attempt <= 5; attempt++) {
      const plan = desk.emptyPlan({ ...dear, nonce: BigInt(attempt) })
      await desk.app.store.spends.addAttempt(spendId, attempt, plan)
    }
    expect(await desk.sign({ limits })).toBe(0)
    expect((await desk.outcome(spendId, 5)).refusal).toMatch('uses other coins or another nonce')
    expect(desk.journal().ofSpend(spendId)).toHaveLength(1)
  })

  it('a spend that moves to another network with the same address and nonce is refused', async () => {
    const dear = { gasLimit: 21_000n, gasPrice: 10n ** 12n }
    const spendId = await desk.plan(desk.emptyPlan(dear), [], { kind: 'fill', gateId })
    expect(await desk.sign()).toBe(1)
    await desk.app.store.spends.addAttempt(spendId, 2, desk.emptyPlan(dear))
    await desk.forge('spends', `update spends set gate_id = 'base-test' where id = $1`, [spendId])
    expect(await desk.sign()).toBe(0)
    expect((await desk.outcome(spendId, 2)).refusal).toMatch('both could be mined')
  })

  it('fees are limited by day for each kind of spend, without any limit in the settings', async () => {
    // The ceiling is 0.2 ETH for one transaction, and twenty times that for a day.
    const dear = { gasLimit: 100_000n, gasPrice: 2n * 10n ** 12n }
    const deposit = { chain: 'deposit' as const, index: 0 }
    const own = desk.wallet.addressAt('ethereum', deposit) ?? ''
    let nowMs = Date.now()
    for (let nonce = 0n; nonce < 22n; nonce++) {
      await desk.plan(desk.emptyPlan({ ...dear, nonce }), [], { kind: 'fill', gateId })
      const sweep = desk.emptyPlan({ ...dear, nonce, from: { address: own, key: deposit }, units: 1n })
      await desk.plan(sweep, [], { kind: 'sweep', gateId })
    }
    const ownNow = () => new Date(nowMs)
    expect(await desk.sign({ ownNow })).toBe(40)
    expect(await desk.sign({ ownNow })).toBe(0)
    expect(desk.alerts.map(({ reason }) => reason)).toContain(
      "It would exceed the signer's own limit of 4 ETH per day for the fees of fills on ethereum. It is signed when the limit allows it.",
    )
    nowMs += 24 * 3_600_000 + 1
    expect(await desk.sign({ ownNow })).toBe(4)
  })

  it.each<[what: string, forged: (plan: AccountPlan) => object]>([
    ['an unknown member', (plan) => ({ ...plan, extra: 1 })],
    ['a missing member', ({ gasLimit: _, ...plan }) => plan],
    ['a number instead of text', (plan) => ({ ...plan, gasPrice: 1 })],
    [
      'a key beyond the wallet’s',
      (plan) => ({ ...plan, from: { ...plan.from, key: { chain: 'own', index: -1 } } }),
    ],
    ['another kind of plan', (plan) => ({ ...plan, kind: 'multisend' })],
    ['an amount with too many digits', (plan) => ({ ...plan, units: '9'.repeat(79) })],
    ['a text of a megabyte', (plan) => ({ ...plan, to: { address: 'x'.repeat(1_000_000), tag: null } })],
  ])('a plan with %s is refused, and blocks no other', async (_, forged) => {
    const spendId = await desk.plan(desk.emptyPlan(), [], { kind: 'fill', gateId })
    await forgePlan(spendId, forged(desk.emptyPlan()))
    const { spendId: honest } = await desk.ordinary()
    expect(await desk.sign()).toBe(1)
    expect((await desk.outcome(honest)).hash).not.toBeNull()
    const { refusal } =
      (await desk.app.store.spends.unsigned('test', 10)).find((each) => each.spendId === spendId) ?? {}
    expect(refusal).toMatch('not a plan that the signer understands')
  })

  it('a spend of an unknown network is refused, and blocks no other', async () => {
    const spendId = await desk.plan(desk.emptyPlan(), [], { kind: 'fill', gateId })
    await desk.forge(
      'followed_chains',
      `insert into followed_chains (gate_id, chain, height, hash) values ('nowhere-test', 'none', 1, 'tip')`,
    )
    await desk.forge('spends', `update spends set gate_id = 'nowhere-test' where id = $1`, [spendId])
    const { spendId: honest } = await desk.ordinary()
    expect(await desk.sign()).toBe(1)
    expect((await desk.outcome(honest)).hash).not.toBeNull()
    expect(desk.alerts).toMatchObject([{ gate: 'nowhere-test', reason: expect.stringMatching('no network') }])
  })
})

describe('attack 3: coins whose amounts the database misstates', () => {
  // The first wall, which proves amounts, is tested in signer-inputs.test.ts. This one stands behind it.
  function giving(coins: readonly Coin[]): CoinPlan {
    const total = coins.reduce((sum, { units }) => sum + units, 0n)
    const address = desk.wallet.addressAt('bitcoin', { chain: 'own', index: 0 }) ?? ''
    return {
      kind: 'coins',
      inputs: coins,
      outputs: [{ address, units: total - 1_000n, payoutId: null }],
      change: { outputIndex: 0, index: 0 },
      feeUnits: 1_000n,
    }
  }

  it('a coin keeps the amount with which it was signed, in another attempt and in another spend', async () => {
    const coin = await desk.coin(10_000_000n)
    const less = giving([{ ...coin, units: 1_000_000n }])
    const spendId = await desk.plan(giving([coin]), [], { kind: 'consolidation' })
    expect(await desk.sign()).toBe(1)
    await desk.reopenJournal()
    await desk.forge(
      'spend_transactions',
      `insert into spend_transactions (spend_id, attempt, plan, max_fee_units) values ($1, 2, $2::jsonb, 1000)`,
      [spendId, planToJson(less)],
    )
    const other = await desk.plan(less, [], { kind: 'consolidation' })
    expect(await desk.sign()).toBe(0)
    const reason = `${coin.txHash}:0 was signed before with another amount`
    expect((await desk.outcome(spendId, 2)).refusal).toMatch(reason)
    expect((await desk.outcome(other)).refusal).toMatch(reason)
  })
})

it('what is signed is read back from the bytes: a signer that builds something else hands out nothing', async () => {
  const { spendId } = await desk.ordinary()
  const { sign } = desk.wallet
  const wrong = {
    ...desk.wallet,
    sign: (network: string, plan: Parameters<typeof sign>[1]) => {
      if (plan.kind !== 'coins') throw new Error('a coin plan')
      const [paid, change] = plan.outputs
      if (paid === undefined || change === undefined) throw new Error('two outputs')
      return sign(network, {
        ...plan,
        outputs: [paid, { ...change, units: change.units - 5_000n }],
        feeUnits: plan.feeUnits + 5_000n,
      })
    },
  }
  expect(await desk.sign({}, wrong)).toBe(0)
  expect((await desk.outcome(spendId)).refusal).toMatch('does not do what was planned')
  expect(desk.journal().all()).toEqual([])
})
