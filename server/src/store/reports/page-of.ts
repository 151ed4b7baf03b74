import type { PageRequest } from '../../domain/page.ts'
import { type Sql, sql } from '../sql.ts'

// Rows that a page may end within, and rows that it may have. The statement names such a number: by a mere parameter the planner
// expects a tenth of the table, and then it plans anew every time, however small the page.
const ends = [200, 2_200] as const
const sizes = [20, 100] as const

/** Whether a page ends so early that skipping rows up to it costs next to nothing. */
export function endsEarly({ limit, offset }: PageRequest): boolean {
  return ends.some((most) => offset + limit <= most)
}

/** One page of rows in an order that an index has. Its cost is known before its limit and offset are. */
export function pageOf(rows: Sql, order: Sql, { limit, offset }: PageRequest): Sql {
  const end = ends.find((most) => offset + limit <= most)
  const size = sizes.find((most) => limit <= most)
  const first =
    end === undefined ? rows : sql`select * from (${rows} order by ${order} limit ${sql.lit(end)}) as newest`
  const skipped = offset === 0 ? sql`` : sql`offset ${offset}`
  const page = sql`${first} order by ${order} limit ${limit} ${skipped}`
  return size === undefined ? page : sql`select * from (${page}) as page limit ${sql.lit(size)}`
}
