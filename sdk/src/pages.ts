import type { CursorPagination, Pagination } from './contract.generated.ts'

/** The largest page size of the contract. */
export const largestPage = 100

type Page<Row> = { readonly data: readonly Row[]; readonly pagination: Pagination }

/**
 * Every row of a list, newest first, page after page from `offset`. Rows created meanwhile push the others down, so a
 * page may repeat the end of the previous one. Such rows are returned once, as long as fewer rows than a page holds are
 * created between two pages.
 */
export async function* allRows<Row extends { readonly id: string | number }>(
  offset: number,
  readPage: (offset: number) => Promise<Page<Row>>,
): AsyncGenerator<Row, void, undefined> {
  let seen = new Set<string | number>()
  for (let next = offset; ; ) {
    const { data, pagination } = await readPage(next)
    for (const row of data) if (!seen.has(row.id)) yield row
    // An empty page that promises more would be requested forever.
    if (!pagination.has_more || data.length === 0) return
    seen = new Set(data.map((row) => row.id))
    next += data.length
  }
}

type Place = { readonly offset?: number | undefined; readonly cursor?: string | undefined }
type CursorPage<Row> = { readonly data: readonly Row[]; readonly pagination: CursorPagination }

/**
 * Every row of a list, newest first, from where the query starts. Each page begins after the last row of the page before, so
 * rows created meanwhile shift nothing. A page may be empty and still be followed by others.
 */
export async function* rowsFrom<Row, Query extends Place>(
  query: Query & { readonly limit?: number | undefined },
  readPage: (query: Query) => Promise<CursorPage<Row>>,
): AsyncGenerator<Row, void, undefined> {
  const { offset, cursor, ...filter } = { ...query, limit: query.limit ?? largestPage }
  let place: Place = { ...(offset !== undefined && { offset }), ...(cursor !== undefined && { cursor }) }
  for (;;) {
    const { data, pagination } = await readPage({ ...filter, ...place } as unknown as Query)
    yield* data
    const next = pagination.next_cursor
    // A page that makes no progress would be requested forever.
    if (next === null || next === undefined || next === place.cursor) return
    place = { cursor: next }
  }
}

/**
 * Every row above a position, in ascending order, until none is left for now. The next page starts after the last row
 * received, so rows created meanwhile shift nothing.
 */
export async function* rowsAfter<Row extends { readonly position: string }>(
  position: string,
  readPage: (after: string) => Promise<Page<Row>>,
): AsyncGenerator<Row, void, undefined> {
  for (let after = position; ; ) {
    const { data, pagination } = await readPage(after)
    yield* data
    const last = data.at(-1)
    // A page that makes no progress would be requested forever.
    if (!pagination.has_more || last === undefined || last.position === after) return
    after = last.position
  }
}
