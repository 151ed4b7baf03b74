import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { storeOn } from '../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

const [chain, otherChain] = [randomUUID(), randomUUID()]
const [rejected, cancelled, elsewhere] = [randomUUID(), randomUUID(), randomUUID()]

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 1)
  const note = (from: string, values: unknown[]) =>
    query(
      test.url,
      `insert into audit_entries (chain, seq, at, actor, actor_name, action, subject, details, previous_hash, hash)
       select $1::uuid, row_number() over () + coalesce((select max(seq) from audit_entries where chain = $1), 0), now(), 'user:1',
         'Finn', given.action, given.subject, given.details, sha256('a'), sha256('b') from ${from}`,
      values,
    )
  await note(
    `(select 'payout.' || (array['rejected', 'cancelled', 'approved'])[1 + n % 3] as action, gen_random_uuid()::text as subject,
        '{"reason": "another"}'::jsonb as details from generate_series(1, 20000) n) as given`,
    [chain],
  )
  const one = '(select $2::text as action, $3::text as subject, $4::jsonb as details) as given'
  await note(one, [chain, 'payout.approved', rejected, '{}'])
  await note(one, [chain, 'payout.rejected', rejected, '{"reason": "wrong supplier"}'])
  await note(one, [chain, 'payout.cancelled', cancelled, '{"reason": null}'])
  await note(one, [otherChain, 'invoice.cancelled', elsewhere, '{}'])
  await query(test.url, 'vacuum analyze audit_entries')
  // As in the service: PostgreSQL decides.
  await sql`set plan_cache_mode = auto`.run(database.db)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

async function entriesRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.run(database.db)
  const { n } = await sql<{ n: bigint }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as n from pg_stat_user_tables
    where relname = 'audit_entries'`.one(database.db)
  return Number(n)
}

it('finds who rejected or cancelled something, in the merchant’s own log alone', async () => {
  const { auditLog } = storeOn(database.db)
  const found = await auditLog.endingsOf(chain, [rejected, cancelled, elsewhere, randomUUID()])
  const finn = { actor: 'user:1', name: 'Finn' }
  expect(new Map(found.map((each) => [each.subject, each]))).toEqual(
    new Map([
      [rejected, { subject: rejected, isRejection: true, ...finn, reason: 'wrong supplier' }],
      [cancelled, { subject: cancelled, isRejection: false, ...finn, reason: null }],
    ]),
  )
  expect(await auditLog.endingsOf(otherChain, [elsewhere])).toMatchObject([
    { isRejection: false, reason: null },
  ])
  expect(await auditLog.rejectionOf(chain, cancelled)).toBeNull()
})

it('reads no more of a long log than it looks for', async () => {
  const { auditLog } = storeOn(database.db)
  const before = await entriesRead()
  await auditLog.endingsOf(chain, [rejected, cancelled])
  await auditLog.rejectionOf(chain, rejected)
  expect((await entriesRead()) - before).toBeLessThanOrEqual(3)
})
