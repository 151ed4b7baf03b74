import type { ExportPage } from '../../store/exports.ts'

/** As many rows as one file has at most: the newest. Whoever needs older ones narrows the time. */
const maxExportRows = 1_000_000
const pageRows = 1_000

/** Rows a page at a time, from the newest on; nothing is read before it is asked for. */
export async function* pages<Row, Cursor>(
  read: (after: Cursor | null, limit: number) => Promise<ExportPage<Row, Cursor>>,
): AsyncGenerator<readonly Row[]> {
  let after: Cursor | null = null
  for (let given = 0; given < maxExportRows; given += pageRows) {
    const { rows, next }: ExportPage<Row, Cursor> = await read(
      after,
      Math.min(pageRows, maxExportRows - given),
    )
    if (rows.length > 0) yield rows
    if (next === null) return
    after = next
  }
}
