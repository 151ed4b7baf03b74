import { query } from './database.ts'

/** Changes what triggers protect, as the owner of the database can. */
export async function forge(
  url: string,
  table: string,
  statement: string,
  values: readonly unknown[],
): Promise<void> {
  await query(url, `alter table ${table} disable trigger user`)
  await query(url, statement, values)
  await query(url, `alter table ${table} enable trigger user`)
}
