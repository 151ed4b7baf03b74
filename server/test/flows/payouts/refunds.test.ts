import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { expectSoundBooks } from '../../support/database/books.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(async () => {
  expect(await auditBooks(service.app)).toEqual({ ok: true, differences: [] })
  await service.stop()
})
afterEach(() => expectSoundBooks(service.database.url))

const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const of = (invoice: { id: string }, amount = '0.01') => ({
  invoice_id: invoice.id,
  currency: 'BTC',
  amount,
  destination,
})
async function expectRefused(shop: Shop, json: object, status: number, code: string) {
  const answer = await shop.refund(json)
  expect([answer.status, answer.body.error?.code], JSON.stringify(json)).toEqual([status, code])
  return answer.body.error
}

it('a refund is executed by a payout of its own, which waits for approval like any other', async () => {
  const shop = await openShop(service, { refundFeeBps: 100, payoutFeeBps: 9_999 })
  await shop.fund('0.5')
  const invoice = await shop.fund('0.1')
  await shop.told()
  const metadata = { ticket: 'T-1' }
  const answer = await shop.refund({ ...of(invoice, '0.04'), description: 'Returned', metadata })
  const refund = answer.body.data
  const { id, payout_id, network_fee, created_at } = refund
  expect([answer.status, refund]).toEqual([
    201,
    {
      id,
      invoice_id: invoice.id,
      payout_id,
      currency: 'BTC',
      network: 'bitcoin',
      amount: '0.04',
      amount_in_base_currency: '2400.00',
      base_currency: 'USD',
      refund_fee: '0.0004',
      network_fee,
      destination,
      destination_tag: null,
      allow_program_address: false,
      status: 'pending',
      environment: 'test',
      tx_hash: null,
      explorer_url: null,
      waiting_reason: null,
      waiting_reasons: [],
      failure_reason: null,
      failure_reasons: [],
      description: 'Returned',
      metadata,
      completed_at: null,
      created_at,
    },
  ])
  // The fee belongs to the refund: its payout has no fee of its own.
  expect(await shop.payout({ id: payout_id })).toMatchObject({
    status: 'pending_approval',
    amount: '0.04',
    fee_amount: '0',
    network_fee,
    idempotency_key: null,
  })
  expect((await shop.ledger('BTC')).slice(2)).toMatchObject([
    { entry_type: 'refund', amount: '0.04', direction: 'debit', reference_type: 'refund', reference_id: id },
    { entry_type: 'refund_fee', amount: '0.0004', reference_type: 'refund', reference_id: id },
    { entry_type: 'network_fee', amount: network_fee, reference_type: 'refund', reference_id: id },
  ])
  expect(await shop.told()).toEqual([])
  expect((await shop.get(invoice)).amount_refunded).toBe('0')
})

it('a rejected refund is cancelled with its payout, and both its funds and the refundable amount come back', async () => {
  const shop = await openShop(service)
  await shop.fund('0.5')
  const invoice = await shop.fund('0.1')
  const { id, payout_id } = (await shop.refund(of(invoice, '0.1'))).body.data
  await expectRefused(shop, of(invoice, '0.00001'), 422, 'refund_exceeds_credited')
  await shop.told()
  await shop.expect(200, 'rejectTestPayout', { path: { payoutID: payout_id } })
  const after = (await shop.expect(200, 'getRefund', { path: { refundID: id } })).body.data
  expect(after).toMatchObject({ id, status: 'cancelled' })
  expect(await shop.told()).toEqual(['payout.cancelled'])
  expect((await shop.ledger('BTC')).at(-1)).toMatchObject({
    entry_type: 'release',
    reference_type: 'refund',
    reference_id: id,
    balance_after: '0.6',
  })
  expect((await shop.refund(of(invoice, '0.1'))).status).toBe(201)
})

it('the refundable amount is the credit after the fee, including late deposits', async () => {
  const shop = await openShop(service, { feeBps: 100 })
  await shop.fund('0.5')
  const invoice = await shop.create({ currency: 'BTC', amount: '0.1' })
  await shop.pay(invoice, '0.02')
  await shop.mine(2)
  await shop.expire(invoice)
  await shop.pay(invoice, '0.03')
  await shop.mine(2)
  expect(await shop.get(invoice)).toMatchObject({
    status: 'expired',
    amount_paid: '0.05',
    fee_amount: '0.0005',
  })
  const error = await expectRefused(shop, of(invoice, '0.04950001'), 422, 'refund_exceeds_credited')
  expect(error.details).toEqual(['/amount: must be at most 0.0495 BTC'])
  expect((await shop.refund(of(invoice, '0.0495'))).status).toBe(201)
})

it('an invoice without a credit, or whose credit was reversed, cannot be refunded', async () => {
  const shop = await openShop(service)
  await shop.fund('0.5')
  const unpaid = await shop.create()
  await expectRefused(shop, of(unpaid), 400, 'invalid_state')
  const hash = await shop.pay(unpaid, '0.01')
  await expectRefused(shop, of(unpaid), 400, 'invalid_state')
  await shop.mine(2)
  await shop.reorganise(2, [hash])
  await expectRefused(shop, of(unpaid), 400, 'invalid_state')
  const deferred = await shop.create({ amount_fiat: '10', fiat_currency: 'USD' })
  await expectRefused(shop, of(deferred), 400, 'invalid_state')
})

it('only the credited asset can be refunded, on its own network', async () => {
  const shop = await openShop(service)
  await shop.fund('10', 'ETH', 'ethereum')
  const btc = await shop.fund('0.1')
  const eth = await shop.fund('1', 'ETH', 'base')
  const to = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
  const other = { ...of(btc), currency: 'ETH', destination: to }
  await expectRefused(shop, other, 422, 'refund_exceeds_credited')
  const elsewhere = { ...of(eth), currency: 'ETH', destination: to }
  await expectRefused(shop, { ...elsewhere, network: 'ethereum' }, 422, 'refund_exceeds_credited')
  expect((await shop.refund({ ...elsewhere, network: 'base' })).body.data).toMatchObject({ network: 'base' })
})

it('another merchant’s invoice and an unknown one get 404', async () => {
  const [shop, stranger] = [await openShop(service), await openShop(service)]
  const invoice = await stranger.fund('0.1')
  await expectRefused(shop, of(invoice), 404, 'not_found')
  await expectRefused(shop, of({ id: randomUUID() }), 404, 'not_found')
  await expectRefused(shop, { ...of(invoice), amount: '0' }, 400, 'validation_error')
  await expectRefused(shop, { ...of(invoice), invoice_id: 'x' }, 400, 'validation_error')
})

it('a refund is refused for the same reasons as a payout', async () => {
  const shop = await openShop(service)
  const invoice = await shop.fund('0.1')
  await expectRefused(shop, of(invoice, '0.1'), 422, 'insufficient_balance')
  await expectRefused(shop, { ...of(invoice), destination: 'x' }, 422, 'invalid_destination')
  await expectRefused(shop, of(invoice, '0.000001'), 422, 'amount_too_small')
  await shop.setGate('bitcoin', 'offline')
  await expectRefused(shop, of(invoice), 503, 'gate_offline')
})

it('a key replays its refund, conflicts with another body, and must be 1 to 255 characters long', async () => {
  const shop = await openShop(service)
  await shop.fund('0.5')
  const [invoice, another] = [await shop.fund('0.1'), await shop.fund('0.1')]
  const first = await shop.refund(of(invoice), 'ticket 1')
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
  const again = await shop.refund({ ...of(invoice), description: null }, 'ticket 1')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(again.body.data).toEqual(first.body.data)
  for (const other of [of(invoice, '0.02'), of(another), { ...of(invoice), description: 'x' }]) {
    const answer = await shop.refund(other, 'ticket 1')
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
  }
  // A replay depends neither on the credit nor on the network.
  await shop.setGate('bitcoin', 'offline')
  expect((await shop.refund(of(invoice), 'ticket 1')).status).toBe(201)
  await shop.setGate('bitcoin', 'online')
  for (const key of ['', 'x'.repeat(256)]) {
    const answer = await shop.refund(of(invoice), key)
    expect([answer.status, answer.body.error.details[0]]).toEqual([
      400,
      expect.stringMatching(/^\/Idempotency-Key: /),
    ])
  }
  expect((await shop.refund(of(invoice), 'x'.repeat(255))).status).toBe(201)
  // Payouts have keys of their own.
  const payout = { currency: 'BTC', amount: '0.01', destination, idempotency_key: 'ticket 1' }
  expect((await shop.call('createPayout', { json: payout })).status).toBe(201)
})

it('of concurrent refunds of two invoices under one key, one wins, the other conflicts and reserves nothing', async () => {
  const shop = await openShop(service)
  await shop.fund('0.5')
  const invoices = [await shop.fund('0.1'), await shop.fund('0.1')]
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => shop.refund(of(invoices[n % 2] as { id: string }), 'shared')),
  )
  const won = answers.filter(({ status }) => status === 201)
  expect(won).toHaveLength(8)
  expect(new Set(won.map(({ body }) => body.data.id)).size).toBe(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(8)
  expect((await shop.expect(200, 'listRefunds')).body.meta.pagination.total).toBe(1)
})

it('refunds are listed newest first, and by invoice', async () => {
  const shop = await openShop(service)
  await shop.fund('0.5')
  const [one, two] = [await shop.fund('0.1'), await shop.fund('0.1')]
  const made = []
  for (const invoice of [one, two, one]) made.push((await shop.refund(of(invoice))).body.data)
  const list = async (query: Record<string, string>) =>
    (await shop.expect(200, 'listRefunds', { query })).body
  expect((await list({})).data).toEqual([...made].reverse())
  expect(await list({ limit: '1', offset: '1' })).toMatchObject({
    data: [{ id: made[1].id }],
    meta: { pagination: { total: 3, limit: 1, offset: 1, has_more: true } },
  })
  expect(await list({ invoice_id: one.id, limit: '1' })).toMatchObject({
    data: [{ id: made[2].id }],
    meta: { pagination: { total: 2, limit: 1, offset: 0, has_more: true } },
  })
  expect((await list({ invoice_id: randomUUID() })).data).toEqual([])
  expect((await shop.call('listRefunds', { query: { invoice_id: 'x' } })).status).toBe(400)
  const stranger = await openShop(service)
  expect((await stranger.expect(200, 'listRefunds', { query: { invoice_id: one.id } })).body.data).toEqual([])
})
