import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Payout } from '../../../src/domain/payouts.ts'
import { type AccountPlan, hotKey } from '../../../src/domain/spends.ts'
import { reconcile } from '../../../src/signer/reconcile.ts'
import { query } from '../../support/database/database.ts'
import { openRestorableDesk, type RestorableDesk } from '../../support/signer/restorable-desk.ts'
import { type Desk, elsewhere } from '../../support/signer/signer-desk.ts'
import { limitsOf } from '../../support/signer/signer-limits.ts'

let desk: Desk
let restorable: RestorableDesk
beforeEach(async () => {
  restorable = await openRestorableDesk((opened) => {
    desk = opened
  })
})
afterEach(() => restorable.close())

const token = { network: 'ethereum', currency: 'USDT', destination: elsewhere.ethereum, amountUnits: 500n }
const tooLow = limitsOf([{ network: 'ethereum', currency: 'USDT', per_payout: '0.0001' }])
const hot = () => desk.wallet.addressAt('ethereum', hotKey) ?? ''
const cancelling = (nonce: bigint, changes: Partial<AccountPlan> = {}): AccountPlan => ({
  kind: 'account',
  from: { address: hot(), key: hotKey },
  nonce,
  to: { address: hot(), tag: null },
  currency: 'ETH',
  contractAddress: null,
  units: 0n,
  gasLimit: 21_000n,
  gasPrice: 10n ** 9n,
  payoutId: null,
  ...changes,
})

/** A token payout that was planned with a nonce and refused by the signer. */
async function refused(nonce = 0n): Promise<{ payout: Payout; spendId: string }> {
  const payout = await desk.payout(token)
  const spendId = await desk.plan(desk.transferPlan(payout, nonce), [payout], { gateId: 'ethereum-test' })
  expect(await desk.sign({ limits: tooLow })).toBe(0)
  return { payout, spendId }
}
const cancel = (spendId: string, plan: AccountPlan, attempt = 2) =>
  desk.app.store.spends.addAttempt(spendId, attempt, plan)
const refusalOf = async (spendId: string, attempt = 2) => (await desk.outcome(spendId, attempt)).refusal
const forGood = async (spendId: string) =>
  (await desk.app.store.spends.refusedForGood(0, 10)).some(({ id }) => id === spendId)

describe('a refusal for good', () => {
  it('differs from one that an hour or a day resolves', async () => {
    const { spendId } = await refused()
    expect(await forGood(spendId)).toBe(true)
    const other = await desk.payout(token)
    const waiting = await desk.plan(desk.transferPlan(other, 1n), [other], { gateId: 'ethereum-test' })
    const hourly = limitsOf([{ network: 'ethereum', currency: 'ETH', per_hour: '0.00015' }])
    // A spend that was never refused is signed first, and leaves no room for the other.
    expect(await desk.sign({ limits: hourly })).toBe(1)
    expect((await desk.outcome(waiting)).hash).not.toBeNull()
    expect(await refusalOf(spendId, 1)).toMatch(
      '0.00015 ETH per hour on ethereum. It is signed when the limit allows it',
    )
    expect(await desk.app.store.spends.refusedForGood(0, 10)).toEqual([])
    // An amount above the whole day's limit never fits.
    const daily = limitsOf([{ network: 'ethereum', currency: 'ETH', per_day: '0.00005' }])
    expect(await desk.sign({ limits: daily })).toBe(0)
    expect(await forGood(spendId)).toBe(true)
  })

  it('is lifted when the transaction is signed after all', async () => {
    const { spendId } = await refused()
    expect(await desk.sign()).toBe(1)
    expect(await forGood(spendId)).toBe(false)
  })

  it('applies to a forged approval, and not to a payout that is still cooling off', async () => {
    const forged = await desk.payout({ ...token, approvers: [] })
    const early = await desk.payout({ ...token, executableAt: new Date(Date.now() + 3_600_000) })
    const [one, two] = [
      await desk.plan(desk.transferPlan(forged, 0n), [forged], { gateId: 'ethereum-test' }),
      await desk.plan(desk.transferPlan(early, 1n), [early], { gateId: 'ethereum-test' }),
    ]
    expect(await desk.sign()).toBe(0)
    expect([await forGood(one), await forGood(two)]).toEqual([true, false])
  })
})

describe('a transaction that only uses up a nonce', () => {
  it('is signed, journaled with its payout, and not shown as a payment', async () => {
    const { payout, spendId } = await refused()
    await cancel(spendId, cancelling(0n))
    expect(await desk.sign()).toBe(1)
    const { hash } = await desk.outcome(spendId, 2)
    expect(desk.journal().ofPayout(payout.id)).toMatchObject([{ hash, cancels: true, attempt: 2 }])
    expect(await desk.find(payout.id)).toMatchObject({ status: 'processing', txHash: null })
    // The first attempt is never signed after that, even if nothing else is wrong with it.
    expect(await desk.sign()).toBe(0)
    expect((await desk.outcome(spendId)).hash).toBeNull()
  })

  it.each<[what: string, changes: () => Partial<AccountPlan>, words: string]>([
    [
      'pays another address',
      () => ({ to: { address: elsewhere.ethereum, tag: null } }),
      'exactly the payouts',
    ],
    ['pays a unit to ourselves', () => ({ units: 1n }), 'exactly the payouts'],
    [
      'calls a token',
      () => ({
        currency: 'USDT',
        contractAddress: desk.transferPlan({ ...token, id: 'x' } as never, 0n).contractAddress,
      }),
      'contract',
    ],
    ['is in a currency the network does not have', () => ({ currency: 'BTC' }), 'contract'],
    ['names a payout', () => ({ payoutId: 'somebody' }), 'not'],
    ['has a tag', () => ({ to: { address: hot(), tag: '1' } }), 'not'],
    ['costs more than the signer allows', () => ({ gasPrice: 10n ** 15n }), 'higher than the signer allows'],
    [
      'uses a nonce of a deposit address',
      () => {
        const key = { chain: 'deposit' as const, index: 0 }
        const address = desk.wallet.addressAt('ethereum', key) ?? ''
        return { from: { address, key }, to: { address, tag: null } }
      },
      'not',
    ],
  ])('is refused when it %s', async (_, changes, words) => {
    const { spendId } = await refused()
    await cancel(spendId, cancelling(0n, changes()))
    expect(await desk.sign({ limits: tooLow })).toBe(0)
    expect(await refusalOf(spendId)).toMatch(words)
  })

  it('is refused when the journal has a signature for the nonce that the database has forgotten', async () => {
    const payout = await desk.payout(token)
    const spendId = await desk.plan(desk.transferPlan(payout, 0n), [payout], { gateId: 'ethereum-test' })
    expect(await desk.sign()).toBe(1)
    const { hash } = await desk.outcome(spendId)
    await desk.forge(
      'spend_transactions',
      'update spend_transactions set bytes = null, tx_hash = null, signed_at = null where spend_id = $1',
      [spendId],
    )
    await cancel(spendId, cancelling(0n))
    // The same bytes are stored again, and nothing else is signed.
    expect(await desk.sign()).toBe(1)
    expect((await desk.outcome(spendId)).hash).toBe(hash)
    expect(await refusalOf(spendId)).toMatch(`Transaction ${hash} was already signed for its nonce`)
  })

  it('may follow the payment of the same spend when its funds are missing, and then nothing that pays with the nonce is signed', async () => {
    const payout = await desk.payout(token)
    const spendId = await desk.plan(desk.transferPlan(payout, 0n), [payout], { gateId: 'ethereum-test' })
    expect(await desk.sign()).toBe(1)
    // An attacker with the database can claim that any spend is short. That does not cancel another spend's nonce.
    const other = await desk.payout(token)
    const forged = await desk.plan(desk.transferPlan(other, 1n), [other], { gateId: 'ethereum-test' })
    await desk.app.store.nonces.noteShort(forged, true)
    await cancel(forged, cancelling(0n))
    await desk.sign()
    expect(await refusalOf(forged)).toMatch('was already signed for its nonce')

    await desk.app.store.nonces.noteShort(spendId, true)
    await cancel(spendId, cancelling(0n))
    expect(await desk.sign()).toBe(1)
    const { hash } = await desk.outcome(spendId, 2)
    expect(desk.journal().ofSpend(spendId)).toMatchObject([{ cancels: false }, { hash, cancels: true }])
    await cancel(spendId, { ...desk.transferPlan(payout, 0n), gasPrice: 3n * 10n ** 9n }, 3)
    expect(await desk.sign()).toBe(0)
    expect(await refusalOf(spendId, 3)).toMatch(`cancelled with transaction ${hash}`)
  })

  it('rules out every later payment with the nonce', async () => {
    const { spendId } = await refused()
    await cancel(spendId, cancelling(0n))
    expect(await desk.sign()).toBe(1)
    const { hash } = await desk.outcome(spendId, 2)
    const other = await desk.payout(token)
    await desk.forge('spends', `update spends set nonce = 99 where id = $1`, [spendId])
    const again = await desk.plan(desk.transferPlan(other, 0n), [other], { gateId: 'ethereum-test' })
    expect(await desk.sign()).toBe(0)
    expect(await refusalOf(again, 1)).toMatch(`cancelled with transaction ${hash}`)
    expect(await forGood(again)).toBe(false)
  })

  it('counts toward the signer’s limits with its fee, and waits until they allow it', async () => {
    const { spendId } = await refused()
    await cancel(spendId, cancelling(0n))
    const now = Date.now()
    const limits = limitsOf([{ network: 'ethereum', currency: 'ETH', per_hour: '0.00003' }])
    const sign = (at: number) => desk.sign({ limits, ownNow: () => new Date(at) })
    expect(await sign(now)).toBe(1)
    expect(desk.journal().spentSince('ethereum-test', 'ETH', 0)).toBe(21_000n * 10n ** 9n)
    expect(desk.journal().spentSince('ethereum-test', 'USDT', 0)).toBe(0n)
    const second = await refused(1n)
    await cancel(second.spendId, cancelling(1n))
    expect(await sign(now)).toBe(0)
    expect(await refusalOf(second.spendId)).toMatch('It is signed when the limit allows it')
    expect(await sign(now + 3_600_001)).toBe(1)
  })
})

describe('a signer killed', () => {
  const dies = async () => {
    throw new Error('killed')
  }

  it('after journaling a payment stores that one, and does not sign the transaction that cancels it', async () => {
    const { payout, spendId } = await refused()
    await expect(desk.sign({ onJournaled: dies })).rejects.toThrow('killed')
    await cancel(spendId, cancelling(0n))
    await desk.reopenJournal()
    expect(await desk.sign()).toBe(1)
    const { hash } = await desk.outcome(spendId)
    expect(desk.journal().ofPayout(payout.id)).toMatchObject([{ hash, cancels: false }])
    expect(await desk.sign()).toBe(0)
    expect(await desk.outcome(spendId, 2)).toMatchObject({
      hash: null,
      refusal: expect.stringMatching('already signed'),
    })
  })

  it('after journaling a cancelling transaction stores the same bytes, and never signs a payment', async () => {
    const { payout, spendId } = await refused()
    await cancel(spendId, cancelling(0n))
    await expect(desk.sign({ onJournaled: dies })).rejects.toThrow('killed')
    const noted = desk.journal().ofPayout(payout.id)
    await desk.reopenJournal()
    expect(await desk.sign()).toBe(1)
    expect((await desk.outcome(spendId, 2)).hash).toBe(noted[0]?.hash)
    expect(desk.journal().ofPayout(payout.id)).toHaveLength(1)
    expect((await desk.outcome(spendId)).hash).toBeNull()
  })
})

describe('a database restored from a backup taken before the cancellation', () => {
  const hold = () =>
    query(
      desk.url,
      `insert into hot_balances (gate_id, currency, units) values ('ethereum-test', 'USDT', 800), ('ethereum-test', 'ETH', $1)`,
      [(10n ** 18n).toString()],
    )

  it('gets the cancelling attempt back beside the first, and the payout is not paid', async () => {
    await hold()
    const { payout, spendId } = await refused()
    const restore = await restorable.backUp()
    await cancel(spendId, cancelling(0n))
    expect(await desk.sign()).toBe(1)
    const { hash } = await desk.outcome(spendId, 2)
    await restore()
    expect(await desk.sign()).toBe(0)
    expect(await reconcile(desk.app, desk.journal())).toMatchObject([{ hash, outcome: 'restored' }])
    expect((await desk.outcome(spendId, 2)).hash).toBe(hash)
    expect(await desk.find(payout.id)).toMatchObject({ status: 'processing', txHash: null })
    expect(await desk.sign()).toBe(0)
  })

  it('gets it back even if the payout was not yet planned, which is then never planned again', async () => {
    await hold()
    const payout = await desk.payout(token)
    const restore = await restorable.backUp()
    const spendId = await desk.plan(desk.transferPlan(payout, 7n), [payout], { gateId: 'ethereum-test' })
    expect(await desk.sign({ limits: tooLow })).toBe(0)
    await cancel(spendId, cancelling(7n))
    expect(await desk.sign()).toBe(1)
    const { hash } = await desk.outcome(spendId, 2)
    await restore()
    expect(await reconcile(desk.app, desk.journal())).toMatchObject([{ hash, outcome: 'restored' }])
    expect(await desk.find(payout.id)).toMatchObject({ status: 'processing', spendId, txHash: null })
    expect(
      await query(desk.url, 'select nonce::int, units::int from spends where id = $1', [spendId]),
    ).toEqual([{ nonce: 7, units: 0 }])
    expect(await desk.sign()).toBe(0)
  })
})
