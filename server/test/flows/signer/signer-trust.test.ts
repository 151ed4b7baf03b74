import { afterEach, beforeEach, expect, it } from 'vitest'
import { type AccountPlan, hotKey } from '../../../src/domain/spends.ts'
import { type Desk, openDesk } from '../../support/signer/signer-desk.ts'

/** Trust lines on the XRP Ledger, which no one approves. */

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

const stranger = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf'

function trusting(changes: Partial<AccountPlan> = {}): AccountPlan {
  const asset = desk.wallet.network('xrp').assets.find(({ currency }) => currency === 'RLUSD')
  const contractAddress = asset?.contractAddress ?? ''
  return {
    kind: 'account',
    from: { address: desk.wallet.addressAt('xrp', hotKey) ?? '', key: hotKey },
    nonce: 0n,
    to: { address: contractAddress.split('.')[1] ?? '', tag: null },
    currency: 'RLUSD',
    contractAddress,
    units: 0n,
    gasLimit: 1n,
    gasPrice: 10n,
    payoutId: null,
    ...changes,
  }
}
const plan = (given: AccountPlan) => desk.plan(given, [], { gateId: 'xrp-test', kind: 'trust' })

it('a trust line is signed without an approval, and its fee is journaled as that of its kind', async () => {
  const spendId = await plan(trusting())
  expect(await desk.sign()).toBe(1)
  expect((await desk.outcome(spendId)).hash).toMatch(/^[0-9A-F]{64}$/)
  expect(desk.journal().feesSince('xrp-test', 'trust', 0)).toBe(10n)
  expect(desk.journal().feesSince('xrp-test', 'fill', 0)).toBe(0n)
})

it('one that trusts someone else is refused for good, and its number is used up by a transaction that does nothing', async () => {
  const spendId = await plan(trusting({ to: { address: stranger, tag: null } }))
  expect(await desk.sign()).toBe(0)
  expect((await desk.outcome(spendId)).refusal).toContain('more than to trust the issuer')
  const refused = await desk.app.store.spends.refusedForGood(0, 10)
  expect(refused.map(({ id }) => id)).toEqual([spendId])
  const { from } = trusting()
  const cancelling = trusting({
    to: { address: from.address, tag: null },
    currency: 'XRP',
    contractAddress: null,
  })
  await desk.app.store.spends.addAttempt(spendId, 2, cancelling)
  expect(await desk.sign()).toBe(1)
  expect((await desk.outcome(spendId, 2)).hash).toMatch(/^[0-9A-F]{64}$/)
})

it('it is planned once, and again only after a while', async () => {
  const has = (currency: string, withinMs: number) =>
    desk.app.store.spends.hasRecent('xrp-test', 'trust', currency, withinMs)
  expect(await has('RLUSD', 3_600_000)).toBe(false)
  const spendId = await plan(trusting())
  expect(await has('RLUSD', 0)).toBe(true)
  expect(await has('USDC', 3_600_000)).toBe(false)
  await desk.app.store.spends.end(spendId, { status: 'dead' })
  expect(await has('RLUSD', 0)).toBe(false)
  expect(await has('RLUSD', 3_600_000)).toBe(true)
})
