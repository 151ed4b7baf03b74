import { afterAll, beforeAll, expect, it } from 'vitest'
import { noPolicy } from '../../src/domain/payout-policy.ts'
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts'
import { audit, auditTampered } from '../support/database/tampered-books.ts'
import { startTestService } from '../support/shop/service.ts'
import { openShop, quiet } from '../support/shop/shop.ts'

// Books with payouts and refunds that are pending, approved and cancelled, with fees and without.
let books: TestDatabase
beforeAll(async () => {
  books = await createTestDatabase()
  const service = await startTestService({ ...quiet, database: books })
  try {
    for (const bps of [0, 30]) {
      const shop = await openShop(service, { payoutFeeBps: bps, refundFeeBps: bps, feeBps: bps })
      const owner = { merchantId: shop.merchantId, environment: 'test' } as const
      await service.app.store.payoutPolicies.set(owner, { ...noPolicy, coolingOffSeconds: 3600 })
      const invoice = await shop.fund('1')
      const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
      const payout = { currency: 'BTC', amount: '0.01', destination }
      const [, approved, cancelled] = [
        await shop.payOut(payout),
        await shop.payOut(payout),
        await shop.payOut(payout),
      ]
      await shop.approve(approved)
      await shop.cancelPayout(cancelled)
      const refund = { ...payout, invoice_id: invoice.id }
      expect((await shop.refund(refund)).status).toBe(201)
      const { payout_id: id } = (await shop.refund(refund)).body.data
      await shop.cancelPayout({ id })
    }
    // The audit is also clean while the service runs.
    expect(await audit(books.url)).toEqual({ ok: true, differences: [] })
  } finally {
    await service.stop()
  }
})
afterAll(() => books.drop())

const first = (condition: string) => `(select min(id::text)::uuid from payouts where ${condition})`

it.each<[what: string, statement: string, words: RegExp]>([
  [
    'an open payout charged more than was reserved',
    `update payouts set network_fee_units = network_fee_units + 1 where id = ${first(`status = 'approved'`)} returning id`,
    /network fee \d+, 0 raises\): booked/,
  ],
  [
    'more reserved than the open payouts are charged',
    `update payouts set amount_units = amount_units - 1 where id = ${first(`status = 'approved'`)} returning merchant_id`,
    /the account has \d+, the open payouts are charged \d+/,
  ],
  [
    'a payout marked as cancelled that released nothing',
    `update payouts set status = 'cancelled', cancelled_at = now() where id = ${first(`status = 'approved'`)} returning id`,
    /\(cancelled, .*; released 0 in 0 entries/,
  ],
  [
    'a cancelled payout with another charge than was released',
    `update payouts set network_fee_units = network_fee_units + 1
      where id = ${first(`status = 'cancelled'`)} returning id`,
    /\(cancelled, .*; released \d+ in 1 entries/,
  ],
  [
    'a cancelled payout marked as pending again',
    `update payouts set status = 'pending_approval', cancelled_at = null
      where id = ${first(`status = 'cancelled'`)} returning id`,
    /\(pending_approval, .*; released \d+ in 1 entries/,
  ],
  [
    'a reserve that belongs to no payout',
    `update ledger_transactions set subject = gen_random_uuid() where id = (select min(id::text)::uuid
      from ledger_transactions where entry_type = 'payout') returning subject`,
    /there is no payout/,
  ],
  [
    'an approved payout without an approval',
    `delete from payout_approvals returning payout_id`,
    /it has no approval/,
  ],
  [
    'a refund over another amount than its payout',
    `update refunds set amount_units = amount_units + 1 where id = (select min(id::text)::uuid from refunds) returning id`,
    /its payout .* is over/,
  ],
  [
    'a payout of a refund that does not exist',
    `update payouts set refund_id = gen_random_uuid() where id = ${first('refund_id is not null')} returning id`,
    /which does not exist/,
  ],
  [
    'an invoice refunded without a completed refund',
    'update invoices set refunded_units = 1 where paid_units > 0 returning id',
    /refunded 1, its completed refunds sum to 0/,
  ],
  [
    'a list of payouts whose kept length is wrong',
    `update list_counts set difference = difference + 1 where list = 'payouts' returning merchant_id`,
    /list payouts .* its kept length is/,
  ],
])('the audit finds and names %s', async (_what, statement, words) => {
  const { id, ok, differences } = await auditTampered(books, statement)
  expect(ok).toBe(false)
  expect(
    differences.filter((each) => words.test(each) && each.includes(id)),
    differences.join('\n'),
  ).not.toEqual([])
})
