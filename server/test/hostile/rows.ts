import pg from 'pg'
import type { Random } from '../simulation/random.ts'
import { asSuperuser, onDatabase } from '../support/database/database.ts'
import { databaseOf } from './prepared.ts'

/**
 * The attacker's rights: those of PostgreSQL's superuser, for which no trigger, reference, check or grant is in the
 * way, or those of the role that the service runs with.
 */
export type Role = 'superuser' | 'service'
export type Row = Readonly<Record<string, unknown>>

type Column = { readonly table: string; readonly name: string }

/** The attacker's hands on the rows of a database. */
export async function openRows(database: { readonly url: string; readonly serviceUrl: string }, role: Role) {
  const superuserUrl = onDatabase(asSuperuser(database.url), databaseOf(database.url))
  const client = new pg.Client({
    connectionString: role === 'superuser' ? superuserUrl : database.serviceUrl,
  })
  await client.connect()
  await client.query('set synchronous_commit = off')
  if (role === 'superuser') {
    await client.query('set session_replication_role = replica')
    await client.query(`do $$ declare rule record; begin
      for rule in select conrelid::regclass as place, conname from pg_constraint
        where contype = 'c' and connamespace = 'public'::regnamespace
      loop execute format('alter table %s drop constraint %I', rule.place, rule.conname); end loop; end $$`)
  }
  const { rows } = await client.query<Column>(
    `select table_name as table, column_name as name from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER'`,
  )
  const columns = Map.groupBy(rows, ({ table }) => table)
  const columnsOf = (table: string): readonly string[] => (columns.get(table) ?? []).map(({ name }) => name)
  let [changed, denied] = [0, 0]

  /** What the schema or the role's rights refuse changes nothing. Any other error is a mistake of ours. */
  async function attempt(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      const result = await client.query<Row>(statement, [...values])
      if (result.command !== 'SELECT') changed += result.rowCount ?? 0
      return result.rows
    } catch (error) {
      const code = (error as pg.DatabaseError).code ?? ''
      if (role === 'service' && code === '42501') denied++
      // Bad values, broken constraints, and identity columns.
      else if (!/^(2[123]|428C9)/.test(code)) throw error
      return []
    }
  }

  return {
    role,
    attempt,
    columnsOf,

    /** One of the rows of a table, the newest most often. */
    async some(random: Random, table: string, where = 'true'): Promise<{ ctid: string; row: Row } | null> {
      const found = await attempt(
        `select ctid::text, to_jsonb(t) as row from ${table} as t where ${where} order by ctid desc limit 6`,
      )
      const chosen = found[random.below(Math.max(found.length, 1))]
      return (chosen as { ctid: string; row: Row } | undefined) ?? null
    },

    put: (table: string, ctid: string, values: Row) =>
      attempt(
        `update ${table} set ${Object.keys(values)
          .map((name) => `${name} = (jsonb_populate_record(null::${table}, $2::jsonb)).${name}`)
          .join(', ')} where ctid = $1::tid`,
        [ctid, JSON.stringify(values)],
      ),

    /** Columns that the row does not name get their defaults. */
    insert(table: string, row: Row): Promise<Row[]> {
      const named = columnsOf(table)
        .filter((name) => Object.hasOwn(row, name))
        .join(', ')
      return attempt(
        `insert into ${table} (${named}) overriding system value
         select ${named} from jsonb_populate_record(null::${table}, $1::jsonb)`,
        [JSON.stringify(row)],
      )
    },

    /** How many rows it has changed, and how many statements its role was denied. */
    counts: () => ({ changed, denied }),
    close: () => client.end(),
  }
}

export type Rows = Awaited<ReturnType<typeof openRows>>
