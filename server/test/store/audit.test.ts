import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { audit, auditTampered } from '../support/database/tampered-books.ts'
import { call } from '../support/shop/contract-client.ts'
import { startTestService } from '../support/shop/service.ts'

it('an empty database has no differences', async () => {
  const empty = await createTestDatabase()
  expect(await audit(empty.url)).toEqual({ ok: true, differences: [] })
  await empty.drop()
})

// Books with some of everything: fees, a late deposit, a reversal, suspense, a static address, an unconfirmed payment.
let books: TestDatabase
beforeAll(async () => {
  books = await createTestDatabase()
  const service = await startTestService({
    database: books,
    config: { limits: { key_per_minute: 100_000, ip_per_minute: 100_000 } },
    env: { SLUICE_SANDBOX_BLOCK_SECONDS: '0' },
  })
  try {
    for (const feeBps of [0, 150]) {
      const merchantId = await service.makeMerchant()
      await query(
        books.url,
        'update merchants set fee_bps = $1, underpayment_tolerance_bps = 50 where id = $2',
        [feeBps, merchantId],
      )
      await tellStory(service.url, (await service.makeKey(merchantId)).key)
    }
    // The audit is also clean while the service runs.
    expect(await audit(books.url)).toEqual({ ok: true, differences: [] })
  } finally {
    await service.stop()
  }
})
afterAll(() => books.drop())

async function tellStory(url: string, key: string): Promise<void> {
  const ask = async (operation: string, body: object, path: Record<string, string> = {}) => {
    const answer = await call(url, operation, { key, path, body: JSON.stringify(body) })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body.data
  }
  const invoice = () => ask('createInvoice', { currency: 'BTC', amount: '0.01' })
  const pay = async (to: { deposit_address?: string; address?: string }, amount: string, currency = 'BTC') =>
    (await ask('createTestDeposit', { address: to.deposit_address ?? to.address, amount, currency })).tx_hash
  const mine = (network: string, count: number) => ask('mineTestBlocks', { network, count })

  await pay(await invoice(), '0.01')
  await pay(await invoice(), '0.03')
  const expired = await invoice()
  await ask('expireTestInvoice', {}, { invoiceID: expired.id })
  await pay(expired, '0.01')
  await pay(await invoice(), '0.000005')
  await mine('bitcoin', 3)
  const lost = await pay(await invoice(), '0.01')
  await mine('bitcoin', 2)
  await ask('reorganiseTestChain', { network: 'bitcoin', depth: 2, drop: [lost] })
  await pay(await ask('createAddress', { currency: 'LTC' }), '0.5', 'LTC')
  await mine('litecoin', 6)
  // One unit, the smallest there is, less than the tolerance allows: no rounding may hide that.
  const short = await ask('createInvoice', { currency: 'ETH', amount: '0.695380820000000966' })
  await pay(short, '0.691903915900000961', 'ETH')
  await mine('ethereum', 12)
  await pay(await invoice(), '0.01')
  await mine('bitcoin', 1)
  await pay(await invoice(), '0.01')
}

describe('the audit finds and names', () => {
  /** A change, a statement that makes it and returns the id to be named, and the words of the finding. */
  const tampered: readonly [what: string, statement: string, words: RegExp][] = [
    [
      'a posting with a wrong amount',
      `update postings set units = units + 1 where transaction_id = (select min(id::text)::uuid from ledger_transactions
        where entry_type = 'deposit') returning transaction_id`,
      /sum to 2, not 0|sum to 1, not 0/,
    ],
    [
      'a ledger transaction without postings',
      `insert into ledger_transactions (id, entry_type, subject, occurrence)
        values (gen_random_uuid(), 'adjustment', gen_random_uuid(), 1) returning id`,
      /it has no postings/,
    ],
    [
      'a balance that its postings do not add up to',
      `update ledger_accounts set balance_units = balance_units + 1 where kind = 'available' returning id`,
      /its balance is \d+, its postings sum to \d+/,
    ],
    [
      'a missing ledger entry',
      'delete from ledger_entries where number = 1 returning transaction_id',
      /it has no ledger entry/,
    ],
    [
      'a ledger entry without a posting',
      `update ledger_entries set transaction_id = gen_random_uuid() where number = 1 returning merchant_id`,
      /no posting on an available account belongs to it/,
    ],
    [
      'a ledger entry with a wrong amount',
      'update ledger_entries set units = units + 1 where number = 1 returning merchant_id',
      /it says (late_)?deposit \d+ on/,
    ],
    [
      'a gap in a ledger’s numbers',
      `update ledger_entries set number = number + 1 where (merchant_id, currency, number) in
        (select merchant_id, currency, last_number from ledger_numbers) returning merchant_id`,
      /entries, numbered 1 to \d+, and the last number given is/,
    ],
    [
      'a number assigned and not used',
      'update ledger_numbers set last_number = last_number + 1 returning merchant_id',
      /the last number given is/,
    ],
    [
      'a wrong balance after an entry',
      'update ledger_entries set balance_after = balance_after + 1 where number = 1 returning merchant_id',
      /it says the balance after it is/,
    ],
    [
      'a payment credited in its booking and not in the ledger',
      `update payment_bookings set credited = false where credited and fee_units = 0
        and payment_id in (select id from payments where invoice_id is not null) returning payment_id`,
      /counts as not credited/,
    ],
    [
      'a second credit of one payment',
      `insert into ledger_transactions (id, entry_type, subject, occurrence)
        select gen_random_uuid(), 'deposit', payment_id, 99 from payment_bookings where credited limit 1 returning subject`,
      /it was booked \d times/,
    ],
    [
      'a release from suspense that the ledger does not have',
      `insert into suspense_releases (payment_id, merchant_id, released_by, note)
        select payments.id, merchants.id, 'cli:eve', 'x' from payments, merchants where suspense_reason = 'dust' limit 1
        returning payment_id`,
      /adjustments credited it 0 times and reversed it 0 times; it is booked and released to merchant/,
    ],
    [
      'an adjustment without a release',
      `insert into ledger_transactions (id, entry_type, subject, occurrence)
        select gen_random_uuid(), 'adjustment', id, 2 from payments where suspense_reason = 'dust' limit 1 returning subject`,
      /adjustments credited it 1 times and reversed it 0 times; it is booked and not released/,
    ],
    [
      'a credit without a payment',
      `insert into ledger_transactions (id, entry_type, subject, occurrence)
        values (gen_random_uuid(), 'deposit', gen_random_uuid(), 1) returning subject`,
      /unknown/,
    ],
    [
      'a payment with another amount than was booked',
      `update payments set units = units + 10000 where id in (select payment_id from payment_bookings where credited)
        returning id`,
      /posted available/,
    ],
    [
      'a fee that was not charged',
      `update invoices set fee_bps = fee_bps + 5000 where paid_units > 0
        and fee_bps < 5000 returning (select id from payments where invoice_id = invoices.id and exists
          (select from payment_bookings where payment_id = payments.id and credited) limit 1)`,
      /fee entries; its fee is|a fee of/,
    ],
    [
      'a deposit whose lateness differs between booking and ledger',
      `update payment_bookings set late = not late where credited
        and payment_id in (select id from payments where invoice_id is not null) returning payment_id`,
      /but its booking says that it came/,
    ],
    [
      'a payment at another address than its invoice’s',
      `update payments set address = 'elsewhere' where invoice_id is not null returning id`,
      /awaits \w+ at/,
    ],
    [
      'a credited payment that is in no block',
      `update payments set block_height = null, block_hash = null, waiting = true
        where id in (select payment_id from payment_bookings where credited) returning id`,
      /it is credited, with 0 of \d+ confirmations/,
    ],
    [
      'a payment that is deep enough but not credited',
      `update payments set required_confirmations = 1 where block_height is not null and invoice_id is not null
        and id in (select payment_id from payment_bookings where not credited) returning id`,
      /it is not credited, with \d+ of \d+ confirmations/,
    ],
    [
      'a payment that was not processed',
      `delete from payment_bookings where credits = 0 and payment_id in (select id from payments where invoice_id is not null)
        returning payment_id`,
      /it is not assessed/,
    ],
    [
      'a payment in a block of another branch',
      `update payments set block_hash = 'another' where block_height is not null returning id`,
      /it is recorded in block \d+ \(another\)/,
    ],
    [
      'an invoice whose paid amount differs from its payments',
      'update invoices set paid_units = paid_units + 1 returning id',
      /its payments sum to paid/,
    ],
    [
      'an invoice whose pending amount differs from its payments',
      'update invoices set pending_units = pending_units + 1 where currency is not null returning id',
      /its payments sum to paid/,
    ],
    [
      'a status that does not match the amounts',
      `update invoices set status = 'pending' where status in ('paid', 'overpaid') returning id`,
      /it is pending, with \d+ settled of/,
    ],
    [
      'invoice.paid sent twice',
      `insert into events (id, merchant_id, environment, event, data) select gen_random_uuid(), merchant_id, environment,
        event, data from events where event = 'invoice.paid' limit 1 returning data ->> 'id'`,
      /it has 2 invoice.paid events/,
    ],
    [
      'invoice.paid not sent',
      `delete from events where event = 'invoice.paid' returning data ->> 'id'`,
      /it has 0 invoice.paid events, and was paid at/,
    ],
    [
      'merchant totals that its invoices do not add up to',
      'update merchant_totals set received_units = received_units + 1 returning merchant_id',
      /its invoices and payouts sum to/,
    ],
    [
      'a daily sum that differs from the ledger',
      'update daily_sums set units = units + 1 returning merchant_id',
      /units worth \d+; the ledger says/,
    ],
    [
      'a daily value that differs from its payments',
      `update daily_sums set base_units = base_units - 1 where base_currency <> '' returning merchant_id`,
      /the ledger says \d+ units worth/,
    ],
    [
      'a missing daily sum',
      'delete from daily_sums returning merchant_id',
      /: 0 units worth 0; the ledger says/,
    ],
    [
      'a daily fee that differs from the ledger',
      'update daily_fees set units = units + 1 returning merchant_id',
      /platform fees of .*; the ledger says/,
    ],
    [
      'a missing daily fee',
      'delete from daily_fees returning merchant_id',
      /: 0 units worth 0 millionths; the ledger says/,
    ],
    [
      'a daily number of invoices that differs from them',
      `update daily_invoices set invoices = invoices + 1 where outcome = 'paid' returning merchant_id`,
      /paid invoices of .*the kept number is/,
    ],
    [
      'static address totals that its deposits do not add up to',
      'update static_addresses set invoice_count = invoice_count + 1 returning id',
      /its invoices sum to/,
    ],
    [
      'a list whose kept length is wrong',
      // Not a change of a row that is there: all of them may have been folded.
      `insert into list_counts (list, merchant_id, environment, facet, currency, bucket, difference)
        select 'events', id, 'test', 'invoice.paid', '', 0, 1 from merchants limit 1 returning merchant_id`,
      /its kept length is/,
    ],
    [
      'a deposit address with two owners',
      `update static_addresses set deposit_position = invoices.deposit_position, keychain = invoices.keychain
        from invoices where invoices.static_address_id is null and invoices.deposit_position is not null
          and static_addresses.id = (select max(id::text)::uuid from static_addresses)
        returning static_addresses.id`,
      /it belongs to invoice .* and to static address/,
    ],
    [
      'a deposit address in use that was never given out',
      `update deposit_address_counters set given = 0 where given > 0 returning keychain`,
      /only those below 0 were given out/,
    ],
    [
      'an owner whose address differs from its position’s',
      `update static_addresses set address = 'elsewhere' returning id`,
      /has elsewhere/,
    ],
  ]

  it.each(tampered)('%s', async (_what, statement, words) => {
    const { id, ok, differences } = await auditTampered(books, statement)
    expect(ok).toBe(false)
    const named = differences.filter((each) => words.test(each) && each.includes(id))
    expect(named, differences.join('\n')).not.toEqual([])
  })
})

it('of very many differences of one kind the first are named and the rest counted', async () => {
  const { differences } = await auditTampered(
    books,
    `insert into ledger_transactions (id, entry_type, subject, occurrence)
      select gen_random_uuid(), 'settlement', gen_random_uuid(), 1 from generate_series(1, 25) returning id`,
  )
  expect(differences).toHaveLength(21)
  expect(differences.at(-1)).toBe(
    'and 5 more against: the postings of every ledger transaction sum to zero in every asset',
  )
})
