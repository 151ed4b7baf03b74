import pg from 'pg'
import { errorCode } from './error.ts'
import { type OrdinaryRole, rolePassword } from './password.ts'

const connectTimeoutMs = 5_000

/** SQLSTATE: the server runs, but all its connections are taken. */
const tooManyConnections = '53300'

/** Errors of a server that cannot answer yet, or no longer: each is a reason to retry. */
const notYet = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03', '57P01', '57P02', '57P05'])

/** SQLSTATEs: wrong password or no such role, authentication refused, no such database, not permitted to connect. */
const notSetUp = new Set(['28P01', '28000', '3D000', '42501'])

const database = 'sluice'

/**
 * A URL for `pg` over the unix socket, by the data folder's password. It rules out TLS, even against PGSSLMODE. The URLs of
 * the superuser `postgres` and the owner `sluice` stay in the process that runs the server.
 */
export function databaseUrl(at: {
  role: OrdinaryRole | 'postgres'
  password: string
  socketFolder: string
}): string {
  const host = encodeURIComponent(at.socketFolder)
  const [password, name] =
    at.role === 'postgres' ? [at.password, 'postgres'] : [rolePassword(at.password, at.role), database]
  return `postgres://${at.role}:${password}@${host}:5432/${name}?sslmode=disable`
}

/** Tries one real connection. Any other error is thrown. */
export async function probe(url: string): Promise<'ready' | 'not_yet' | 'not_set_up'> {
  try {
    await query(url, async (client) => client.query('select 1'))
    return 'ready'
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (code === tooManyConnections) return 'ready'
    if (notYet.has(code)) return 'not_yet'
    if (notSetUp.has(code)) return 'not_set_up'
    // pg has no code for these two: the server closed the connection, or did not answer in time.
    if (error instanceof Error && /terminated|timeout/i.test(error.message)) return 'not_yet'
    throw error
  }
}

/**
 * Creates the owner, the service's role and the database. It only makes sure of the wanted state, so it can be repeated
 * after being killed at any point. The service's role gets its rights when the owner migrates.
 */
export async function setUpRoles(adminUrl: string, password: string): Promise<void> {
  await query(adminUrl, async (client) => {
    for (const role of ['sluice', 'sluice_service'] as const) {
      const found = await client.query('select from pg_roles where rolname = $1', [role])
      const verb = found.rowCount === 0 ? 'create' : 'alter'
      // The password is hexadecimal, so it needs no quoting.
      await client.query(
        `${verb} role ${role} with login nosuperuser nocreatedb nocreaterole noreplication password '${rolePassword(password, role)}'`,
      )
    }
    const found = await client.query('select from pg_database where datname = $1', [database])
    if (found.rowCount === 0) await client.query(`create database ${database} owner sluice`)
  })
}

async function query(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs })
  // The server may go away between two statements; the next statement reports it.
  client.on('error', () => {})
  try {
    await client.connect()
    await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
