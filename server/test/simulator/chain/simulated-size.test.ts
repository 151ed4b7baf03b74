import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { simulatedChainsOn } from '../../../src/simulator/chain/chains.ts'
import type { Database } from '../../../src/store/database.ts'
import { type Db, sql } from '../../../src/store/sql.ts'
import { createTestDatabase, query, type TestDatabase } from '../../support/database/database.ts'
import { openTestDatabase } from '../../support/database/open-database.ts'

// A database for each test: with rows already present, the statistics are never quite so wrong.
const gate = 'size-test'
let test: TestDatabase
let database: Database
beforeEach(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 2)
  await chains().ensure(gate)
})
afterEach(async () => {
  await database.close()
  await test.drop()
})

const chains = () => simulatedChainsOn(database.db)
const makeHash = () => randomBytes(32).toString('hex')
const makeTransaction = () => ({ hash: makeHash(), bytes: null })

/**
 * 5,000 transactions with rising fees, inserted faster than one by one. The statistics know of none of them: they were
 * collected before, or while the rows were written and not yet committed, as happens under load.
 */
async function fillMempool(statistics: 'before' | 'meanwhile') {
  const analyze = () =>
    query(test.url, 'analyze simulated_transactions, simulated_uses, simulated_outputs, simulated_blocks')
  if (statistics === 'before') await analyze()
  await database.transaction(async (tx) => {
    await sql`
      with t as (
        insert into simulated_transactions (gate_id, hash, fee_units, fee_rate)
        select ${gate}, 'tx ' || n, n, n from generate_series(1, 5000) n returning gate_id, hash
      ), u as (
        insert into simulated_uses (gate_id, use, tx_hash)
        select ${gate}, 'coin ' || n, 'tx ' || n from generate_series(1, 5000) n
      )
      insert into simulated_outputs select gate_id, hash, 0, 'to ' || hash, null, 'BTC', 7 from t`.run(tx)
    if (statistics === 'meanwhile') await analyze()
  })
}

/** Makes one of them depend on an output of another, so that all of them are read to be ordered. */
async function makeOneSpendAnother(): Promise<void> {
  await query(test.url, `update simulated_transactions set executed = true where hash = 'tx 5000'`)
  await query(test.url, `update simulated_uses set use = 'tx 1:0' where tx_hash = 'tx 5000'`)
}

/** Each row is read a bounded number of times, not once for each other row: that reveals a bad plan on any machine. */
async function expectFewReads(tx: Db): Promise<void> {
  const row = await sql<{ reads: bigint }>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as reads from pg_stat_xact_user_tables
    where relname like 'simulated%'`.maybeOne(tx)
  expect(Number(row?.reads) / 5_000).toBeLessThan(40)
}

it.each(['before', 'meanwhile'] as const)(
  'a block of 4,000 transactions is mined and read, with statistics collected %s',
  async (statistics) => {
    await fillMempool(statistics)
    await database.transaction(async (tx) => {
      const chain = simulatedChainsOn(tx)
      await chain.mine(gate, 1)
      const block = await chain.block(gate, 1n)
      expect(block?.outputs).toHaveLength(4_000)
      expect(block?.outputs[0]).toMatchObject({ txHash: 'tx 5000', units: 7n })
      await chain.reorganise(gate, 1, [], { others: 'mempool' })
      expect(await chain.waiting(gate)).toHaveLength(5_000)
      await chain.mine(gate, 200)
      expect((await chain.block(gate, 3n))?.outputs).toHaveLength(4_000)
      expect((await chain.block(gate, 4n))?.outputs).toHaveLength(1_000)
      expect(await chain.waiting(gate)).toEqual([])
      await expectFewReads(tx)
    })
  },
)

it.each(['before', 'meanwhile'] as const)(
  'thousands of transactions are ordered when one spends an output of another, with statistics collected %s',
  async (statistics) => {
    await fillMempool(statistics)
    await makeOneSpendAnother()
    await database.transaction(async (tx) => {
      const chain = simulatedChainsOn(tx)
      await chain.mine(gate, 1)
      const block = await chain.block(gate, 1n)
      expect(block?.outputs.map(({ txHash }) => txHash)).not.toContain('tx 5000')
      await chain.mine(gate, 1)
      expect((await chain.block(gate, 2n))?.outputs).toHaveLength(1_000)
      await chain.reorganise(gate, 2, [], { others: 'next_height' })
      const again = [await chain.block(gate, 2n), await chain.block(gate, 3n)]
      expect(again.map((each) => each?.outputs.length)).toEqual([4_000, 1_000])
      await expectFewReads(tx)
    })
  },
)

it('a mempool that is never mined fills up in the end, and then accepts only replacements', async () => {
  const pay = (address: string, options: { coin?: string; feeUnits?: bigint } = {}) =>
    chains().submit(gate, {
      feeUnits: 1n,
      outputs: [{ address, tag: null, currency: 'BTC', units: 1n }],
      makeTransaction,
      ...options,
    })
  await fillMempool('before')
  await expect(pay('a')).rejects.toMatchObject({ reason: 'mempool_full' })
  await pay('a', { coin: 'coin 1', feeUnits: 2n })
  expect(await chains().waiting(gate)).toHaveLength(5_000)
  await chains().mine(gate, 1)
  await pay('b')
})

it('mining any number of blocks prepares no more statements, because their number is limited and others need them', async () => {
  const prepared = await database.transaction(async (tx) => {
    const chain = simulatedChainsOn(tx)
    const counts: number[] = []
    await chain.submit(gate, {
      feeUnits: 1n,
      outputs: [{ address: 'hot', tag: null, currency: 'ETH', units: 1_000n }],
      makeTransaction,
    })
    for (let nonce = 0n; nonce < 12n; nonce++) {
      await chain.mine(gate, 1)
      const spending = {
        hash: makeHash(),
        bytes: null,
        uses: { kind: 'account', address: 'hot', nonce } as const,
        outputs: [],
        debits: [{ currency: 'ETH', units: 10n }],
        feeUnits: 10n,
        feeRate: 5n,
      }
      expect(await chain.execute(gate, spending)).toBeNull()
      await chain.mine(gate, 1)
      await chain.reorganise(gate, 1, [])
      const row = await sql<{ count: bigint }>`select count(*) from pg_prepared_statements`.maybeOne(tx)
      counts.push(Number(row?.count))
    }
    return counts
  })
  expect(prepared.at(-1)).toBe(prepared[2])
})
