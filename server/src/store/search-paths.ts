import type pg from 'pg'
import { takeMigrationLock } from './migration-lock.ts'

/**
 * Fixes where our functions look for tables. A caller could otherwise have a trigger read a temporary table of theirs, in
 * place of the one that it guards.
 */
export async function fixSearchPaths(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter function %s set search_path = pg_catalog, %I, pg_temp', pg_proc.oid::regprocedure, current_schema())
       as statement
     from pg_proc where pronamespace = current_schema()::regnamespace and prokind = 'f'
       and pg_has_role(proowner, 'usage')
       and not exists (select from unnest(proconfig) as setting where setting like 'search_path=%')
       and not exists (select from pg_depend where objid = pg_proc.oid and classid = 'pg_proc'::regclass and deptype = 'e')`,
  )
  if (rows.length === 0) return
  await client.query('begin')
  // Another process may be doing the same.
  await takeMigrationLock(client)
  for (const { statement } of rows) await client.query(statement)
  await client.query('commit')
}
