import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountPlan } from '../../../src/domain/spends.ts'
import { query } from '../../support/database/database.ts'
import { type Desk, elsewhere, openDesk } from '../../support/signer/signer-desk.ts'

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

const gateId = 'ethereum-test' as const
const order = {
  network: 'ethereum',
  currency: 'ETH',
  destination: elsewhere.ethereum,
  amountUnits: 10n ** 15n,
  networkFeeUnits: 10n ** 15n,
}

const fill = (nonce: bigint, changes?: Partial<AccountPlan>) =>
  desk.plan(desk.emptyPlan({ nonce, ...changes }), [], { kind: 'fill', gateId })

/** A payout signed with this nonce; its spend is then ended if asked for. */
async function signedPayout(nonce: bigint, status: 'open' | 'dead') {
  const payout = await desk.payout(order)
  const spendId = await desk.plan(desk.transferPlan(payout, nonce), [payout], { gateId })
  expect(await desk.sign()).toBe(1)
  if (status === 'dead') await desk.app.store.spends.end(spendId, { status })
  return { payout, spendId, ...(await desk.outcome(spendId)) }
}

describe('a fill', () => {
  it('is signed and journaled when nothing was ever signed for the nonce', async () => {
    const spendId = await fill(0n)
    expect(await desk.sign()).toBe(1)
    const { hash } = await desk.outcome(spendId)
    expect(desk.journal().ofSpend(spendId)).toMatchObject([
      { hash, cancels: true, kind: 'fill', payoutIds: [] },
    ])
  })

  it('is signed once the nonce’s earlier spend is dead, and then nothing that pays with the nonce is signed', async () => {
    const { hash } = await signedPayout(0n, 'dead')
    const spendId = await fill(0n)
    expect(await desk.sign()).toBe(1)
    const filled = await desk.outcome(spendId)
    expect(filled.hash).not.toBe(hash)
    const other = await desk.payout(order)
    await desk.forge('spends', 'update spends set nonce = 99 where status = $1', ['dead'])
    const again = await desk.plan(desk.transferPlan(other, 0n), [other], { gateId })
    expect(await desk.sign()).toBe(0)
    expect((await desk.outcome(again)).refusal).toMatch(`cancelled with transaction ${filled.hash}`)
  })

  it('is refused while the journal has a transaction of an open spend, even one the database has forgotten', async () => {
    const { spendId, hash } = await signedPayout(0n, 'open')
    const filler = await fill(0n)
    expect(await desk.sign()).toBe(0)
    expect((await desk.outcome(filler)).refusal).toMatch(`${hash} was signed for the same nonce`)
    await desk.forge('spends', 'update spends set nonce = 99 where id = $1', [spendId])
    expect(await desk.sign()).toBe(0)
    await desk.app.store.spends.end(spendId, { status: 'dead' })
    expect(await desk.sign()).toBe(1)
  })

  it('is refused while its nonce belongs to a spend that is still to be signed', async () => {
    const payout = await desk.payout({ ...order, approvers: [] })
    await desk.plan(desk.transferPlan(payout, 0n), [payout], { gateId })
    const filler = await fill(0n)
    expect(await desk.sign()).toBe(0)
    expect((await desk.outcome(filler)).refusal).toMatch('belongs to another spend')
  })

  it.each<[what: string, changes: Partial<AccountPlan>, words: RegExp]>([
    ['pays another address', { to: { address: elsewhere.ethereum, tag: null } }, /must pay no one/],
    ['costs more than the signer allows', { gasPrice: 10n ** 15n }, /higher than the signer allows/],
    ['names a payout', { payoutId: 'somebody' }, /not/],
  ])('is refused when it %s', async (_, changes, words) => {
    const spendId = await fill(0n, changes)
    expect(await desk.sign()).toBe(0)
    expect((await desk.outcome(spendId)).refusal).toMatch(words)
  })

  it('is stored with the same bytes when the signer is killed after journaling it', async () => {
    const spendId = await fill(0n)
    const dies = async () => {
      throw new Error('killed')
    }
    await expect(desk.sign({ onJournaled: dies })).rejects.toThrow('killed')
    const [noted] = desk.journal().ofSpend(spendId)
    await desk.reopenJournal()
    expect(await desk.sign()).toBe(1)
    expect((await desk.outcome(spendId)).hash).toBe(noted?.hash)
    expect(desk.journal().ofSpend(spendId)).toHaveLength(1)
  })

  it('exists once per nonce in the database, unless it was itself ruled out', async () => {
    const spendId = await fill(0n)
    await expect(fill(0n)).rejects.toThrow(/spends_use_a_nonce_once/)
    await desk.app.store.spends.end(spendId, { status: 'dead' })
    await fill(0n)
    expect(await query(desk.url, `select status from spends where kind = 'fill' order by status`)).toEqual([
      { status: 'dead' },
      { status: 'open' },
    ])
  })
})
