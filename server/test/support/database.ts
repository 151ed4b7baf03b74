import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export const templateName = 'sluice_template'

export type TestDatabase = { readonly url: string; drop(): Promise<void> }

/** A migrated database of the test's own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${templateName}`)
}

/** A copy of a database as it is now: a backup. Nobody may be connected to it meanwhile. */
export async function copyDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  return createDatabase(`template ${new URL(url).pathname.slice(1)}`)
}

/** A database with nothing in it, not even a schema. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('')
}

async function createDatabase(from: string): Promise<TestDatabase> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await runSql(server, `create database ${name} ${from}`)
  return {
    url: onDatabase(server, name),
    drop: () => runSql(server, `drop database ${name} with (force)`),
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
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement, [...values])).rows
  } finally {
    await client.end()
  }
}

export function onDatabase(url: string, name: string): string {
  return url.replace(/\/[^/]*$/, `/${name}`)
}

/** The embedded server's superuser has the application role's password. */
export function asSuperuser(url: string): string {
  return onDatabase(url.replace('://sluice:', '://postgres:'), 'postgres')
}
