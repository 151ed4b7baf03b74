import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { approvePayout } from '../../../src/app/payouts/approve-payout.ts'
import { cancelPayout } from '../../../src/app/payouts/cancel-payout.ts'
import { noPolicy, type PayoutPolicy } from '../../../src/domain/payout-policy.ts'
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
const replayHeader = 'idempotent-replayed'
const countOf = async (shop: Shop) =>
  (await shop.expect(200, 'listPayouts')).body.meta.pagination.total as number

/** Approved payouts cool off for an hour, so that none of them is executed here. */
async function agree(shop: Shop, policy: Partial<PayoutPolicy>): Promise<void> {
  const owner = { merchantId: shop.merchantId, environment: 'test' } as const
  await service.app.store.payoutPolicies.set(owner, { ...noPolicy, coolingOffSeconds: 3600, ...policy })
}

it('a repeated request returns the same payout in its current state and reserves nothing more', async () => {
  const shop = await openShop(service)
  await shop.fund('0.1')
  const json = { ...body, idempotency_key: 'payroll 1' }
  const first = await shop.expect(201, 'createPayout', { json })
  expect(first.headers.get(replayHeader)).toBeNull()
  const { available } = await shop.balance('BTC')
  const again = await shop.expect(201, 'createPayout', { json: { ...json, description: null } })
  expect([again.headers.get(replayHeader), again.body.data]).toEqual(['true', first.body.data])
  expect((await shop.balance('BTC')).available).toBe(available)
  await shop.cancelPayout(first.body.data)
  const later = await shop.expect(201, 'createPayout', { json })
  expect(later.body.data).toMatchObject({ id: first.body.data.id, status: 'cancelled' })
})

it('a replay works without funds and with the network offline, and a different body is still a mismatch', async () => {
  const shop = await openShop(service)
  await shop.fund('0.02')
  const json = { ...body, amount: '0.015', idempotency_key: 'k' }
  const { id } = await shop.payOut(json)
  expect((await shop.payOut(json)).id).toBe(id)
  await shop.setGate('bitcoin', 'offline')
  expect((await shop.payOut(json)).id).toBe(id)
  for (const other of [{ amount: '0.001' }, { amount: '0.0150' }, { description: 'x' }]) {
    const answer = await shop.call('createPayout', { json: { ...json, ...other } })
    expect([answer.status, answer.body.error.code]).toEqual([422, 'idempotency_key_mismatch'])
  }
  const fresh = await shop.call('createPayout', {
    json: { ...json, amount: '0.001', idempotency_key: 'new' },
  })
  expect([fresh.status, fresh.body.error.code]).toEqual([503, 'gate_offline'])
  await shop.setGate('bitcoin', 'online')
  expect((await shop.payOut({ ...json, amount: '0.001', idempotency_key: 'new' })).id).not.toBe(id)
})

it('200 concurrent creates with one key make one payout and get identical answers', async () => {
  const shop = await openShop(service)
  await shop.fund('0.1')
  const json = { ...body, idempotency_key: 'at once' }
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => shop.expect(201, 'createPayout', { json })),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body.data))).size).toBe(1)
  expect(answers.filter((answer) => answer.headers.get(replayHeader) === null)).toHaveLength(1)
  expect(await countOf(shop)).toBe(1)
})

it('of two bodies sent at once under one key, in two currencies, one always wins and the other is a mismatch', async () => {
  const shop = await openShop(service)
  await shop.fund('0.1')
  await shop.fund('1', 'ETH', 'ethereum')
  const other = { currency: 'ETH', amount: '0.01', destination: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' }
  for (let round = 0; round < 3; round++) {
    const bodies = [body, other].map((each) => ({ ...each, idempotency_key: `round ${round}` }))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => shop.call('createPayout', { json: bodies[n % 2] as object })),
    )
    const won = answers.filter(({ status }) => status === 201)
    expect(won).toHaveLength(10)
    expect(new Set(won.map((answer) => answer.body.data.id)).size).toBe(1)
    expect(answers.filter(({ body: { error } }) => error?.code === 'idempotency_key_mismatch')).toHaveLength(
      10,
    )
  }
  expect(await countOf(shop)).toBe(3)
})

it('concurrent requests create exactly as many payouts as the balance covers', async () => {
  const shop = await openShop(service, { payoutFeeBps: 25 })
  const stranger = await openShop(service)
  await shop.fund('0.1')
  await stranger.fund('0.1')
  const trial = await shop.payOut({ ...body, amount: '0.007' })
  await shop.cancelPayout(trial)
  const cost = 0.007 + Number(trial.fee_amount) + Number(trial.network_fee)
  const enoughFor = Math.floor(0.1 / cost)
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      (n % 10 === 9 ? stranger : shop).call('createPayout', { json: { ...body, amount: '0.007' } }),
    ),
  )
  const own = answers.filter((_, n) => n % 10 !== 9)
  expect(own.filter(({ status }) => status === 201)).toHaveLength(enoughFor)
  expect(
    own.filter((answer) => answer.status === 422 && answer.body.error.code === 'insufficient_balance'),
  ).toHaveLength(own.length - enoughFor)
  // Another merchant's payouts in the same batch are not affected.
  expect(answers.filter(({ status }, n) => n % 10 === 9 && status === 201)).toHaveLength(6)
  expect(Number((await shop.balance('BTC')).available)).toBeLessThan(cost)
})

it('when a payout is cancelled and approved at once, one call wins and the others get 409', async () => {
  const shop = await openShop(service)
  await shop.fund('0.1')
  await agree(shop, {})
  for (let round = 0; round < 6; round++) {
    const payout = await shop.payOut({ ...body, amount: '0.001' })
    await shop.told()
    const calls = [
      shop.approve(payout),
      shop.cancelPayout(payout),
      shop.approve(payout),
      shop.cancelPayout(payout),
    ]
    const answers = await Promise.all(round % 2 === 0 ? calls : calls.reverse())
    const statuses = answers.map(({ status }) => status).sort()
    const { status } = await shop.payout(payout)
    // An approved payout may still be cancelled: then both calls won, one after the other.
    const told = await shop.told()
    expect(['approved', 'cancelled']).toContain(status)
    if (told.length === 2) expect(told).toEqual(['payout.approved', 'payout.cancelled'])
    else expect(told).toEqual([`payout.${status}`])
    expect(statuses).toEqual(told.length === 2 ? [200, 200, 409, 409] : [200, 409, 409, 409])
  }
})

it('of concurrent approvals under a daily limit, each counts those before it', async () => {
  const shop = await openShop(service)
  await shop.fund('0.1')
  await agree(shop, { maxDay: 100_000n })
  const payouts = await Promise.all(Array.from({ length: 4 }, () => shop.payOut(body)))
  await Promise.all(payouts.map((payout) => shop.approve(payout)))
  const after = await Promise.all(payouts.map((payout) => shop.payout(payout)))
  expect(after.filter(({ status }) => status === 'approved')).toHaveLength(1)
  const [waiting] = after.filter(({ status }) => status === 'pending_approval')
  expect(waiting.waiting_reason).toContain('600.00 USD approved in the last 24 hours')
})

it('concurrent refunds of one invoice never exceed its credit', async () => {
  const shop = await openShop(service)
  await shop.fund('0.5')
  const invoice = await shop.fund('0.1')
  const json = { invoice_id: invoice.id, currency: 'BTC', amount: '0.03', destination }
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.refund(json)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(answers.filter(({ body: { error } }) => error?.code === 'refund_exceeds_credited')).toHaveLength(17)
  expect((await shop.refund({ ...json, amount: '0.01' })).status).toBe(201)
  expect((await shop.refund({ ...json, amount: '0.00001' })).status).toBe(422)
})

it('200 concurrent refunds with one key make one, and after its cancellation the amount can be refunded again', async () => {
  const shop = await openShop(service)
  await shop.fund('0.5')
  const invoice = await shop.fund('0.1')
  const json = { invoice_id: invoice.id, currency: 'BTC', amount: '0.1', destination }
  const answers = await Promise.all(Array.from({ length: 200 }, () => shop.refund(json, 'at once')))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body.data))).size).toBe(1)
  expect(answers.filter((answer) => answer.headers.get(replayHeader) === null)).toHaveLength(1)
  await shop.cancelPayout({ id: answers[0]?.body.data.payout_id })
  expect((await shop.refund(json, 'another')).status).toBe(201)
})

it('refunds stay within the credit while a reorganisation reverses the deposit', async () => {
  const shop = await openShop(service)
  await shop.fund('0.5')
  for (let round = 0; round < 3; round++) {
    const invoice = await shop.create({ currency: 'BTC', amount: '0.02' })
    const hash = await shop.pay(invoice, '0.02')
    await shop.mine(2)
    const json = { invoice_id: invoice.id, currency: 'BTC', amount: '0.005', destination }
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => shop.refund(json))),
      shop.reorganise(2, [hash]),
    ])
    // Each was decided either before the reversal, within the credit, or after it, when there is no credit.
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBeLessThanOrEqual(4)
    for (const { status, body: answer } of answers)
      expect(status === 201 || ['refund_exceeds_credited', 'invalid_state'].includes(answer.error.code)).toBe(
        true,
      )
    const after = await shop.refund(json)
    expect([after.status, after.body.error.code]).toEqual([400, 'invalid_state'])
    const late = await query(
      service.database.url,
      `select from ledger_entries as reversal join ledger_entries as refund using (merchant_id, environment, currency)
       where reversal.entry_type = 'reversal' and reversal.reference_id = $1 and refund.entry_type = 'refund'
         and refund.reference_id = any($2::uuid[]) and refund.number > reversal.number`,
      [invoice.id, made.map(({ body: answer }) => answer.data.id)],
    )
    expect(late).toEqual([])
  }
})

it('the operator may approve and reject any merchant’s payout, and a merchant only its own', async () => {
  const shop = await openShop(service)
  const stranger = await openShop(service)
  await shop.fund('0.1')
  await agree(shop, {})
  const { id } = await shop.payOut(body)
  const foreign = { merchantId: stranger.merchantId, environment: 'test' } as const
  await expect(approvePayout(service.app, foreign, id, { approver: 'user:x' })).rejects.toThrow(
    'no such payout',
  )
  await expect(cancelPayout(service.app, foreign, id)).rejects.toThrow('no such payout')
  const approved = await approvePayout(service.app, null, id, { approver: 'cli:x' })
  expect(approved.status).toBe('approved')
  expect((await cancelPayout(service.app, null, id, { by: 'cli:x' })).status).toBe('cancelled')
  expect((await shop.ledger('BTC')).at(-1)).toMatchObject({
    entry_type: 'release',
    description: 'The payout was rejected by cli:x.',
  })
})
