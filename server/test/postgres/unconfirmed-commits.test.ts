import { afterAll, beforeAll, expect, it } from 'vitest'
import { OutageError } from '../../src/domain/errors.ts'
import type { EmbeddedPostgres } from '../../src/postgres/embedded.ts'
import type { Database } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { query, runSql } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'
import { startOwnPostgres } from '../support/processes/data-folder.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

let folder: TemporaryFolder
let postgres: EmbeddedPostgres
let database: Database

/** A server whose commits wait for a standby that does not exist. */
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  postgres = await startOwnPostgres(folder.path)
  await runSql(postgres.ownerUrl, 'create table notes (text text)', 'grant all on notes to sluice_service')
  await runSql(
    postgres.superuserUrl,
    `alter system set synchronous_standby_names = 'elsewhere'`,
    'select pg_reload_conf()',
  )
  database = openTestDatabase(postgres.url, 2)
})
afterAll(async () => {
  await database?.close()
  await postgres?.stop()
  await folder?.remove()
})

/** Cancels the wait, as an operator might on seeing a statement that hangs. */
async function cancelWait(): Promise<void> {
  const cancelled = () =>
    query(
      postgres.superuserUrl,
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and usename = 'sluice_service'`,
    )
  await expect.poll(cancelled).toHaveLength(1)
}

it.each([
  ['a transaction', () => database.transaction((tx) => sql`insert into notes values (${'a'})`.run(tx))],
  ['a statement', () => sql`insert into notes values (${'b'})`.run(database.db)],
])(
  '%s that no standby has confirmed is reported as an outage, although PostgreSQL calls it committed',
  async (_, write) => {
    const [written] = await Promise.allSettled([write(), cancelWait()])
    expect(written).toMatchObject({ status: 'rejected', reason: expect.any(OutageError) })
    // The connection serves on.
    expect(await sql<{ count: bigint }>`select count(*) from notes`.one(database.db)).toMatchObject({})
  },
)
