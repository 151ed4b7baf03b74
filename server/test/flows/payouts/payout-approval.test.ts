import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { approvePayout } from '../../../src/app/payouts/approve-payout.ts'
import { noPolicy, type PayoutPolicy } from '../../../src/domain/payout-policy.ts'
import { approvalHash } from '../../../src/domain/payouts.ts'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const body = { currency: 'BTC', amount: '0.01', destination }
const ownerOf = (shop: Shop) => ({ merchantId: shop.merchantId, environment: 'test' }) as const

/** Approved payouts cool off for an hour, so that none of them is executed here. */
const unhurried: PayoutPolicy = { ...noPolicy, coolingOffSeconds: 3600 }

async function funded(policy: Partial<PayoutPolicy> = {}): Promise<Shop> {
  const shop = await openShop(service)
  await shop.fund('0.1')
  await service.app.store.payoutPolicies.set(ownerOf(shop), { ...unhurried, ...policy })
  return shop
}

const approve = (shop: Shop, id: string, approver: string, expectedHash?: string) =>
  approvePayout(service.app, ownerOf(shop), id, {
    approver,
    ...(expectedHash !== undefined && { expectedHash }),
  })

it('an approval advances the payout, sends one event, and covers exactly this payout', async () => {
  const shop = await funded({ coolingOffSeconds: 0 })
  const payout = await shop.payOut(body)
  await shop.told()
  const approved = (await shop.approve(payout)).body.data
  expect(approved).toMatchObject({ status: 'approved', waiting_reason: null })
  expect(approved.executable_at).toBe(approved.approved_at)
  const events = await shop.events()
  expect(events[0]).toMatchObject({ event: 'payout.approved', data: { status: 'approved', id: payout.id } })
  // By now its execution may have begun, which sends an event too.
  expect(events.filter(({ event }) => event === 'payout.approved')).toHaveLength(1)
  const stored = await service.app.store.payouts.find(ownerOf(shop), payout.id)
  if (stored === null) throw new Error('the payout is gone')
  const [approval] = await service.app.store.payoutApprovals.list(payout.id)
  expect(approval).toMatchObject({
    approver: expect.stringMatching(/^test:/),
    approvalHash: approvalHash(stored),
  })
})

it('a payout cannot be approved twice, nor after it was cancelled', async () => {
  const shop = await funded()
  const payout = await shop.payOut(body)
  expect((await shop.approve(payout)).status).toBe(200)
  for (const again of [await shop.approve(payout), await shop.approve(payout)])
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict'])
  const refused = await shop.expect(200, 'rejectTestPayout', { path: { payoutID: payout.id } })
  expect(refused.body.data.status).toBe('cancelled')
  expect((await shop.approve(payout)).status).toBe(409)
  expect((await shop.balance('BTC')).available).toBe('0.1')
})

it('an approval with a hash other than that of the stored payout is refused', async () => {
  const shop = await funded()
  const { id } = await shop.payOut(body)
  const stored = await service.app.store.payouts.find(ownerOf(shop), id)
  if (stored === null) throw new Error('the payout is gone')
  const other = approvalHash({ ...stored, destination: 'tb1qelsewhere' })
  await expect(approve(shop, id, 'user:1', other)).rejects.toMatchObject({ code: 'conflict' })
  expect(await service.app.store.payoutApprovals.list(id)).toEqual([])
  expect((await approve(shop, id, 'user:1', approvalHash(stored))).status).toBe('approved')
})

it.each([
  ['destination', `'tb1qelsewhere'`],
  ['destination_tag', `'7'`],
  ['amount_units', '1'],
  ['fee_units', '1'],
  ['network', `'litecoin'`],
  ['currency', `'LTC'`],
  ['environment', `'live'`],
  ['created_by', `'user:x'`],
])('the database refuses to change the %s of an approved payout', async (column, value) => {
  const shop = await funded()
  const payout = await shop.payOut(body)
  await shop.approve(payout)
  const change = query(service.database.url, `update payouts set ${column} = ${value} where id = $1`, [
    payout.id,
  ])
  await expect(change).rejects.toThrow(/cannot be made another/)
  await expect(
    query(service.database.url, 'delete from payout_approvals where payout_id = $1', [payout.id]),
  ).rejects.toThrow()
})

it('two required approvals must come from two people, neither of them the creator', async () => {
  const shop = await funded({ approvalsRequired: 2 })
  const payout = await shop.payOut(body)
  const { createdBy } = (await service.app.store.payouts.find(ownerOf(shop), payout.id)) ?? { createdBy: '' }
  expect(createdBy).toMatch(/^key:/)
  await expect(approve(shop, payout.id, createdBy)).rejects.toMatchObject({ code: 'conflict' })
  await shop.told()
  const first = await approve(shop, payout.id, 'user:1')
  expect(first).toMatchObject({
    status: 'pending_approval',
    waitingReason: 'It is waiting for a second approval.',
  })
  expect((await shop.payout(payout)).waiting_reason).toBe('It is waiting for a second approval.')
  await expect(approve(shop, payout.id, 'user:1')).rejects.toMatchObject({ code: 'conflict' })
  expect(await shop.told()).toEqual([])
  const second = await approve(shop, payout.id, 'user:2')
  expect(second).toMatchObject({ status: 'approved', waitingReason: null })
  expect(await shop.told()).toEqual(['payout.approved'])
})

it('the creator of a payout may approve it when one approval is required', async () => {
  const shop = await funded()
  const { id } = await shop.payOut(body)
  const { createdBy } = (await service.app.store.payouts.find(ownerOf(shop), id)) ?? { createdBy: '' }
  expect((await approve(shop, id, createdBy)).status).toBe('approved')
})

it('a payout over the limit per payout stays pending with a reason until the policy allows it', async () => {
  const shop = await funded({ maxPayout: 59_999n })
  const payout = await shop.payOut(body)
  await shop.told()
  const over = await shop.expect(200, 'approveTestPayout', { path: { payoutID: payout.id } })
  expect(over.body.data).toMatchObject({
    status: 'pending_approval',
    waiting_reason: 'It is worth 600.00 USD, which is over the limit of 599.99 USD per payout.',
    approved_at: null,
  })
  expect([await shop.told(), await service.app.store.payoutApprovals.list(payout.id)]).toEqual([[], []])
  await service.app.store.payoutPolicies.set(ownerOf(shop), { ...unhurried, maxPayout: 60_000n })
  expect((await shop.approve(payout)).body.data).toMatchObject({ status: 'approved', waiting_reason: null })
})

it('the daily limit counts the approvals of the last 24 hours, except payouts cancelled since', async () => {
  const shop = await funded({ maxDay: 130_000n })
  const [one, two, three] = [await shop.payOut(body), await shop.payOut(body), await shop.payOut(body)]
  await shop.approve(one)
  await shop.approve(two)
  const over = (await shop.approve(three)).body.data
  expect(over.waiting_reason).toBe(
    'It is worth 600.00 USD. With 1200.00 USD approved in the last 24 hours, it is over the limit of 1300.00 USD per 24 hours.',
  )
  await query(
    service.database.url,
    `update payouts set approved_at = clock_timestamp() - interval '24 hours 1 second' where id = $1`,
    [one.id],
  )
  expect((await shop.approve(three)).body.data.status).toBe('approved')
  const four = await shop.payOut(body)
  expect((await shop.approve(four)).body.data.status).toBe('pending_approval')
  await shop.cancelPayout(two)
  expect((await shop.approve(four)).body.data.status).toBe('approved')
})

it('a payout to a destination that is not on the list stays pending with a reason', async () => {
  const shop = await funded({ onlyKnownDestinations: true })
  const payout = await shop.payOut(body)
  expect((await shop.approve(payout)).body.data).toMatchObject({
    status: 'pending_approval',
    waiting_reason: 'Its destination is not on the list of allowed destinations.',
  })
  const policies = service.app.store.payoutPolicies
  const place = { network: 'litecoin', address: destination, tag: null }
  await policies.addDestination(ownerOf(shop), { ...place, label: null })
  expect((await shop.approve(payout)).body.data.status).toBe('pending_approval')
  await policies.addDestination(ownerOf(shop), { ...place, network: 'bitcoin', label: 'Cold wallet' })
  expect((await shop.approve(payout)).body.data.status).toBe('approved')
})

it('an approved payout is not executed before its cooling-off period ends', async () => {
  const shop = await funded()
  const payout = (await shop.approve(await shop.payOut(body))).body.data
  const waits = Date.parse(payout.executable_at) - Date.parse(payout.approved_at)
  expect(waits).toBe(3_600_000)
  const due = await service.app.store.payouts.claimDue('bitcoin-test', 100)
  expect(due.filter(({ id }) => id === payout.id)).toEqual([])
  const fail = await shop.call('failTestPayout', { path: { payoutID: payout.id } })
  expect([fail.status, fail.body.error.code]).toEqual([409, 'conflict'])
})

it('a payout that is pending approval or cancelled cannot be made to fail', async () => {
  const shop = await funded()
  const payout = await shop.payOut(body)
  const fail = () => shop.call('failTestPayout', { path: { payoutID: payout.id } })
  expect((await fail()).status).toBe(409)
  await shop.cancelPayout(payout)
  expect((await fail()).status).toBe(409)
})
