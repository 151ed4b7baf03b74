import type { Page } from '../domain/page.ts'

/** What an outer join answers where it has found nothing: the same fields, all of them null. */
export type Absent<Row> = { readonly [Name in keyof Row]: null }

/**
 * A row of a page, with how many there are on all pages. An empty page has one row all the same, which carries the total and
 * nothing else.
 */
export type PageRow<Row> = (Row | Absent<Row>) & { readonly total: bigint }

/** The page that these rows are; `key` is a field that no row of it has null. */
export function pageFrom<Row extends object, T>(
  rows: readonly PageRow<Row>[],
  key: keyof Row,
  from: (row: Row) => T,
): Page<T> {
  const present = rows.map(({ total: _, ...row }) => row as Row).filter((row) => row[key] !== null)
  return { rows: present.map(from), total: Number(rows[0]?.total ?? 0n) }
}
