import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts'
import { audit, auditTampered } from '../support/database/tampered-books.ts'
import { newAddress, until } from '../support/shop/money-out.ts'
import { startTestService } from '../support/shop/service.ts'
import { openShop, quiet } from '../support/shop/shop.ts'

// Books with completed and open payouts, in coins with change, and in a token with sweeps and gas.
let books: TestDatabase
beforeAll(async () => {
  books = await createTestDatabase()
  const service = await startTestService({ ...quiet, database: books })
  try {
    const shop = await openShop(service, { payoutFeeBps: 30 })
    for (const [currency, network, amount] of [
      ['BTC', 'bitcoin', '0.1'],
      ['USDT', 'ethereum', '50'],
    ] as const) {
      await shop.fund(
        amount.replace(/^\d+/, (whole) => `${Number(whole) + 10}`),
        currency,
        network,
      )
      const payout = await shop.payOut({ currency, network, amount, destination: await newAddress(network) })
      await shop.approve(payout)
      await until(shop, payout, 'completed')
    }
    const open = { currency: 'BTC', amount: '0.2', destination: await newAddress('bitcoin') }
    const payout = await shop.payOut(open)
    await shop.approve(payout)
    await until(shop, { ...payout, network: 'bitcoin' }, 'processing')
    expect(await audit(books.url)).toEqual({ ok: true, differences: [] })
  } finally {
    await service.stop()
  }
})
afterAll(() => books.drop())

it.each<[what: string, statement: string, words: RegExp]>([
  [
    'a processing payout whose spend is final',
    `update payouts set status = 'processing', completed_at = null where currency = 'BTC' and status = 'completed' returning id`,
    /it is processing, and its spend .* is final/,
  ],
  [
    'a final spend whose payout is processing',
    `update spends set status = 'final', ended_at = now(), mined_hash = 'x', fee_units = 1
      where kind = 'payout' and status = 'open' returning id`,
    /it is processing, and its spend .* is final/,
  ],
  [
    'a chain account that its payments do not add up to',
    `update ledger_accounts set balance_units = balance_units - 1 where kind = 'chain' and currency = 'USDT' returning currency`,
    /chain account of USDT on ethereum/,
  ],
  [
    'an address with a shortfall',
    `insert into balance_shortfalls (gate_id, address, currency, decimals, expected_units, found_units, block_height)
      values ('ethereum-test', '0xEmptied', 'ETH', 18, 5, 3, 77) returning address`,
    /address 0xEmptied of ethereum-test: it should have 5 units of ETH, and at block 77 it had 3/,
  ],
  [
    'a fee that the network did not charge',
    `update spends set fee_units = fee_units + 1 where kind = 'sweep' and status = 'final' returning fee_currency`,
    /chain account of ETH on ethereum/,
  ],
  [
    'a hot wallet with a larger free balance than it received',
    `update hot_balances set units = units + 1 where currency = 'USDT' returning gate_id`,
    /hot wallet of ethereum-test: its recorded free balance is \d+ USDT/,
  ],
  [
    'an amount moved outside Sluice that was never booked',
    `insert into outside_moves (id, gate_id, address, first_nonce, next_nonce, currency, units, stated_by)
      values ('01890000-0000-7000-8000-000000000000', 'ethereum-test', 'hot', 1, 2, 'ETH', 7, 'cli:x') returning gate_id`,
    /chain account of ETH on ethereum .* moves outside Sluice 7.*hot wallet of ethereum-test: its recorded free balance is \d+ ETH/s,
  ],
  [
    'payouts marked as lost without a booking',
    `update spends set lost_currency = 'USDT', lost_units = 5, lost_count = 1
      where kind = 'payout' and status = 'final' returning lost_currency`,
    /chain account of USDT on ethereum .* lost payouts \d*5\d*/,
  ],
  [
    'coins claimed by a dead spend',
    `update spends set status = 'dead', ended_at = now() where kind = 'payout' and status = 'open' returning id`,
    /is claimed by spend .*, which is dead/,
  ],
  [
    'a mined transaction that was never signed',
    `update spends set mined_hash = 'unheard of' where kind = 'payout' and status = 'final' returning id`,
    /transaction unheard of is recorded as mined for it, but was never signed/,
  ],
])('the audit names %s', async (_, statement, words) => {
  const { ok, differences } = await auditTampered(books, statement)
  expect(ok).toBe(false)
  expect(differences.join('\n')).toMatch(words)
})
