import { type Sql, sql } from '../sql.ts'
import {
  afterPlace,
  ageOrder,
  and,
  conditionsOf,
  type Listed,
  type Narrowing,
  notNarrowed,
  type Place,
  type Wanted,
} from './list-page.ts'

/** Rows, and where to continue; null after the last page. */
export type ExportPage<Row, Cursor> = { readonly rows: readonly Row[]; readonly next: Cursor | null }

/** A row of a list with its place, and whether the list has it. */
export type PlacedRow<Row> = Row & Place & { readonly matches: boolean }

/**
 * The rows of a list after a place, in the order of the list and with its filters; nothing is counted. Rows that only a look at
 * them tells apart are read in order and left out, so that no statement runs for long.
 */
export async function exportPage<Row extends object, T>(
  listed: Listed,
  wanted: Pick<Wanted, 'indexed' | 'others'>,
  asked: { readonly narrowing?: Narrowing; readonly after: Place | null; readonly limit: number },
  {
    read,
    from,
  }: {
    /** Runs the statement, where the type of its rows is known. */
    readonly read: (page: Sql) => Promise<PlacedRow<Row>[]>
    readonly from: (row: Row) => T
  },
): Promise<ExportPage<T, Place>> {
  const { narrowing = notNarrowed, after, limit } = asked
  const { oldestFirst = false } = narrowing
  const { byTime, indexed, others } = conditionsOf(listed, wanted, narrowing)
  const table = sql.ref(listed.table)
  const order = ageOrder(table, byTime, oldestFirst)
  const beyond = after === null ? sql`` : sql`and ${afterPlace(table, byTime, after, oldestFirst)}`
  const matches = others.length === 0 ? sql`true` : sql`coalesce(${sql.join(others, and)}, false)`
  const rows = await read(sql`
    select ${listed.columns}, ${table}.position, ${table}.created_at::text as at, ${matches} as matches
    from (select * from ${table} where ${indexed} ${beyond} order by ${order} limit ${limit}) as ${table}
    ${listed.joined ?? sql``} order by ${order}`)
  return { rows: rows.filter((row) => row.matches).map(from), next: nextPlace(rows, limit) }
}

/** Where to continue after these rows; null if they are the last ones. */
export function nextPlace(rows: readonly Place[], limit: number): Place | null {
  const last = rows.length < limit ? undefined : rows.at(-1)
  return last === undefined ? null : { at: last.at, position: last.position }
}
