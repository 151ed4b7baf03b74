import pg from 'pg'
import { connectToMigrate, MigrationError } from './migrate.ts'
import { takeMigrationLock } from './migration-lock.ts'
import { callable, tableWrites } from './privileges.ts'

const quoted = pg.escapeIdentifier

/**
 * Gives the service's role exactly what its statements need, and takes every other from it. `url` is for the role
 * that owns the tables. It is repeated at every start and changes only what differs, so that new tables and stray grants are
 * taken care of.
 */
export async function grantPrivileges(url: string, role: string): Promise<void> {
  const client = await connectToMigrate(url)
  try {
    if ((await differences(client, role)).length === 0) return
    await client.query('begin')
    await takeMigrationLock(client)
    for (const statement of await differences(client, role)) await client.query(statement)
    await client.query('commit')
    const left = await differences(client, role)
    if (left.length > 0)
      throw new MigrationError(
        `The role ${role} of DATABASE_URL may do more than the service needs, or less, and the role of ` +
          'DATABASE_MIGRATION_URL cannot change that. Take it out of other roles, and run as a superuser:\n  ' +
          left.join(';\n  '),
      )
  } finally {
    await client.end()
  }
}

type Standing = { readonly table: string; readonly sequence: string | null; readonly has: readonly string[] }

/** The statements that are missing for the role to have exactly its rights; empty if it has. */
async function differences(client: pg.Client, role: string): Promise<string[]> {
  const to = quoted(role)
  const tables = await client.query<Standing>(
    `select relname as table, pg_get_serial_sequence(quote_ident(relname), identity.attname) as sequence,
       array(select verb from unnest($3::text[]) as verb where has_table_privilege($1, pg_class.oid, verb)
         or verb <> all ($4::text[]) and has_any_column_privilege($1, pg_class.oid, verb)) as has
     from pg_class left join pg_attribute as identity on attrelid = pg_class.oid and attidentity <> ''
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname = any ($2)`,
    [role, [...tableWrites.keys()], await verbs(client), ofWholeTables],
  )
  const grants = tables.rows.flatMap(({ table, has }) => {
    const wanted = ['select', ...(tableWrites.get(table) ?? [])]
    if (wanted.length === has.length && wanted.every((verb) => has.includes(verb))) return []
    return [
      `revoke all on table ${quoted(table)} from public, ${to}`,
      `grant ${wanted.join(', ')} on table ${quoted(table)} to ${to}`,
    ]
  })
  const sequences = tables.rows.flatMap(({ sequence }) => sequence ?? [])
  const around = await client.query<{ statement: string }>(
    `select format('revoke all on sequence %s from public, %s', sequence, $2::text) as statement
     from unnest($3::text[]) as sequence where has_sequence_privilege($1, sequence, 'usage, update')
     union all
     select format('revoke create on schema %I from public, %s', current_schema(), $2::text)
     where has_schema_privilege($1, current_schema(), 'create')
     union all
     select format('grant usage on schema %I to %s', current_schema(), $2::text)
     where not has_schema_privilege($1, current_schema(), 'usage')
     union all
     select format('grant execute on function %s to %s', name, $2::text) from unnest($4::text[]) as name
     where not has_function_privilege($1, to_regprocedure(name), 'execute')
     union all
     select format('revoke create on database %I from public, %s', datname, $2::text)
     from pg_database where datname = current_database() and has_database_privilege($1, oid, 'create')
     union all
     -- In a database of another owner it keeps the right to temporary tables, which our functions do not look at.
     select format('revoke temporary on database %I from public, %s', datname, $2::text)
     from pg_database where datname = current_database() and has_database_privilege($1, oid, 'temporary')
       and pg_has_role(datdba, 'usage')`,
    [role, to, sequences, callable],
  )
  return [...around.rows.map(({ statement }) => statement), ...grants]
}

const ofWholeTables = ['delete', 'truncate', 'trigger', 'maintain']
const firstWithMaintain = 170_000

/** Everything that this server can grant on a table. */
async function verbs(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ number: number }>(
    `select current_setting('server_version_num')::int as number`,
  )
  const every = ['select', 'insert', 'update', 'references', ...ofWholeTables]
  return (rows[0]?.number ?? 0) >= firstWithMaintain ? every : every.filter((verb) => verb !== 'maintain')
}
