import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { EmbeddedPostgres } from '../../../src/postgres/embedded.ts'

export const templateName = 'sluice_template'

export type TestDatabase = {
  /** For the role that owns everything in it. */
  readonly url: string
  /** For the role that a service runs with. */
  readonly serviceUrl: string
  drop(): Promise<void>
}

/** A migrated database of the test's own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${templateName}`)
}

/** A copy of a database in its present state, like a backup. Nothing may be connected to it meanwhile. */
export async function copyDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  await letGo(nameOf(url))
  return createDatabase(`template ${nameOf(url)}`)
}

/** An empty database without a schema. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('')
}

async function createDatabase(from: string): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await runSql(server, `create database ${name} ${from}`)
  // Rights on a database are not copied with it; a service would find them wrong and compare all rights three times.
  if (from !== '') await runSql(server, `revoke temporary on database ${name} from public`)
  const url = onDatabase(server, name)
  return {
    url,
    serviceUrl: onDatabase(inject('serviceUrl'), name),
    async drop() {
      await letGo(name)
      // A maintenance process of PostgreSQL may be using it, which only a superuser may end.
      await runSql(asSuperuser(server), `drop database ${name} with (force)`)
    },
  }
}

export async function runSql(url: string, ...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await query(url, statement)
}

export async function query<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await connectionsTo(url).query<Row>(statement, [...values])
  return rows
}

// Connecting costs far more than most statements, and so do the first statements of a connection. `letGo` ends the
// connections to a database that is copied or dropped.
const kept = new Map<string, pg.Pool>()
const keepMs = 30_000

function connectionsTo(url: string): pg.Pool {
  let pool = kept.get(url)
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: url, max: 4, idleTimeoutMillis: keepMs, allowExitOnIdle: true })
    // The server may be killed or the database dropped meanwhile.
    pool.on('error', () => {})
    kept.set(url, pool)
  }
  return pool
}

/** Ends our connections to a database that will be copied or dropped. */
export async function letGo(name: string): Promise<void> {
  for (const [url, pool] of kept) {
    if (nameOf(url) !== name) continue
    kept.delete(url)
    await pool.end()
  }
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

export function onDatabase(url: string, name: string): string {
  return url.replace(/\/[^/]*$/, `/${name}`)
}

/** Lets the tests of a server find its superuser by the owner's URL: `asSuperuser` needs no other password then. */
export async function shareSuperuser({
  ownerUrl,
  superuserUrl,
}: Pick<EmbeddedPostgres, 'ownerUrl' | 'superuserUrl'>): Promise<void> {
  await runSql(superuserUrl, `alter role postgres password '${new URL(ownerUrl).password}'`)
}

/** The superuser of a server whose password is shared. */
export function asSuperuser(url: string): string {
  return onDatabase(url.replace('://sluice:', '://postgres:'), 'postgres')
}
