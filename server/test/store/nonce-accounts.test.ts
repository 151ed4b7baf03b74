import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { nonceAccountsOn } from '../../src/store/spends/nonce-accounts.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

const gateId = 'solana-test'
let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 1)
  await query(
    test.url,
    `insert into followed_chains (gate_id, chain, height, hash) values ($1, 'simulated', 1, 'tip')`,
    [gateId],
  )
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

async function spendWith(account: number, value: string, status: string): Promise<void> {
  await query(
    test.url,
    `insert into spends (id, gate_id, kind, fee_currency, fee_units, to_address, currency, units, mined_hash, nonce_account,
       nonce_value, status, ended_at)
     values (gen_random_uuid(), $1, 'payout', 'SOL', 5000, 'someone', 'SOL', 1, 'hash', $2, $3, $4,
       case $4 when 'open' then null else now() end)`,
    [gateId, account, value, status],
  )
}
const free = async (account: number, value: string) =>
  (await nonceAccountsOn(database.db).free(gateId, new Map([[account, value]]))).has(account)

it('a nonce account is free if no open spend holds it, and its value if no spend has used it, dead ones aside', async () => {
  await spendWith(0, 'a', 'open')
  expect(await free(0, 'a')).toBe(false)
  expect(await free(0, 'b')).toBe(false)
  for (const [account, status] of [
    [1, 'final'],
    [2, 'reverted'],
  ] as const) {
    await spendWith(account, 'a', status)
    // The chain may show the old value again after a reorganisation.
    expect(await free(account, 'a')).toBe(false)
    expect(await free(account, 'b')).toBe(true)
    await expect(spendWith(account, 'a', 'open')).rejects.toThrow('spends_use_a_nonce_value')
  }
  await spendWith(3, 'a', 'dead')
  expect(await free(3, 'a')).toBe(true)
  await spendWith(3, 'a', 'open')
  await expect(spendWith(3, 'b', 'open')).rejects.toThrow('spends_hold_a_nonce_account')
  expect(await nonceAccountsOn(database.db).held(gateId)).toEqual(new Set([0, 3]))
})
