import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { storeOn } from '../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 2)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

it('a gate awaits confirmations exactly while an open spend has a sent transaction', async () => {
  const gates = () => storeOn(database.db).payments.gatesAwaitingConfirmations()
  const id = randomUUID()
  await query(
    test.url,
    `insert into followed_chains (gate_id, chain, height, hash) values ('bitcoin-test', 'simulated', 1, 'a')`,
  )
  await query(
    test.url,
    `insert into spends (id, gate_id, kind, fee_currency) values ($1, 'bitcoin-test', 'payout', 'BTC')`,
    [id],
  )
  const attempt = `insert into spend_transactions (spend_id, attempt, plan, max_fee_units) values ($1, 1, '{}', 1)`
  await query(test.url, attempt, [id])
  expect(await gates()).toEqual([])
  const sign = `update spend_transactions set tx_hash = 'a', bytes = '\\x01', signed_at = now() where spend_id = $1`
  await query(test.url, sign, [id])
  expect(await gates()).toEqual([])
  await query(test.url, 'update spend_transactions set sent_at = now() where spend_id = $1', [id])
  expect(await gates()).toEqual(['bitcoin-test'])
  await query(test.url, `update spends set status = 'dead', ended_at = now() where id = $1`, [id])
  expect(await gates()).toEqual([])
})
