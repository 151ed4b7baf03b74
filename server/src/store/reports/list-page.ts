import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { CursorPage, PageRequest } from '../../domain/page.ts'
import { type PageRow, pageFrom } from '../outer-rows.ts'
import { type Db, type Sql, sql } from '../sql.ts'
import { type CountFilter, type List, positionsOf, totalOf } from './counts.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** What a list can be narrowed by beyond its own filters. */
export type Narrowing = {
  /** The id of the row that the page comes after. */
  readonly cursor: string | null
  readonly createdAfter: Date | null
  readonly createdBefore: Date | null
  /** Amounts in units, by network, since a currency may have other decimals on each; null: any amount. */
  readonly amounts: readonly AmountRange[] | null
  readonly metadata: { readonly key: string; readonly value: string | null } | null
  readonly search: string | null
  /** Otherwise the newest rows come first. */
  readonly oldestFirst?: boolean
  /** How many rows to look at; tests choose fewer. */
  readonly mostLookedAt?: number
}

/** Both ends included; null: no limit. */
export type AmountRange = {
  readonly network: string
  readonly least: bigint | null
  readonly most: bigint | null
}

export const notNarrowed: Narrowing = {
  cursor: null,
  createdAfter: null,
  createdBefore: null,
  amounts: null,
  metadata: null,
  search: null,
}

/** How many rows one request looks at where no total is kept. Bounds what a request can cost. */
const mostLookedAt = 100_000

/** A table whose rows are listed by age. */
export type Listed = {
  /** Under which name its totals are kept. */
  readonly list: List
  readonly table: 'invoices' | 'payouts' | 'refunds' | 'static_addresses'
  readonly columns: Sql
  /** What is joined to each of its rows. */
  readonly joined?: Sql
  /** Where amount, network and metadata are, if not in the table itself. */
  readonly details?: 'payouts'
  /** Whether an index has its rows by time. */
  readonly hasTimes: boolean
  /** Whether its totals are kept by stretches of positions too, by which a page deep in it is found. */
  readonly hasBuckets: boolean
  /** The text that a search looks through. */
  readonly searched: Sql
}

/** A row of a page of a list. */
export type ListedRow<Row> = PageRow<Row & { readonly lookEnd: string | null }>

export type Wanted = {
  /** Conditions that an index serves together with the order of positions; names the owner. */
  readonly indexed: Sql
  /** By which of the kept totals they count; null if by none. */
  readonly counted: CountFilter | null
  /** Further conditions, which each row is read for. */
  readonly others?: readonly Sql[]
}

/**
 * One page, newest first unless asked otherwise, with the total of matching rows, from one snapshot. Throws if the cursor is not a row of the list,
 * and if the offset is beyond the rows that are looked at. A page without cursor and without narrowing is found in an index
 * alone, and its rows are read only after that. Each row is a lookup of its own (`offset 0` ensures it): a join planned while
 * the table was small would read all rows for each row of the page.
 */
export async function listPage<Row extends object, T>(
  db: Db,
  listed: Listed,
  owner: Owner,
  wanted: Wanted,
  asked: PageRequest & { readonly narrowing?: Narrowing },
  {
    id: key,
    read,
    from,
  }: {
    readonly id: keyof Row
    /** Runs the statement, where the type of its rows is known. */
    readonly read: (page: Sql) => Promise<ListedRow<Row>[]>
    readonly from: (row: Row) => T
  },
): Promise<CursorPage<T>> {
  const { narrowing = notNarrowed, limit, offset } = asked
  const most = narrowing.mostLookedAt ?? mostLookedAt
  const table = sql.ref(listed.table)
  const owned = sql`${table}.merchant_id = ${owner.merchantId} and ${table}.environment = ${owner.environment}`
  const start = narrowing.cursor === null ? null : await placeOf(narrowing.cursor)

  const { byTime, indexed, others } = conditionsOf(listed, wanted, narrowing)
  const { oldestFirst = false } = narrowing
  const order = ageOrder(table, byTime, oldestFirst)
  const counted = byTime || others.length > 0 ? null : wanted.counted
  // Buckets lead to a page deep in the list from its newest end only.
  if ((counted === null || oldestFirst) && offset >= most) throw tooDeep()
  const isPlain = counted !== null && start === null && listed.hasBuckets && !oldestFirst

  const below = start === null ? sql`` : sql`and ${afterPlace(table, byTime, start, oldestFirst)}`
  const lookedAt = (further: Sql) => sql`
    (select * from ${table} where ${indexed} ${further} order by ${order} limit ${sql.lit(most)}) as ${table}
    ${listed.joined ?? sql``} where ${sql.join(others, and)}`
  const rowsFrom = (further: Sql) =>
    others.length === 0 ? sql`${table} where ${indexed} ${further}` : lookedAt(further)

  const positions = isPlain
    ? positionsOf(listed.list, owner, { ...counted, limit, offset }, { rows: sql`${table} where ${indexed}` })
    : // One more than asked for, to know whether the list goes on.
      sql`select ${table}.position from ${rowsFrom(below)} order by ${order} limit ${limit + 1} offset ${offset}`
  // An index finds the page of a time range, but counting the range would take as long as the range is.
  const countedNow =
    others.length === 0
      ? sql`(select from ${table} where ${indexed} limit ${sql.lit(most)}) as counted`
      : lookedAt(sql``)
  const total =
    counted !== null ? totalOf(listed.list, owner, counted) : sql`(select count(*) from ${countedNow})`
  // Where the look at the rows ended without filling the page.
  const lookEnd =
    others.length === 0
      ? sql`null::uuid`
      : sql`case when (select count(*) from found) <= ${limit} then (
          select id from ${table} where ${indexed} ${below} order by ${order} limit 1 offset ${sql.lit(most - 1)}
        ) end`
  const rows = await read(sql`
    with found as materialized (${positions})
    select ${total} as total, ${lookEnd} as "lookEnd", ${listed.columns}
    from (select) as one
    left join (found cross join lateral (
      select * from ${table} where ${table}.position = found.position and ${owned} offset 0
    ) as ${table} ${listed.joined ?? sql``}) on true
    order by ${order}`)

  const end = rows[0]?.lookEnd ?? null
  const page = pageFrom<Row, Row>(rows as PageRow<Row>[], key, (row) => row)
  const shown = page.rows.slice(0, limit)
  const goesOn = isPlain ? offset + shown.length < page.total : page.rows.length > limit
  const next = goesOn ? String(shown.at(-1)?.[key]) : end
  // A client that pages by offset until nothing follows would ask for ever, or mistake the end of the scan for that of the list.
  if (shown.length === 0 && offset > 0 && next !== null) throw tooDeep()
  return { rows: shown.map(from), total: page.total, next }

  async function placeOf(id: string): Promise<Place> {
    const found = await sql<Place>`
      select position, created_at::text as at from ${table} where id = ${id} and ${owned}`.maybeOne(db)
    if (found === null) throw unknownCursor()
    return found
  }
}

export const and = sql.raw(' and ')

/** What rows of a list must be, and whether they are read by time. */
export function conditionsOf(
  listed: Listed,
  wanted: Pick<Wanted, 'indexed' | 'others'>,
  narrowing: Narrowing,
): {
  readonly byTime: boolean
  /** What an index serves together with the order. */
  readonly indexed: Sql
  /** What each row is read for. */
  readonly others: readonly Sql[]
} {
  const times = timesOf(sql.ref(listed.table), narrowing)
  const byTime = listed.hasTimes && times.length > 0
  return {
    byTime,
    indexed: sql.join([wanted.indexed, ...(byTime ? times : [])], and),
    others: [
      ...(wanted.others ?? []),
      ...(byTime ? [] : times),
      ...detailsOf(sql.ref(listed.details ?? listed.table), listed.searched, narrowing),
    ],
  }
}

function unknownCursor(): ServiceError {
  return new ServiceError(
    'validation_error',
    'The cursor is not a row of this list. Send next_cursor of the page before it, with the same filters.',
    ['/cursor: must be the id of a row of this list'],
  )
}

function tooDeep(): ServiceError {
  return new ServiceError(
    'validation_error',
    'With these filters the list cannot be read so far by offset. Page by cursor: send next_cursor of a page for the next one.',
    ['/offset: is too great with these filters; page by cursor'],
  )
}

/** A row's place in its list; the time is to the microsecond, which a JavaScript date cannot hold. */
export type Place = { readonly position: bigint; readonly at: string }

/** The order of rows by age; rows of a span of time are read by time. */
export function ageOrder(table: Sql, byTime: boolean, oldestFirst: boolean): Sql {
  const way = oldestFirst ? sql`asc` : sql`desc`
  return byTime ? sql`${table}.created_at ${way}, ${table}.position ${way}` : sql`${table}.position ${way}`
}

/** The rows that come after a place in that order. */
export function afterPlace(table: Sql, byTime: boolean, { position, at }: Place, oldestFirst: boolean): Sql {
  const beyond = oldestFirst ? sql`>` : sql`<`
  return byTime
    ? sql`(${table}.created_at, ${table}.position) ${beyond} (${at}::timestamptz, ${position}::bigint)`
    : sql`${table}.position ${beyond} ${position}::bigint`
}

/** Whether a row has this text. */
export function contains(searched: Sql, text: string): Sql<boolean> {
  return sql<boolean>`strpos(lower(${searched}), lower(${text})) > 0`
}

function timesOf(table: Sql, { createdAfter, createdBefore }: Narrowing): Sql[] {
  return [
    ...(createdAfter === null ? [] : [sql`${table}.created_at >= ${createdAfter}`]),
    ...(createdBefore === null ? [] : [sql`${table}.created_at < ${createdBefore}`]),
  ]
}

function detailsOf(table: Sql, searched: Sql, { amounts, metadata, search }: Narrowing): Sql[] {
  const conditions: Sql[] = []
  if (amounts !== null) {
    const ranges = amounts.map(
      ({ network, least, most }) => sql`(${table}.network = ${network} and ${within(table, least, most)})`,
    )
    conditions.push(ranges.length === 0 ? sql`false` : sql`(${sql.join(ranges, sql.raw(' or '))})`)
  }
  if (metadata !== null) {
    const { key, value } = metadata
    conditions.push(
      value === null
        ? sql`${table}.metadata ? ${key}`
        : sql`${table}.metadata ? ${key} and coalesce(${table}.metadata ->> ${key}, 'null') = ${value}`,
    )
  }
  if (search !== null) conditions.push(contains(searched, search))
  return conditions
}

function within(table: Sql, least: bigint | null, most: bigint | null): Sql {
  const low = least === null ? sql`` : sql`and ${table}.amount_units >= ${least.toString()}::numeric`
  const high = most === null ? sql`` : sql`and ${table}.amount_units <= ${most.toString()}::numeric`
  return sql`${table}.amount_units is not null ${low} ${high}`
}

/** All values of metadata as one text. */
export function metadataText(table: 'invoices' | 'payouts'): Sql {
  return sql`(select string_agg(value, e'\n') from jsonb_each_text(${sql.ref(table, 'metadata')}))`
}
