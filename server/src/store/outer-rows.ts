import type { Page } from '../domain/page.ts'

/** The columns of an outer join that found no row: all null. */
export type Absent<Row> = { readonly [Name in keyof Row]: null }

/** A row of a page, with the total over all pages. An empty page still has one row, which carries only the total. */
export type PageRow<Row> = (Row | Absent<Row>) & { readonly total: bigint }

/** Builds a page from its rows. `key` is a field that no actual row has null. */
export function pageFrom<Row extends object, T>(
  rows: readonly PageRow<Row>[],
  key: keyof Row,
  from: (row: Row) => T,
): Page<T> {
  const present = rows.map(({ total: _, ...row }) => row as Row).filter((row) => row[key] !== null)
  return { rows: present.map(from), total: Number(rows[0]?.total ?? 0n) }
}
