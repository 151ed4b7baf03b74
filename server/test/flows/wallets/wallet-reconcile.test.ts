import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Payout } from '../../../src/domain/payouts.ts'
import type { CoinPlan } from '../../../src/domain/spends.ts'
import { reconcile } from '../../../src/signer/reconcile.ts'
import { query } from '../../support/database/database.ts'
import { makeTemporaryFolder } from '../../support/processes/temporary-folder.ts'
import { openRestorableDesk, type RestorableDesk } from '../../support/signer/restorable-desk.ts'
import { type Desk, elsewhere, openDesk } from '../../support/signer/signer-desk.ts'

let desk: Desk
let restorable: RestorableDesk
beforeEach(async () => {
  restorable = await openRestorableDesk((opened) => {
    desk = opened
  })
})
afterEach(() => restorable.close())

const findings = () => reconcile(desk.app, desk.journal())
const pinnedBy = async ({ inputs }: CoinPlan) =>
  (
    await query<{ pinned_by: string | null }>(desk.url, 'select pinned_by from payments where tx_hash = $1', [
      inputs[0]?.txHash,
    ])
  )[0]?.pinned_by

/** A payout that was signed after the backup, so that the restored database has forgotten the signature. */
async function forgotten(): Promise<{ payout: Payout; plan: CoinPlan; spendId: string; hash: string }> {
  const payout = await desk.payout()
  const coin = await desk.coin()
  const restore = await restorable.backUp()
  const plan = desk.coinPlan([coin], [payout], 1_000n, 4)
  const spendId = await desk.plan(plan, [payout])
  expect(await desk.sign()).toBe(1)
  const { hash } = await desk.outcome(spendId)
  await restore()
  expect(await desk.find(payout.id)).toMatchObject({ status: 'approved', spendId: null })
  return { payout, plan, spendId, hash: hash ?? '' }
}

it('a forgotten payout is in progress again with the same spend, coins and bytes', async () => {
  const { payout, plan, spendId, hash } = await forgotten()
  expect(await findings()).toEqual([
    {
      hash,
      gateId: 'bitcoin-test',
      kind: 'payout',
      payoutIds: [payout.id],
      outcome: 'restored',
      reason: null,
    },
  ])
  expect(await desk.find(payout.id)).toMatchObject({ status: 'processing', spendId, txHash: hash })
  expect((await desk.outcome(spendId)).hash).toBe(hash)
  expect(await pinnedBy(plan)).toBe(spendId)
  expect(await desk.app.store.holdings.takeCount('bitcoin-test', 'change')).toBe(5n)
  expect(await findings()).toEqual([])
  const { spendId: next } = await desk.ordinary()
  expect(await desk.sign()).toBe(1)
  expect((await desk.outcome(next)).hash).not.toBeNull()
})

it('until then nothing is signed on that network, the payouts say why, and other networks continue', async () => {
  const { payout, hash } = await forgotten()
  const again = await desk.plan(desk.coinPlan([await desk.coin()], [payout]), [payout])
  const innocent = await desk.ordinary()
  const token = await desk.payout({ network: 'ethereum', currency: 'USDT', destination: elsewhere.ethereum })
  const other = await desk.plan(desk.transferPlan(token, 0n), [token], { gateId: 'ethereum-test' })
  expect(await desk.sign()).toBe(1)
  expect((await desk.outcome(other)).hash).not.toBeNull()
  for (const spendId of [again, innocent.spendId])
    expect((await desk.outcome(spendId)).refusal).toMatch(`The journal has transaction ${hash}`)
  expect((await desk.find(payout.id)).waitingReason).toMatch('wallet reconcile')
  expect(desk.alerts).toHaveLength(2)
  await desk.sign()
  expect(desk.alerts).toHaveLength(2)
})

it('a payout that was planned again takes over its old transaction, and the new plan is never signed', async () => {
  const { payout, plan, hash } = await forgotten()
  const newPlan = desk.coinPlan([await desk.coin()], [payout])
  const again = await desk.plan(newPlan, [payout])
  await desk.sign()
  expect(await findings()).toMatchObject([{ hash, outcome: 'restored' }])
  expect(await desk.find(payout.id)).toMatchObject({ status: 'processing', spendId: again, txHash: hash })
  expect(await pinnedBy(plan)).toBe(again)
  expect(await pinnedBy(newPlan)).toBeNull()
  expect((await desk.outcome(again, 2)).hash).toBe(hash)
  expect(await desk.sign()).toBe(0)
  expect(await desk.outcome(again)).toMatchObject({
    hash: null,
    refusal: expect.stringContaining('a second time'),
  })
  const { spendId } = await desk.ordinary()
  expect(await desk.sign()).toBe(1)
  expect((await desk.outcome(spendId)).hash).not.toBeNull()
})

describe('a consolidation', () => {
  const consolidating = { kind: 'consolidation' as never }

  it('that was forgotten is restored with its spend and bytes', async () => {
    const coins = [await desk.coin(), await desk.coin()]
    const restore = await restorable.backUp()
    const plan = desk.coinPlan(coins, [], 1_000n, 4)
    const spendId = await desk.plan(plan, [], consolidating)
    expect(await desk.sign()).toBe(1)
    const { hash } = await desk.outcome(spendId)
    await restore()
    expect(await findings()).toMatchObject([
      { hash, kind: 'consolidation', payoutIds: [], outcome: 'restored' },
    ])
    expect(await desk.app.store.spends.find(spendId)).toMatchObject({ kind: 'consolidation', status: 'open' })
    expect((await desk.outcome(spendId)).hash).toBe(hash)
    expect(await pinnedBy(plan)).toBe(spendId)
    expect(await desk.app.store.holdings.takeCount('bitcoin-test', 'change')).toBe(5n)
  })

  it('that was only planned gives way to a payout that has used its coins', async () => {
    const { payout, plan, hash } = await forgotten()
    const more = await desk.coin()
    const consolidation = desk.coinPlan([more, ...plan.inputs], [], 1_000n, 9)
    const spendId = await desk.plan(consolidation, [], consolidating)
    expect(await desk.sign()).toBe(0)
    expect(await findings()).toMatchObject([{ hash, outcome: 'restored' }])
    expect(await desk.find(payout.id)).toMatchObject({ status: 'processing', txHash: hash })
    expect(await desk.app.store.spends.find(spendId)).toMatchObject({ status: 'dead' })
    expect(await pinnedBy(consolidation)).toBeNull()
    expect(await desk.sign()).toBe(0)
  })
})

it('a payout that is pending approval again is restored once it is approved', async () => {
  const payout = await desk.payout({ approvers: [] })
  const coin = await desk.coin()
  await desk.forge('payouts', `update payouts set status = 'pending_approval' where id = $1`, [payout.id])
  const restore = await restorable.backUp()
  await desk.forge('payouts', `update payouts set status = 'approved' where id = $1`, [payout.id])
  await desk.approve(payout, 'user:one')
  await desk.plan(desk.coinPlan([coin], [payout]), [payout])
  expect(await desk.sign()).toBe(1)
  await restore()
  expect(await findings()).toMatchObject([
    { outcome: 'unresolved', reason: expect.stringContaining('approval') },
  ])
  await desk.forge('payouts', `update payouts set status = 'approved' where id = $1`, [payout.id])
  expect(await findings()).toMatchObject([{ outcome: 'restored' }])
})

it('a transaction whose payout is lost blocks signing until the operator accepts it, and is then booked to the float', async () => {
  const coin = await desk.coin()
  const restore = await restorable.backUp()
  const payout = await desk.payout()
  const lostSpend = await desk.plan(desk.coinPlan([coin], [payout]), [payout])
  expect(await desk.sign()).toBe(1)
  await restore()
  const [found] = await findings()
  expect(found).toMatchObject({
    outcome: 'unresolved',
    reason: expect.stringContaining('created after the backup'),
  })
  const { spendId } = await desk.ordinary()
  expect(await desk.sign()).toBe(0)
  await desk.journal().accept(found?.hash ?? '', new Date())
  await desk.reopenJournal()
  expect(await findings()).toMatchObject([{ hash: found?.hash, outcome: 'lost', payoutIds: [payout.id] }])
  expect(await desk.app.store.spendRestore.lostOf(lostSpend)).toEqual({
    currency: 'BTC',
    units: payout.amountUnits,
    count: 1,
  })
  expect(await findings()).toEqual([])
  expect(await desk.sign()).toBe(1)
  expect((await desk.outcome(spendId)).hash).not.toBeNull()
})

it('a payout whose coins another spend has claimed is left as it was', async () => {
  const { payout, plan, hash } = await forgotten()
  const greedy = await desk.payout()
  await desk.plan(desk.coinPlan(plan.inputs, [greedy]), [greedy])
  expect(await findings()).toMatchObject([
    { hash, outcome: 'unresolved', reason: expect.stringContaining('another spend') },
  ])
  expect(await desk.find(payout.id)).toMatchObject({ status: 'approved', spendId: null })
})

it('a forgotten later attempt is restored beside the first', async () => {
  const payout = await desk.payout()
  const coin = await desk.coin()
  const spendId = await desk.plan(desk.coinPlan([coin], [payout]), [payout])
  await desk.sign()
  const restore = await restorable.backUp()
  await desk.app.store.spends.addAttempt(spendId, 2, desk.coinPlan([coin], [payout], 2_000n))
  expect(await desk.sign()).toBe(1)
  const { hash } = await desk.outcome(spendId, 2)
  await restore()
  expect(await findings()).toMatchObject([{ hash, outcome: 'restored' }])
  expect((await desk.outcome(spendId, 2)).hash).toBe(hash)
})

describe('on a network with accounts', () => {
  const token = { network: 'ethereum', currency: 'USDT', destination: elsewhere.ethereum, amountUnits: 500n }
  const hold = () =>
    query(
      desk.url,
      `insert into hot_balances (gate_id, currency, units) values ('ethereum-test', 'USDT', 800), ('ethereum-test', 'ETH', $1)`,
      [(10n ** 18n).toString()],
    )
  const held = async () =>
    (await query<{ units: string }>(desk.url, `select units from hot_balances where currency = 'USDT'`))[0]
      ?.units

  it('a transfer is restored with its nonce and its claim on the hot wallet', async () => {
    await hold()
    const payout = await desk.payout(token)
    const restore = await restorable.backUp()
    const spendId = await desk.plan(desk.transferPlan(payout, 7n), [payout], { gateId: 'ethereum-test' })
    expect(await desk.sign()).toBe(1)
    const plan = desk.transferPlan(payout, 7n)
    await restore()
    expect(await findings()).toMatchObject([{ outcome: 'restored' }])
    expect(await held()).toBe('300')
    expect(await desk.app.store.holdings.takeCount('ethereum-test', plan.from.address)).toBe(8n)
    expect(await desk.find(payout.id)).toMatchObject({ status: 'processing', spendId })
  })

  it('a payout planned again with another nonce takes over the old transfer', async () => {
    await hold()
    const payout = await desk.payout(token)
    const restore = await restorable.backUp()
    await desk.plan(desk.transferPlan(payout, 7n), [payout], { gateId: 'ethereum-test' })
    await desk.sign()
    await restore()
    const again = await desk.plan(desk.transferPlan(payout, 3n), [payout], { gateId: 'ethereum-test' })
    await query(desk.url, `update hot_balances set units = units - 500 where currency = 'USDT'`)
    expect(await findings()).toMatchObject([{ outcome: 'restored' }])
    expect(await query(desk.url, 'select nonce from spends where id = $1', [again])).toEqual([{ nonce: '7' }])
    expect(await held()).toBe('300')
  })

  it('a transfer stays unresolved while the hot wallet has too little', async () => {
    const payout = await desk.payout(token)
    const restore = await restorable.backUp()
    await desk.plan(desk.transferPlan(payout, 7n), [payout], { gateId: 'ethereum-test' })
    await desk.sign()
    await restore()
    expect(await findings()).toMatchObject([
      { outcome: 'unresolved', reason: expect.stringContaining('does not have enough funds') },
    ])
    await hold()
    expect(await findings()).toMatchObject([{ outcome: 'restored' }])
  })
})

it('a signature that only the database has is added to the journal, and is never made a second time', async () => {
  const { payout, spendId } = await desk.ordinary()
  await desk.sign()
  const { hash } = await desk.outcome(spendId)
  const fresh = await makeTemporaryFolder()
  const other = await openDesk({ database: desk.test, folder: fresh })
  try {
    expect(await reconcile(other.app, other.journal())).toMatchObject([{ hash, outcome: 'journaled' }])
    expect((await other.reopenJournal()).ofPayout(payout.id)).toMatchObject([{ hash, spendId, attempt: 1 }])
    await desk.app.store.spends.addAttempt(spendId, 2, desk.coinPlan([await desk.coin()], [payout]))
    expect(await other.sign()).toBe(0)
  } finally {
    await other.close()
    await fresh.remove()
  }
})
