import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import packaged from '../../package.json' with { type: 'json' }
import { migrate, readMigrations } from '../../src/store/migrate.ts'
import { createEmptyDatabase, query, runSql, type TestDatabase } from '../support/database/database.ts'
import { runCommand } from '../support/processes/run-command.ts'
import { makeTemporaryFolder } from '../support/processes/temporary-folder.ts'
import { schemaFacts } from './schema-facts.ts'

/** Dumps of databases of released versions: see CONTRIBUTING.md on releasing. */
const folder = new URL('./released/', import.meta.url)
const versions = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.slice(0, -'.sql'.length))

const retake =
  'A migration in a released dump was changed. If that version is out, revert the change and write a new migration; ' +
  'if it is not out yet, create the dump again: npm run dump-release'

let database: TestDatabase
beforeEach(async () => {
  database = await createEmptyDatabase()
})
afterEach(() => database.drop())

/** Loads a dump as any client would, entirely or not at all. */
async function load(version: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(readFileSync(new URL(`${version}.sql`, folder), 'utf8'))
  } finally {
    await client.end()
  }
}

const count = async (from: string) =>
  Number((await query<{ count: string }>(database.url, `select count(*) from ${from}`))[0]?.count)

it('the version in package.json has a dump', () => {
  expect(versions).toContain(packaged.version)
})

describe.each(versions)('a database of version %s', (version) => {
  beforeEach(() => load(version))

  it('holds rows of every kind', async () => {
    expect(await count('(select distinct status from invoices) as statuses')).toBe(6)
    expect(await count('(select distinct status from payouts) as statuses')).toBeGreaterThanOrEqual(5)
    for (const table of [
      ...[
        'merchants',
        'api_keys',
        'static_addresses',
        'payments',
        'suspense_releases',
        'refunds',
        'postings',
      ],
      ...['ledger_entries', 'spends', 'spend_transactions', 'change_coins', 'events', 'webhook_deliveries'],
      ...['webhook_attempts', 'users', 'sessions', 'passkeys', 'recovery_codes', 'audit_entries', 'rates'],
    ])
      expect(await count(table), table).toBeGreaterThan(0)
  })

  it('ran exactly the current migrations', async () => {
    const ran = await query(
      database.url,
      'select number, name, checksum from schema_migrations order by number',
    )
    const known = await readMigrations()
    expect(ran.length).toBeGreaterThan(0)
    expect(ran, retake).toEqual(
      known.slice(0, ran.length).map(({ number, name, checksum }) => ({ number, name, checksum })),
    )
  })

  it('migrates to the schema of a new database, and its books are right', async () => {
    const before = await count('schema_migrations')
    const known = (await readMigrations()).map(({ name }) => name)
    expect((await migrate(database.url)).applied, retake).toEqual(known.slice(before))
    const fresh = await createEmptyDatabase()
    try {
      await migrate(fresh.url)
      expect(await schemaFacts(database.url)).toEqual(await schemaFacts(fresh.url))
      await runSql(fresh.url, 'drop index invoices_due')
      expect(await schemaFacts(database.url)).not.toEqual(await schemaFacts(fresh.url))
    } finally {
      await fresh.drop()
    }
    const data = await makeTemporaryFolder()
    const env = {
      DATABASE_URL: database.url,
      SLUICE_DATA_DIR: data.path,
      SLUICE_SECRET_KEY: '5e'.repeat(32),
    }
    const { code, stdout, stderr } = await runCommand(['audit', '--json'], env)
    await data.remove()
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, differences: [] })
  })
})
