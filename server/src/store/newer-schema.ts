import type pg from 'pg'

type Ran = { readonly number: number; readonly name: string }

/** What a program with a certain newest migration finds in a database. */
export type SchemaStanding =
  | { readonly kind: 'current' }
  /** It lacks migrations. */
  | { readonly kind: 'older' }
  /** A newer version has migrated it, and this program still works with it. */
  | { readonly kind: 'served'; readonly newer: readonly string[] }
  /** A newer version has migrated it, and `by` took away what this program needs. */
  | { readonly kind: 'newer'; readonly by: string }

const migrationName = /^(\d{4})_(?:contract_(\d{4})_)?[a-z0-9_]+$/

/** The number of a migration, from its name; null: this is no name of a migration. */
export function numberOf(name: string): number | null {
  const number = migrationName.exec(name)?.[1]
  return number === undefined ? null : Number(number)
}

/**
 * The oldest newest migration that a program may have to work with a schema after this migration: `0026_contract_0025_memo`
 * needs programs that know 0025. Null: it only adds, and asks nothing of any program. The number is in the name because an
 * older program knows of a migration only what the database keeps.
 */
export function oldestServed(name: string): number | null {
  const served = migrationName.exec(name)?.[2]
  return served === undefined ? null : Number(served)
}

/** How a database stands to a program whose newest migration is `newest`. */
export async function schemaStanding(
  client: Pick<pg.Pool, 'query'> | pg.Client,
  newest: number,
): Promise<SchemaStanding> {
  const { rows } = await client.query<Ran>(
    'select number, name from schema_migrations where number >= $1 order by number',
    [newest],
  )
  if (rows[0]?.number !== newest) return { kind: 'older' }
  const newer = rows.slice(1).map(({ name }) => name)
  const breaking = newer.find((name) => numberOf(name) === null || (oldestServed(name) ?? 0) > newest)
  if (breaking !== undefined) return { kind: 'newer', by: breaking }
  return newer.length === 0 ? { kind: 'current' } : { kind: 'served', newer }
}
