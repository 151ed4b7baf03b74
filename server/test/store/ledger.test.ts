import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceDecimals } from '../../src/domain/assets.ts'
import type { AccountKind, LedgerAsset, LedgerTransaction } from '../../src/domain/ledger.ts'
import type { Database } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { storeOn } from '../../src/store/store.ts'
import {
  asSuperuser,
  createTestDatabase,
  onDatabase,
  query,
  type TestDatabase,
} from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'
import { currencies } from '../support/shop/registry.ts'

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 24)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const usdtOn = (network: string): LedgerAsset => ({
  environment: 'test',
  network,
  currency: 'USDT',
  decimals: network === 'bsc' ? 18 : 6,
})

async function makeMerchant(): Promise<string> {
  const id = randomUUID()
  await storeOn(database.db).merchants.insert({ id, name: 'shop' })
  return id
}

/** Moves units of an asset to a merchant from the chain. */
function deposit(merchantId: string, asset: LedgerAsset, units: bigint, subject: string = randomUUID()) {
  const account = (kind: AccountKind, owner: string | null) => ({ ...asset, kind, merchantId: owner })
  const transaction: LedgerTransaction = {
    entryType: 'deposit',
    subject,
    occurrence: 1,
    reference: { type: 'invoice', id: randomUUID() },
    description: null,
    postings: [
      { account: account('available', merchantId), units },
      { account: account('chain', null), units: -units },
    ],
  }
  return { ...transaction, id: randomUUID() }
}

const decimalsOf = (currency: string) => balanceDecimals(currencies, currency)
const post = (...transactions: ReturnType<typeof deposit>[]) =>
  database.transaction((tx) => storeOn(tx).ledger.post(transactions, decimalsOf))
const entriesOf = (merchantId: string) =>
  query<{ number: string; units: string; network: string; balance_after: string }>(
    test.url,
    'select number, units, network, balance_after from ledger_entries where merchant_id = $1 order by currency, number',
    [merchantId],
  )

/** Every account equals the sum of its postings, and all accounts of an asset sum to zero. */
async function expectBooksBalance(): Promise<void> {
  const wrong = await query(
    test.url,
    `select id from ledger_accounts
     where balance_units <> (select coalesce(sum(units), 0) from postings where account_id = ledger_accounts.id)`,
  )
  expect(wrong).toEqual([])
  const sums = await query(
    test.url,
    `select environment, network, currency from ledger_accounts group by 1, 2, 3 having sum(balance_units) <> 0`,
  )
  expect(sums).toEqual([])
}

describe('the books cannot be rewritten by', () => {
  // Even a superuser of the server cannot rewrite the books.
  const superuser = () => onDatabase(asSuperuser(test.url), test.url.slice(test.url.lastIndexOf('/') + 1))
  beforeAll(async () => {
    await post(deposit(await makeMerchant(), usdtOn('ethereum'), 1n))
  })

  const changes = {
    postings: 'set units = 2',
    ledger_transactions: 'set occurrence = 7',
    ledger_entries: 'set units = 2',
  }
  const refused = Object.entries(changes).flatMap(([table, change]) => [
    `update ${table} ${change}`,
    `delete from ${table}`,
    `truncate ${table} cascade`,
  ])
  it.each(refused)('%s', async (statement) => {
    for (const url of [test.url, superuser()])
      await expect(query(url, statement)).rejects.toThrow(/append-only/)
  })

  it.each([
    `update ledger_accounts set kind = 'reserved'`,
    `update ledger_accounts set decimals = 2`,
    `update ledger_accounts set currency = 'USDC'`,
    `update ledger_accounts set network = 'tron'`,
    `update ledger_accounts set environment = 'live'`,
    `update ledger_accounts set merchant_id = null, kind = 'fees' where merchant_id is not null`,
    'delete from ledger_accounts',
  ])('%s', async (statement) => {
    for (const url of [test.url, superuser()])
      await expect(query(url, statement)).rejects.toThrow(/cannot be changed or removed/)
  })

  it('truncating the accounts', async () => {
    for (const url of [test.url, superuser()]) {
      await expect(query(url, 'truncate ledger_accounts')).rejects.toThrow(/referenced in a foreign key/)
      await expect(query(url, 'truncate ledger_accounts cascade')).rejects.toThrow(/append-only/)
    }
  })
})

it('a transaction that does not sum to zero is refused at COMMIT', async () => {
  const merchantId = await makeMerchant()
  const whole = deposit(merchantId, usdtOn('ethereum'), 5n)
  const [first] = whole.postings
  if (first === undefined) throw new Error('a deposit has two postings')
  await expect(post({ ...whole, postings: [first] })).rejects.toThrow('does not sum to zero')
  // One asset cannot compensate for another.
  const other = { ...first, account: { ...first.account, ...usdtOn('polygon') }, units: -5n }
  await expect(post({ ...whole, postings: [first, other] })).rejects.toThrow('does not sum to zero')
  expect(await entriesOf(merchantId)).toEqual([])
  await expectBooksBalance()
})

it('one subject is booked once, however many callers try at once', async () => {
  const merchantId = await makeMerchant()
  const subject = randomUUID()
  const tries = await Promise.allSettled(
    Array.from({ length: 10 }, () => post(deposit(merchantId, usdtOn('ethereum'), 5n, subject))),
  )
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await entriesOf(merchantId)).toMatchObject([{ number: '1', units: '5' }])
  await expectBooksBalance()
})

it('concurrent entries are numbered without gaps and in order, even when some fail', async () => {
  const merchantId = await makeMerchant()
  const taken = randomUUID()
  await post(deposit(merchantId, usdtOn('ethereum'), 1n, taken))
  await Promise.allSettled(
    Array.from({ length: 20 }, async (_, poster) => {
      for (let n = 0; n < 5; n++) {
        const fails = n === 2 && poster % 4 === 0
        await post(
          deposit(
            merchantId,
            usdtOn(poster % 2 === 0 ? 'ethereum' : 'bsc'),
            1n,
            fails ? taken : randomUUID(),
          ),
        ).catch((error: unknown) => {
          if (!fails) throw error
        })
      }
    }),
  )
  const entries = await entriesOf(merchantId)
  expect(entries.map(({ number }) => Number(number))).toEqual(Array.from({ length: 96 }, (_, n) => n + 1))
  // Each balance is the one before plus the amount added, over both networks, in the finer network's decimals.
  let balance = 0n
  for (const { units, network, balance_after } of entries) {
    balance += BigInt(units) * (network === 'bsc' ? 1n : 10n ** 12n)
    expect(BigInt(balance_after)).toBe(balance)
  }
  await expectBooksBalance()
})

it('posting to several merchants and networks in opposite orders never deadlocks', async () => {
  const merchants = [await makeMerchant(), await makeMerchant(), await makeMerchant()]
  const places = merchants.flatMap((merchant) =>
    ['ethereum', 'bsc', 'polygon'].map((network) => ({ merchant, network })),
  )
  let attempts = 0
  const once = (order: readonly (typeof places)[number][]) =>
    database.transaction(async (tx) => {
      attempts++
      const transactions = order.map(({ merchant, network }) => deposit(merchant, usdtOn(network), 1n))
      await storeOn(tx).ledger.post(transactions, decimalsOf)
    })
  const rounds = 10
  await Promise.all(
    Array.from({ length: 8 }, async (_, poster) => {
      for (let n = 0; n < rounds; n++) await once(poster % 2 === 0 ? places : places.toReversed())
    }),
  )
  expect(attempts).toBe(8 * rounds)
  for (const merchant of merchants) expect(await entriesOf(merchant)).toHaveLength(8 * rounds * 3)
  await expectBooksBalance()
})

it('the balance after an entry covers every network of the currency and only its own merchant', async () => {
  const [merchantId, other] = [await makeMerchant(), await makeMerchant()]
  await post(deposit(other, usdtOn('ethereum'), 999n))
  await post(deposit(merchantId, usdtOn('ethereum'), 1_000_000n))
  await post(deposit(merchantId, usdtOn('bsc'), 10n ** 18n))
  const posted = await post(
    deposit(merchantId, usdtOn('polygon'), 1n),
    deposit(merchantId, usdtOn('ethereum'), 500_000n),
  )
  expect(posted.map(({ number, balanceAfter }) => [number, balanceAfter])).toEqual([
    [3n, 2_000_001n * 10n ** 12n],
    [4n, 2_500_001n * 10n ** 12n],
  ])
})

it('an account with other decimals than it was created with is refused', async () => {
  const merchantId = await makeMerchant()
  await post(deposit(merchantId, usdtOn('ethereum'), 1n))
  await expect(post(deposit(merchantId, { ...usdtOn('ethereum'), decimals: 8 }, 1n))).rejects.toThrow(
    'other decimals',
  )
})

it('a rolled-back transaction leaves no entry, number or balance', async () => {
  const merchantId = await makeMerchant()
  await post(deposit(merchantId, usdtOn('ethereum'), 1n))
  await expect(
    database.transaction(async (tx) => {
      await storeOn(tx).ledger.post([deposit(merchantId, usdtOn('ethereum'), 1n)], decimalsOf)
      await sql`select 1 / 0`.run(tx)
    }),
  ).rejects.toThrow('division by zero')
  await post(deposit(merchantId, usdtOn('ethereum'), 1n))
  expect((await entriesOf(merchantId)).map(({ number }) => number)).toEqual(['1', '2'])
  await expectBooksBalance()
})
