import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts'

let test: TestDatabase
let client: pg.Client
beforeAll(async () => {
  test = await createTestDatabase()
  client = new pg.Client(test.url)
  await client.connect()
  await client.query('set plan_cache_mode = force_generic_plan')
  await client.query(
    `prepare known (text[], integer[], text) as
     select payment.id from unnest($1, $2) as seen (tx_hash, output_index)
     cross join lateral (
       select id from payments where gate_id = $3 and tx_hash = seen.tx_hash and output_index = seen.output_index
       order by gate_id, tx_hash, output_index limit 1
     ) as payment`,
  )
})
afterAll(async () => {
  await client.end()
  await test.drop()
})

async function plan(): Promise<string> {
  const { rows } = await client.query(`explain execute known ('{a}', '{0}', 'bitcoin-test')`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

it('payments are looked up by their whole key, however few there were when the plan was made', async () => {
  expect(await plan()).toContain('payments_by_output')
  await client.query(
    `insert into followed_chains (gate_id, chain, height, hash, began_height) values ('other', 'simulated', 0, 'a', 0)`,
  )
  await client.query(
    `insert into payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address,
       seen_at, required_confirmations, waiting, suspense_reason)
     select gen_random_uuid(), 'other', n::text, 0, 'test', 'BTC', 'bitcoin', 8, 1, n::text, now(), 2, false, 'unknown'
     from generate_series(1, 2000) n`,
  )
  // Statistics that know only another gate.
  await client.query('analyze payments')
  expect(await plan()).toContain('payments_by_output')
})
