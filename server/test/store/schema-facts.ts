import { query } from '../support/database/database.ts'

const here = `'public'::regnamespace`

/** What the catalogue says about a schema: one statement per kind of fact, with results that can be compared. */
const facts = {
  tables: `
    select relname as name, relkind as kind, reloptions as options, relacl::text as grants,
      obj_description(oid, 'pg_class') as comment
    from pg_class where relnamespace = ${here} order by 1`,
  columns: `
    select relname as table, row_number() over (partition by relname order by attnum)::int as place, attname as name,
      format_type(atttypid, atttypmod) as type, attnotnull as required, attidentity as identity, attgenerated as generated,
      attstattarget as statistics, attacl::text as grants, pg_get_expr(adbin, adrelid) as default,
      col_description(pg_class.oid, attnum) as comment
    from pg_attribute join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = ${here} and relkind = 'r' and attnum > 0 and not attisdropped order by 1, 2`,
  // Columns above already say which are not null; PostgreSQL 18 also names that as a constraint, after the column's first
  // name.
  constraints: `
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition, convalidated as valid,
      obj_description(oid, 'pg_constraint') as comment
    from pg_constraint where connamespace = ${here} and contype <> 'n' order by 1, 2`,
  indexes: `
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, indisvalid as valid,
      obj_description(indexrelid, 'pg_class') as comment
    from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = ${here} order by 1`,
  triggers: `
    select pg_get_triggerdef(oid) as definition, tgenabled as enabled, obj_description(oid, 'pg_trigger') as comment
    from pg_trigger where not tgisinternal order by 1`,
  functions: `
    select pg_get_functiondef(oid) as definition, proacl::text as grants, obj_description(oid, 'pg_proc') as comment
    from pg_proc where pronamespace = ${here} order by 1`,
}

/** Everything about a database's schema. Two schemas are equal when this is. */
export async function schemaFacts(url: string): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {}
  for (const [kind, statement] of Object.entries(facts)) found[kind] = await query(url, statement)
  return found
}
