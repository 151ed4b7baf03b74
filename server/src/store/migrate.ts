import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { migrationLock } from './migration-lock.ts'
import { outageOr } from './outage.ts'
import { fixSearchPaths } from './search-paths.ts'

const migrationsFolder = new URL('./migrations/', import.meta.url)
const oldestServer = 150_000
// SQLSTATE insufficient_privilege.
const notPermitted = '42501'
// The first migration of development versions before 0.1.0, whose migrations were numbered differently.
const firstOfOldNumbering = '0001_merchants_and_keys'

/** The database does not fit this version; the message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

export type Migration = {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/** The migrations in order. Throws on a gap or a duplicate number, which is a bug. */
export async function readMigrations(folder: URL = migrationsFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1])
      if (number !== index + 1)
        throw new Error(`Migration ${file} is out of order: expected number ${index + 1}.`)
      const sql = await readFile(new URL(file, folder), 'utf8')
      return {
        number,
        name: file.slice(0, -'.sql'.length),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      }
    }),
  )
}

/**
 * Brings the database to the newest schema and returns the names of the migrations it applied. Forward only. Each migration
 * is its own transaction under an advisory lock, so several processes may start at once and a kill in between loses nothing.
 */
export async function migrate(url: string, migrations?: readonly Migration[]): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations())
  const client = await connectToMigrate(url)
  try {
    await refuseOldServer(client)
    const applied: string[] = []
    const present = await presentIn(client)
    for (const migration of wanted) {
      const ran = present.get(migration.number)
      if (ran !== undefined) refuseChanged(migration, ran)
      else if (await applyOnce(client, migration)) applied.push(migration.name)
    }
    await refuseNewerSchema(client, wanted.length)
    await fixSearchPaths(client)
    return applied
  } finally {
    await client.end()
  }
}

/** A connection for changing the schema. */
export async function connectToMigrate(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'sluice migrate' })
  client.on('error', () => {}) // a connection cut while idle also fails the next query, which reports it
  await client.connect().catch((error: unknown) => {
    throw outageOr(error)
  })
  return client
}

/** Whether the database has every migration of this version; for the readiness check. */
export async function schemaIsCurrent(pool: pg.Pool, newest: number): Promise<boolean> {
  const { rows } = await pool.query<{ number: number | null }>(
    'select max(number) as number from schema_migrations',
  )
  return rows[0]?.number === newest
}

type Ran = { readonly name: string; readonly checksum: string }

/** The migrations that this database has run, by number. Usually that is all of them, so nothing is locked. */
async function presentIn(client: pg.Client): Promise<ReadonlyMap<number, Ran>> {
  const { rows: tables } = await client.query<{ made: boolean }>(
    `select to_regclass('schema_migrations') is not null as made`,
  )
  if (tables[0]?.made !== true) return new Map()
  const { rows } = await client.query<Ran & { number: number }>(
    'select number, name, checksum from schema_migrations',
  )
  return new Map(rows.map((row) => [row.number, row]))
}

function refuseChanged(migration: Migration, ran: Ran): void {
  if (ran.checksum === migration.checksum) return
  if (ran.name === firstOfOldNumbering)
    throw new MigrationError(
      'This database was created by a development version of Sluice from before 0.1.0 and cannot be upgraded to this ' +
        'version. Nothing was changed. Start with an empty data folder (SLUICE_DATA_DIR) or an empty database ' +
        '(DATABASE_URL), or run the version that created this one.',
    )
  throw new MigrationError(
    `Migration ${migration.name} differs from the one this database ran (${ran.name}). ` +
      'Run the version of Sluice that created the database, or restore the original file.',
  )
}

async function applyOnce(client: pg.Client, migration: Migration): Promise<boolean> {
  await client.query('begin')
  try {
    // Held until the transaction ends, which also works through a transaction pooler.
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    await client.query(
      `create table if not exists schema_migrations (
         number integer primary key,
         name text not null,
         checksum text not null,
         applied_at timestamptz not null default clock_timestamp()
       )`,
    )
    const { rows } = await client.query<Ran>(
      'select name, checksum from schema_migrations where number = $1',
      [migration.number],
    )
    const present = rows[0]
    if (present !== undefined) refuseChanged(migration, present)
    if (present === undefined) {
      await client.query(migration.sql)
      await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
        migration.number,
        migration.name,
        migration.checksum,
      ])
    }
    await client.query('commit')
    return present === undefined
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if ((error as { code?: unknown }).code !== notPermitted) throw error
    throw new MigrationError(
      `The database lacks ${migration.name}, and the role of DATABASE_URL may not change the schema. Run “npx sluice migrate” ` +
        'with DATABASE_MIGRATION_URL set to the role that owns the tables.',
      { cause: error },
    )
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  )
  const server = rows[0]
  if (server !== undefined && server.number < oldestServer) {
    throw new MigrationError(`This is PostgreSQL ${server.version}; Sluice needs 15 or newer.`)
  }
}

async function refuseNewerSchema(client: pg.Client, newest: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select name from schema_migrations where number > $1 order by number limit 1',
    [newest],
  )
  if (rows[0] !== undefined) {
    throw new MigrationError(
      `A newer version of Sluice has migrated this database (${rows[0].name}). Run that version or a later one.`,
    )
  }
}
