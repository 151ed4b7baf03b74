import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PayoutPolicy } from '../../../src/domain/payout-policy.ts'
import type { Role } from '../../../src/domain/roles.ts'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import {
  approve,
  type Desk,
  openDesk as openDeskIn,
  review,
  seen,
} from '../../support/people/approval-desk.ts'
import { enrolTotp, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { newAddress, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { quiet, type Row } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const body = { currency: 'BTC', amount: '0.01', destination }

const openDesk = (role?: Role, policy?: Partial<PayoutPolicy>) => openDeskIn(service, role, policy)

const acts = (desk: Desk) =>
  query<{ action: string; actor: string; subject: string; details: Record<string, unknown> }>(
    service.database.url,
    'select action, actor, subject, details from audit_entries where chain = $1 order by seq',
    [desk.shop.merchantId],
  )

async function timelineOf(desk: Desk, { id }: { id: string }): Promise<Row[]> {
  const path = { ...desk.here, payoutID: id }
  const answer = await desk.client.call('getPayoutTimeline', { path })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}

it('a payout is shown in full, approved exactly as shown, and executed', async () => {
  const desk = await openDesk('finance', { coolingOffSeconds: 0 })
  const payout = await desk.shop.payOut(body)
  const shown = await review(desk, payout)
  expect(shown).toMatchObject({
    payout: { ...body, id: payout.id, network: 'bitcoin', amount_in_base_currency: '600.00' },
    base_currency: 'USD',
    refund: null,
    approvals: [],
    created_by: { kind: 'key', name: 'test' },
    policy: { may_approve: true, objection: null, approval: 'any', approvals_required: 1 },
  })
  expect(shown.policy.text).toContain('One person approves a payout.')
  expect(Number(shown.total)).toBeCloseTo(0.01 + Number(payout.network_fee), 8)
  expect(shown.warnings.map(({ code }: { code: string }) => code)).toEqual(['destination_new', 'key_new'])

  const [outcome] = await approve(desk, [await seen(desk, payout)])
  expect(outcome).toMatchObject({ id: payout.id, outcome: 'approved', error: null })
  await until(desk.shop, payout, 'completed')
  const after = await review(desk, payout)
  expect(after.approvals).toMatchObject([{ by: `user:${desk.userId}`, is_passkey: false, is_of_this: true }])
  expect(after).toMatchObject({ policy: { may_approve: false }, rejection: null, warnings: [] })
  expect((await acts(desk)).at(-1)).toMatchObject({
    action: 'payout.approved',
    actor: `user:${desk.userId}`,
    subject: payout.id,
    details: {
      hash: shown.hash,
      passkey: false,
      destination,
      network: 'bitcoin',
      amount: '0.01',
      currency: 'BTC',
    },
  })
})

it('an approval by the test helper names the key that asked for it', async () => {
  const desk = await openDesk()
  const payout = await desk.shop.payOut(body)
  expect((await desk.shop.approve(payout)).status).toBe(200)
  const [approval] = (await review(desk, payout)).approvals
  expect(approval).toMatchObject({ by: expect.stringMatching(/^test:/), name: 'test' })
})

it('a second payout to a destination is not new, and the same amount within a day is a warning', async () => {
  const desk = await openDesk()
  const first = await desk.shop.payOut(body)
  await approve(desk, [await seen(desk, first)])
  const second = await desk.shop.payOut(body)
  const { warnings } = await review(desk, second)
  expect(warnings.map(({ code }: { code: string }) => code)).toEqual(['key_new', 'paid_already'])
  expect(warnings.at(-1).values.payout_id).toBe(first.id)
  const like = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
  await service.app.store.payoutPolicies.addDestination(
    { merchantId: desk.shop.merchantId, environment: 'test' },
    {
      network: 'bitcoin',
      address: `${like.slice(0, 12)}${'q'.repeat(24)}${like.slice(-6)}`,
      tag: null,
      label: 'Cold',
    },
  )
  const poisoned = (await review(desk, second)).warnings
  expect(poisoned[0]).toMatchObject({
    code: 'destination_resembles',
    values: { label: 'Cold', likeness: 'ends' },
  })
})

it('a payout that differs from the one shown is refused, and does not block others', async () => {
  const desk = await openDesk()
  const [one, two] = [await desk.shop.payOut(body), await desk.shop.payOut({ ...body, amount: '0.02' })]
  const shown = await seen(desk, one)
  const other = await seen(desk, two)
  const outcomes = await approve(desk, [
    { ...other, id: one.id },
    other,
    { ...shown, id: '01890000-0000-7000-8000-000000000000' },
  ])
  expect(outcomes).toMatchObject([
    {
      outcome: 'refused',
      error: { code: 'conflict', message: expect.stringContaining('differs from the one that was shown') },
    },
    { outcome: 'approved' },
    { outcome: 'refused', error: { code: 'not_found' } },
  ])
  expect(await service.app.store.payoutApprovals.list(one.id)).toEqual([])
})

it('a payout whose funds vanished in a reorganisation shows the reason and cannot be approved, alone or in a batch', async () => {
  const desk = await openDesk()
  const { shop } = desk
  const invoice = await shop.create({ currency: 'LTC', network: 'litecoin', amount: '5' })
  const deposit = await shop.pay(invoice, '5')
  await shop.mine(6, 'litecoin')
  const gone = await shop.payOut({ currency: 'LTC', amount: '3', destination: await newAddress('litecoin') })
  const there = await shop.payOut(body)
  await shop.reorganise(6, [deposit], 'litecoin')
  const shown = await review(desk, gone)
  expect(shown.policy.objection).toMatch(/^The balance on Litecoin is -3\.0/)
  const both = [gone, there].map((payout) => seen(desk, payout))
  expect(await approve(desk, [await seen(desk, gone)])).toMatchObject([
    { outcome: 'refused', error: { code: 'conflict', message: shown.policy.objection } },
  ])
  expect(await approve(desk, await Promise.all(both))).toMatchObject([
    { outcome: 'refused' },
    { outcome: 'approved' },
  ])
})

it('a payout whose destination was changed in the database after it was shown is not approved', async () => {
  const desk = await openDesk()
  const payout = await desk.shop.payOut(body)
  const shown = await seen(desk, payout)
  const { url } = service.database
  await query(url, 'alter table payouts disable trigger payouts_stay_what_they_are')
  await query(url, `update payouts set destination = 'tb1qelsewhere' where id = $1`, [payout.id])
  const [outcome] = await approve(desk, [shown])
  expect(outcome).toMatchObject({ outcome: 'refused', error: { code: 'conflict' } })
  await query(url, `update payouts set destination = $2 where id = $1`, [payout.id, destination])
  await query(url, 'alter table payouts enable trigger payouts_stay_what_they_are')
})

it('payouts of another merchant or environment can neither be shown nor approved', async () => {
  const [desk, stranger] = [await openDesk('owner'), await openDesk('owner')]
  const payout = await desk.shop.payOut(body)
  const shown = await seen(desk, payout)
  const [outcome] = await approve(stranger, [shown])
  expect(outcome).toMatchObject({ outcome: 'refused', error: { code: 'not_found' } })
  const path = { ...stranger.here, payoutID: payout.id }
  expect((await stranger.client.call('getPayoutApproval', { path })).status).toBe(404)
  const reject = { path, body: { reason: 'mine' } }
  expect((await stranger.client.call('rejectPayout', reject)).status).toBe(404)
  const foreign = { path: desk.here, body: { payouts: [shown] } }
  expect((await stranger.client.call('approvePayouts', foreign)).status).toBe(404)
  await enrolTotp(desk.client)
  const live = { ...desk.here, environment: 'live', payoutID: payout.id }
  expect((await desk.client.call('getPayoutApproval', { path: live })).status).toBe(404)
  expect((await desk.shop.payout(payout)).status).toBe('pending_approval')
})

it('where two approvals are required, neither the creator nor one person twice is enough', async () => {
  const desk = await openDesk('finance', { approvalsRequired: 2 })
  const made = await desk.client.call('createPayout', { path: desk.here, body })
  expect(made.status, made.text).toBe(201)
  const payout = made.body.data
  const shown = await review(desk, payout)
  expect(shown).toMatchObject({
    created_by: { kind: 'user', id: desk.userId },
    policy: {
      may_approve: false,
      may_not_because: expect.stringContaining('You created this payout'),
      may_not_code: 'created_it',
    },
  })
  const both = [await seen(desk, payout)]
  expect(await approve(desk, both)).toMatchObject([{ outcome: 'refused', error: { code: 'conflict' } }])
  const others: Desk[] = await Promise.all(
    [0, 1].map(async () => {
      const person = await makePerson(service, { merchantId: desk.shop.merchantId, role: 'finance' })
      return { ...desk, ...person, client: await signedIn(service, person) }
    }),
  )
  const [one, two] = others as [Desk, Desk]
  expect(await approve(one, both)).toMatchObject([
    { outcome: 'waiting', payout: { waiting_reason: 'It is waiting for a second approval.' } },
  ])
  expect(await approve(one, both)).toMatchObject([{ outcome: 'refused', error: { code: 'conflict' } }])
  expect(await approve(two, both)).toMatchObject([{ outcome: 'approved' }])
})

it('a rejected payout releases its funds, and its page, ledger and audit log have the reason', async () => {
  const desk = await openDesk()
  const payout = await desk.shop.payOut(body)
  expect((await review(desk, payout)).rejection).toBeNull()
  const path = { ...desk.here, payoutID: payout.id }
  expect((await desk.client.call('rejectPayout', { path, body: {} })).status).toBe(400)
  const answer = await desk.client.call('rejectPayout', {
    path,
    body: { reason: 'Nobody knows this address' },
  })
  expect([answer.status, answer.body.data.status]).toEqual([200, 'cancelled'])
  expect((await desk.shop.balance('BTC')).available).toBe('0.1')
  expect((await desk.shop.ledger('BTC')).at(-1).description).toBe(
    'The payout was rejected: Nobody knows this address',
  )
  expect((await acts(desk)).at(-1)).toMatchObject({
    action: 'payout.rejected',
    subject: payout.id,
    details: {
      reason: 'Nobody knows this address',
      destination,
      network: 'bitcoin',
      amount: '0.01',
      currency: 'BTC',
    },
  })
  const colleague = await makePerson(service, { merchantId: desk.shop.merchantId, role: 'viewer' })
  const shown = await review({ ...desk, client: await signedIn(service, colleague) }, payout)
  expect(shown).toMatchObject({
    rejection: { name: expect.stringContaining('@example.com'), reason: 'Nobody knows this address' },
    warnings: [],
  })
  expect((await desk.client.call('rejectPayout', { path, body: { reason: 'x' } })).status).toBe(409)
  expect(await timelineOf(desk, payout)).toMatchObject([
    { kind: 'payout_created', by_name: 'test', reason: null },
    {
      kind: 'payout_rejected',
      by: `user:${desk.userId}`,
      by_name: expect.stringContaining('@example.com'),
      reason: 'Nobody knows this address',
      payout: { id: payout.id, refund_id: null, amount: '0.01', destination },
      events: [{ event: 'payout.cancelled' }],
    },
  ])
})

it('the timeline of a payout tells each fact once, with those who decided', async () => {
  const desk = await openDesk('finance', { coolingOffSeconds: 0, approvalsRequired: 2 })
  const [payout, withdrawn] = [
    await desk.shop.payOut(body),
    await desk.shop.payOut({ ...body, amount: '0.002' }),
  ]
  const colleague = await makePerson(service, { merchantId: desk.shop.merchantId, role: 'finance' })
  const other = { ...desk, ...colleague, client: await signedIn(service, colleague) }
  await approve(desk, [await seen(desk, payout)])
  await approve(other, [await seen(other, payout)])
  await until(desk.shop, payout, 'completed')
  await expect
    .poll(async () => (await timelineOf(desk, payout)).map(({ kind, by }) => [kind, by]))
    .toEqual([
      ['payout_created', expect.stringMatching(/^key:/)],
      ['payout_approved', `user:${desk.userId}`],
      ['payout_approved', `user:${other.userId}`],
      ['payout_sent', null],
      ['payout_completed', null],
    ])
  // A key withdrew it, and who did is not recorded.
  await desk.shop.cancelPayout(withdrawn)
  expect((await timelineOf(desk, withdrawn)).map(({ kind, by }) => [kind, by])).toEqual([
    ['payout_created', expect.stringMatching(/^key:/)],
    ['payout_cancelled', null],
  ])
  const theirs = await (await openDesk()).shop.payOut(body)
  const path = { ...desk.here, payoutID: theirs.id }
  expect((await desk.client.call('getPayoutTimeline', { path })).status).toBe(404)
})

it('approving needs a recent second factor and a role that may approve', async () => {
  const desk = await openDesk()
  const payout = await desk.shop.payOut(body)
  const shown = await seen(desk, payout)
  await query(
    service.database.url,
    `update sessions set proved_at = proved_at - interval '6 minutes' where user_id = $1`,
    [desk.userId],
  )
  const call = { path: desk.here, body: { payouts: [shown] } }
  const stale = await desk.client.call('approvePayouts', call)
  expect([stale.status, stale.body.error.code]).toEqual([403, 'step_up_required'])
  const path = { ...desk.here, payoutID: payout.id }
  expect((await desk.client.call('rejectPayout', { path, body: { reason: 'x' } })).body.error.code).toBe(
    'step_up_required',
  )
  for (const role of ['developer', 'viewer'] as const) {
    const person = await makePerson(service, { merchantId: desk.shop.merchantId, role })
    const client = await signedIn(service, person)
    expect((await client.call('approvePayouts', call)).body.error.code).toBe('forbidden')
    expect((await client.call('setPolicy', { path: desk.here, body: {} })).body.error.code).toBe('forbidden')
  }
  expect((await desk.shop.payout(payout)).status).toBe('pending_approval')
})

describe('a policy', () => {
  const agreed = {
    max_payout: '500.00',
    max_day: '1000.00',
    only_known_destinations: true,
    approvals_required: 2,
    cooling_off_seconds: 60,
    approval: 'any',
  }

  it('is replaced as a whole, applies at once, and is recorded with its earlier values', async () => {
    const desk = await openDesk('admin', { coolingOffSeconds: 0 })
    const { client, here } = desk
    const changed = await client.call('setPolicy', { path: here, body: agreed })
    expect([changed.status, changed.body.data]).toEqual([200, expect.objectContaining(agreed)])
    expect((await client.call('getPolicy', { path: here })).body.data).toEqual(changed.body.data)
    await enrolTotp(client)
    const live = (await client.call('getPolicy', { path: { ...here, environment: 'live' } })).body.data
    expect(live).toMatchObject({ max_payout: null, approvals_required: 1 })
    const payout = await desk.shop.payOut(body)
    const { policy } = await review(desk, payout)
    expect(policy.objection).toBe('Its destination is not on the list of allowed destinations.')
    const [entry] = (await acts(desk)).filter(({ action }) => action === 'policy.changed')
    expect(entry?.details).toMatchObject({
      changed: expect.arrayContaining(['maxPayout', 'onlyKnownDestinations']),
      before: ['One person approves a payout.', 'Approval needs a second factor.'],
      after: expect.arrayContaining(['A payout may be worth at most 500.00 USD.']),
    })
  })

  it.each([
    { max_payout: '0' },
    { max_payout: '1.005' },
    { approvals_required: 3 },
    { cooling_off_seconds: -1 },
    { approval: 'none' },
  ])('with %j is refused', async (wrong) => {
    const { client, here } = await openDesk('owner')
    const answer = await client.call('setPolicy', { path: here, body: { ...agreed, ...wrong } })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
  })

  it('stores destinations in the form that payouts use, and removes them', async () => {
    const desk = await openDesk('owner', { onlyKnownDestinations: true })
    const { client, here } = desk
    const payout = await desk.shop.payOut(body)
    const place = { network: 'Bitcoin', address: destination.toUpperCase(), label: 'Cold wallet' }
    const added = await client.call('addDestination', { path: here, body: place })
    expect([added.status, added.body.data]).toMatchObject([
      201,
      {
        destination: { network: 'bitcoin', address: destination, tag: null, label: 'Cold wallet' },
        pending_change: null,
      },
    ])
    const listed = (await client.call('listDestinations', { path: here })).body.data
    expect(listed).toEqual([added.body.data.destination])
    expect(await approve(desk, [await seen(desk, payout)])).toMatchObject([{ outcome: 'approved' }])
    const wrong = await client.call('addDestination', { path: here, body: { ...place, address: 'nowhere' } })
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'validation_error'])
    const gone = { path: here, body: { network: 'bitcoin', address: destination } }
    expect((await client.call('removeDestination', gone)).status).toBe(200)
    expect((await client.call('removeDestination', gone)).status).toBe(404)
    const noted = (await acts(desk)).map(({ action }) => action)
    expect(noted).toEqual(expect.arrayContaining(['destination.added', 'destination.removed']))
  })
})
