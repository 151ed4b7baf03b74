import pg from 'pg'
import { connectToMigrate, MigrationError } from './migrate.ts'

const quoted = pg.escapeIdentifier

/**
 * Makes the role of `url` the owner of what the service's role owns in this database, as in one where a single role did
 * everything. Refuses a service's role against which no grant would help.
 */
export async function takeOwnership(url: string, role: string): Promise<void> {
  const client = await connectToMigrate(url)
  try {
    await refusePowerful(client, role)
    await takeOver(client, role)
  } finally {
    await client.end()
  }
}

/** Roles of PostgreSQL itself whose members get around every grant. */
const mightyRoles = [
  'pg_execute_server_program',
  'pg_read_server_files',
  'pg_write_server_files',
  'pg_write_all_data',
]

/** Refuses a role against which no grant helps. */
async function refusePowerful(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ owner: string; mighty: boolean; member: boolean }>(
    `select current_user as owner, pg_has_role(oid, current_user, 'member') as member,
       rolsuper or rolcreaterole or rolreplication or rolbypassrls or exists (
         select from pg_roles where rolname = any ($2) and pg_has_role(service.oid, oid, 'member')) as mighty
     from pg_roles as service where rolname = $1`,
    [role, mightyRoles],
  )
  const found = rows[0]
  if (found === undefined) throw new Error(`There is no role ${role}.`)
  if (found.owner === role)
    throw new MigrationError(
      `DATABASE_URL and DATABASE_MIGRATION_URL both log in as ${role}. Create a second role for DATABASE_URL, or do not set ` +
        'DATABASE_MIGRATION_URL. See “Your own PostgreSQL” in docs/operating/running.md.',
    )
  if (found.mighty)
    throw new MigrationError(
      `The role ${role} of DATABASE_URL is a superuser or has rights like one. Create an ordinary role for the service.`,
    )
  if (found.member)
    throw new MigrationError(
      `The role ${role} of DATABASE_URL is a member of ${found.owner}, which owns the tables. Run as a superuser: ` +
        `revoke ${quoted(found.owner)} from ${quoted(role)}`,
    )
}

/** Takes from the service's role what it owns here, as in a database that one role did everything in. */
async function takeOver(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ owner: string; owns: boolean; able: boolean }>(
    `select current_user as owner, pg_has_role(service.oid, 'usage') as able, exists (
       select from pg_shdepend join pg_database on datname = current_database()
       where refclassid = 'pg_authid'::regclass and refobjid = service.oid and deptype = 'o'
         and (dbid = pg_database.oid or classid = 'pg_database'::regclass and objid = pg_database.oid)) as owns
     from pg_roles as service where rolname = $1`,
    [role],
  )
  const { owner = '', owns = false, able = false } = rows[0] ?? {}
  if (!owns) return
  const statement = `reassign owned by ${quoted(role)} to ${quoted(owner)}`
  if (!able)
    throw new MigrationError(
      `The role ${role} of DATABASE_URL owns tables, so it could switch off what guards them. Run as a superuser, in this ` +
        `database: ${statement}`,
    )
  await client.query(statement)
}
