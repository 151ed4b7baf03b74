import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.drop())

it('payments of a gate that statistics know nothing of are found by their whole key', async () => {
  const plan = async () => {
    const rows = await query<{ 'QUERY PLAN': string }>(
      test.url,
      `explain select payment.id from unnest('{a,b}'::text[], '{0,1}'::integer[]) as met (tx_hash, output_index)
       cross join lateral (
         select id from payments where gate_id = 'another' and tx_hash = met.tx_hash and output_index = met.output_index
         order by gate_id, tx_hash, output_index limit 1
       ) as payment`,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  await query(
    test.url,
    `insert into followed_chains (gate_id, chain, height, hash, began_height) values ('known', 'simulated', 0, 'a', 0)`,
  )
  await query(
    test.url,
    `insert into payments (id, gate_id, tx_hash, output_index, environment, currency, network, decimals, units, address, seen_at,
       required_confirmations, waiting, suspense_reason)
     select gen_random_uuid(), 'known', n::text, 0, 'test', 'BTC', 'bitcoin', 8, 1, n::text, now(), 2, false, 'unknown' from generate_series(1, 2000) n`,
  )
  await query(test.url, 'analyze payments')
  expect(await plan()).toContain('payments_by_output')
})
