import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { takeMigrationLock } from './migration-lock.ts'
import { numberOf, schemaStanding } from './newer-schema.ts'
import { outageOr } from './outage.ts'
import { fixSearchPaths } from './search-paths.ts'

const migrationsFolder = new URL('./migrations/', import.meta.url)
const oldestServer = 150_000
// SQLSTATE insufficient_privilege.
const notPermitted = '42501'
// SQLSTATE lock_not_available: the lock timeout has passed.
const lockTimedOut = '55P03'
// Statements queue behind a migration that waits for a lock, so it gives up after a moment and tries again.
const lockWaitMs = 500
const lockPauseMs = 500
const maxLockTries = 240
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
      const name = file.slice(0, -'.sql'.length)
      const number = index + 1
      if (numberOf(name) !== number)
        throw new Error(`Migration ${file} is out of order: expected number ${number}.`)
      const sql = await readFile(new URL(file, folder), 'utf8')
      return {
        number,
        name,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      }
    }),
  )
}

export type Migrated = {
  /** The names of the migrations that were applied. */
  readonly applied: readonly string[]
  /** The names of those that a newer version has applied, with which this one still works. */
  readonly newer: readonly string[]
}

/**
 * Brings the database to the newest schema. Forward only. Each migration is its own transaction under an advisory lock, so
 * several processes may start at once and a kill in between loses nothing. A schema of a newer version is left as it is, and
 * refused unless that version says that this one still works with it.
 */
export async function migrate(url: string, migrations?: readonly Migration[]): Promise<Migrated> {
  const wanted = migrations ?? (await readMigrations())
  const client = await connectToMigrate(url)
  try {
    await refuseOldServer(client)
    const applied: string[] = []
    const present = await presentIn(client)
    for (const migration of wanted) {
      const ran = present.get(migration.number)
      if (ran !== undefined) refuseChanged(migration, ran)
      else if (await applyPatiently(client, url, migration)) applied.push(migration.name)
    }
    const newer = await newerThan(client, wanted.length)
    await fixSearchPaths(client)
    return { applied, newer }
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

/** Applies a migration unless another process did meanwhile. Other users of its tables never wait long for it. */
async function applyPatiently(client: pg.Client, url: string, migration: Migration): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await applyOnce(client, url, migration)
    } catch (error) {
      if (codeOf(error) === notPermitted)
        throw new MigrationError(
          `The database lacks ${migration.name}, and the role of DATABASE_URL may not change the schema. Run “npx sluice ` +
            'migrate” with DATABASE_MIGRATION_URL set to the role that owns the tables.',
          { cause: error },
        )
      if (codeOf(error) !== lockTimedOut) throw error
      if (tries === maxLockTries)
        throw new MigrationError(
          `Migration ${migration.name} cannot get hold of its tables: a transaction has been using them for minutes. ` +
            'End it (pg_stat_activity shows it), and run “npx sluice migrate” again.',
          { cause: error },
        )
      await delay(lockPauseMs)
    }
  }
}

async function applyOnce(client: pg.Client, url: string, migration: Migration): Promise<boolean> {
  await client.query('begin')
  try {
    await takeMigrationLock(client)
    await client.query(
      `create table if not exists schema_migrations (
         number integer primary key,
         name text not null,
         checksum text not null,
         applied_at timestamptz not null default clock_timestamp()
       )`,
    )
    // Without a parameter it keeps no snapshot, which the building of an index would wait for.
    const { rows } = await client.query<Ran>(
      `select name, checksum from schema_migrations where number = ${migration.number}`,
    )
    const present = rows[0]
    if (present !== undefined) refuseChanged(migration, present)
    if (present === undefined) {
      if (isConcurrent(migration)) await runByStatement(url, migration)
      else {
        await client.query(`set local lock_timeout = ${lockWaitMs}`)
        await client.query(migration.sql)
      }
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
    throw error
  }
}

/** Whether it builds an index while others write, which PostgreSQL does in no transaction. */
export function isConcurrent({ sql }: Pick<Migration, 'sql'>): boolean {
  return /^\s*(create|drop) (unique )?index concurrently /im.test(sql)
}

/**
 * Runs each statement for itself, on a connection of its own: the one that holds the lock is in a transaction. A kill in
 * between leaves part of it done, so such a migration must bear being run again.
 */
async function runByStatement(url: string, { sql }: Migration): Promise<void> {
  const client = await connectToMigrate(url)
  try {
    for (const statement of sql.split(/;\s*$/m)) if (statement.trim() !== '') await client.query(statement)
  } finally {
    await client.end()
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

async function newerThan(client: pg.Client, newest: number): Promise<readonly string[]> {
  const standing = await schemaStanding(client, newest)
  if (standing.kind === 'newer')
    throw new MigrationError(
      `A newer version of Sluice has migrated this database (${standing.by}). Run that version or a later one.`,
    )
  return standing.kind === 'served' ? standing.newer : []
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code
}
