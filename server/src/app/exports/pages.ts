import type { ExportPage } from '../../store/reports/export-page.ts'

/** One file holds at most this many rows, the first; a narrower time range gives access to further ones. */
const maxExportRows = 1_000_000
const pageRows = 1_000

/** Yields rows one page at a time, in order; reads a page only when the consumer asks for it. */
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
