import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Payout } from '../../../src/domain/payouts.ts'
import { maxFeeOf, type SolanaPlan } from '../../../src/domain/spends.ts'
import { reconcile } from '../../../src/signer/reconcile.ts'
import { hashOf, payoutOf, rent, sol, stranger, sweepOf, token } from '../../signer/solana-plans.ts'
import { query } from '../../support/database/database.ts'
import { openRestorableDesk, type RestorableDesk } from '../../support/signer/restorable-desk.ts'
import type { Desk } from '../../support/signer/signer-desk.ts'

const gateId = 'solana-test'
let desk: Desk
let restorable: RestorableDesk
beforeEach(async () => {
  restorable = await openRestorableDesk((opened) => {
    desk = opened
  })
})
afterEach(() => restorable.close())

const findings = () => reconcile(desk.app, desk.journal())

/** Gives the hot wallet the same amount of each. */
async function fillHot(): Promise<void> {
  await desk.app.store.holdings.changeHot(
    gateId,
    new Map([sol, token].map(({ currency }) => [currency, float])),
  )
}
const float = 10_000_000n
const spentOf = async (currency: string) =>
  float - ((await desk.app.transaction((tx) => tx.holdings.lockHot(gateId, [currency]))).get(currency) ?? 0n)

const payout = (asset = sol) =>
  desk.payout({
    network: 'solana',
    currency: asset.currency,
    destination: stranger(1),
    amountUnits: 5n,
    networkFeeUnits: 10_000n,
  })
const planFor = ({ id }: Payout, asset = sol): SolanaPlan => ({ ...payoutOf(asset), payoutId: id })

async function deposit({ address, units }: { address: string; units: bigint }): Promise<string> {
  const id = randomUUID()
  await query(
    desk.url,
    `insert into payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address,
       suspense_reason, required_confirmations, seen_at, waiting, block_height, block_hash)
     values ($1, $2, $3, 0, 'test', 'SOL', 'solana', 9, $4, $5, 'none', 1, now(), false, 1, 'b')`,
    [id, gateId, id, units.toString(), address],
  )
  return id
}
const pinnedBy = async (ids: readonly string[]) =>
  (
    await query<{ pinned_by: string | null }>(desk.url, 'select pinned_by from payments where id = any($1)', [
      ids,
    ])
  ).map(({ pinned_by }) => pinned_by)

it('payouts and sweeps are signed', async () => {
  const [first, second] = [await payout(), await payout(token)]
  const opening: SolanaPlan = {
    ...planFor(second, token),
    rentUnits: rent,
    lifetime: { kind: 'nonce', index: 1, value: hashOf(7) },
  }
  const sweep: SolanaPlan = { ...sweepOf(sol), lifetime: { kind: 'nonce', index: 2, value: hashOf(7) } }
  const spends = [
    await desk.plan(planFor(first), [first], { gateId }),
    await desk.plan(opening, [second], { gateId }),
    await desk.plan(sweep, [], { gateId, kind: 'sweep' }),
  ]
  expect(await desk.sign()).toBe(3)
  for (const id of spends) expect(await desk.outcome(id)).toMatchObject({ refusal: null })
})

it('a payout is not paid again after its nonce has another value, nor dearer with the same one', async () => {
  const paid = await payout()
  const plan = planFor(paid)
  const spendId = await desk.plan(plan, [paid], { gateId })
  expect(await desk.sign()).toBe(1)
  const next: SolanaPlan = { ...plan, lifetime: { kind: 'nonce', index: 0, value: hashOf(8) } }
  await desk.app.store.spends.addAttempt(spendId, 2, next)
  expect(await desk.sign()).toBe(0)
  expect((await desk.outcome(spendId, 2)).refusal).toMatch('a second time')
  await desk.app.store.spends.addAttempt(spendId, 3, { ...plan, computePrice: plan.computePrice * 2n })
  expect(await desk.sign()).toBe(0)
  expect((await desk.outcome(spendId, 3)).refusal).toMatch('both might be executed')
})

it('a deposit address gets no gas', async () => {
  const [source] = sweepOf(sol).sources ?? []
  const to = { address: source?.address ?? '', tag: null }
  const gas = await desk.plan({ ...payoutOf(sol), to, payoutId: null }, [], { gateId, kind: 'gas' })
  expect(await desk.sign()).toBe(0)
  expect((await desk.outcome(gas)).refusal).toMatch('does not have')
})

it('a forgotten payout takes its amount, fee and rent from the hot wallet again', async () => {
  const forgotten = await payout(token)
  await fillHot()
  const restore = await restorable.backUp()
  const plan = { ...planFor(forgotten, token), rentUnits: rent }
  const spendId = await desk.plan(plan, [forgotten], { gateId })
  expect(await desk.sign()).toBe(1)
  const { hash } = await desk.outcome(spendId)
  await restore()
  expect(await findings()).toMatchObject([{ hash, outcome: 'restored' }])
  expect(await desk.find(forgotten.id)).toMatchObject({ status: 'processing', spendId, txHash: hash })
  expect(await spentOf(token.currency)).toBe(5n)
  expect(await spentOf(sol.currency)).toBe(maxFeeOf(plan))
  expect(await findings()).toEqual([])
})

it('a payout that was planned again takes over its old transaction and what that may cost', async () => {
  const forgotten = await payout()
  await fillHot()
  const restore = await restorable.backUp()
  const plan = planFor(forgotten)
  const spendId = await desk.plan(plan, [forgotten], { gateId })
  expect(await desk.sign()).toBe(1)
  const { hash } = await desk.outcome(spendId)
  await restore()
  const lifetime = { kind: 'nonce', index: 1, value: hashOf(9) } as const
  const newPlan: SolanaPlan = { ...plan, lifetime, computePrice: 5_000n }
  const again = await desk.plan(newPlan, [forgotten], { gateId })
  await desk.app.store.holdings.changeHot(gateId, new Map([[sol.currency, -5n - maxFeeOf(newPlan)]]))
  expect(await findings()).toMatchObject([{ hash, outcome: 'restored' }])
  expect(await desk.find(forgotten.id)).toMatchObject({ status: 'processing', spendId: again, txHash: hash })
  expect(await spentOf(sol.currency)).toBe(5n + maxFeeOf(plan))
  expect(await desk.sign()).toBe(0)
})

it('a forgotten sweep pins the deposits of all its addresses, and the hot wallet pays its fee', async () => {
  const plan = sweepOf(sol)
  const deposits = await Promise.all((plan.sources ?? []).map(deposit))
  await fillHot()
  const restore = await restorable.backUp()
  const spendId = await desk.plan(plan, [], { gateId, kind: 'sweep' })
  expect(await desk.sign()).toBe(1)
  const { hash } = await desk.outcome(spendId)
  await restore()
  expect(await findings()).toMatchObject([{ hash, outcome: 'restored' }])
  expect(await pinnedBy(deposits)).toEqual([spendId, spendId])
  expect(await spentOf(sol.currency)).toBe(maxFeeOf(plan))
})

it('a forgotten sweep of other amounts than lie there stays unresolved, and takes nothing', async () => {
  const plan = sweepOf(sol)
  const deposits = await Promise.all(
    (plan.sources ?? []).map(({ address, units }, at) => deposit({ address, units: units + BigInt(at) })),
  )
  await fillHot()
  const restore = await restorable.backUp()
  await desk.plan(plan, [], { gateId, kind: 'sweep' })
  expect(await desk.sign()).toBe(1)
  await restore()
  expect(await findings()).toMatchObject([
    { outcome: 'unresolved', reason: expect.stringContaining('differ from what it moves') },
  ])
  expect(await pinnedBy(deposits)).toEqual([null, null])
  expect(await spentOf(sol.currency)).toBe(0n)
})

it('a second attempt is put back, with what it may cost beyond the first', async () => {
  const forgotten = await payout()
  const plan = planFor(forgotten)
  await fillHot()
  const spendId = await desk.plan(plan, [forgotten], { gateId })
  expect(await desk.sign()).toBe(1)
  const restore = await restorable.backUp()
  const { from: to } = plan
  const cancelling: SolanaPlan = {
    ...plan,
    to: { address: to.address, tag: null },
    units: 0n,
    payoutId: null,
    computePrice: 5_000n,
  }
  await desk.app.store.spends.addAttempt(spendId, 2, cancelling)
  await desk.app.store.nonces.noteShort(spendId, true)
  expect(await desk.sign()).toBe(1)
  const { hash } = await desk.outcome(spendId, 2)
  await restore()
  expect(await findings()).toMatchObject([{ hash, outcome: 'restored' }])
  expect((await desk.outcome(spendId, 2)).hash).toBe(hash)
  expect(await spentOf(sol.currency)).toBe(maxFeeOf(cancelling) - maxFeeOf(plan))
})
