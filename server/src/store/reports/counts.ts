import type { Environment } from '../../domain/environment.ts'
import type { PageRequest } from '../../domain/page.ts'
import { type Db, type Sql, sql } from '../sql.ts'
import { endsEarly, pageOf } from './page-of.ts'

export type List =
  | 'invoices'
  | 'invoices_of_address'
  | 'events'
  | 'ledger_entries'
  | 'static_addresses'
  | 'payouts'
  | 'refunds'

/** The most rows that one fold takes, to bound its transaction. */
export const maxFolded = 10_000

type CountedOwner = { readonly merchantId: string; readonly environment: Environment }
/** By what a kept total is narrowed. */
export type CountFilter = { facet?: string | null; currency?: string | null }

/** The kept total of a list, as an expression for the statement that reads the page, so that both come from one snapshot. */
export function totalOf(list: List, owner: CountedOwner, filter: CountFilter): Sql<bigint> {
  const wanted = counted(list, owner, filter)
  return sql<bigint>`(
    select (select coalesce(sum(total), 0) from list_totals where ${wanted})
      + (select coalesce(sum(difference), 0) from list_counts where ${wanted}))`
}

/**
 * The positions of a page, newest first, from an index alone. `rows` is the table and the condition; its index has the
 * positions in order. Deep in a list, whole buckets before the page are skipped by their kept counts.
 */
export function positionsOf(
  list: List,
  owner: CountedOwner,
  filter: CountFilter & PageRequest,
  { column = 'position', rows }: { column?: 'position' | 'number'; rows: Sql },
): Sql {
  const { limit, offset } = filter
  const by = sql.ref(column)
  // Skipping rows in the index costs less there than reading the buckets.
  if (endsEarly(filter)) return pageOf(sql`select ${by} from ${rows}`, sql`${by} desc`, filter)
  return sql`
    with start as materialized (${pageStart(list, owner, filter, offset)})
    select ${by} from ${rows} and ${by} <= (select top from start)
    order by ${by} desc limit ${limit} offset (select rest from start)`
}

/** The highest position to read (`top`), and how many rows to skip from there (`rest`). */
function pageStart(list: List, owner: CountedOwner, filter: CountFilter, offset: number): Sql {
  const wanted = counted(list, owner, filter)
  return sql`
    select ((bucket + 1) << 15) - 1 as top, (${offset}::bigint - (passed - held))::bigint as rest from (
      select bucket, sum(total) as held, sum(sum(total)) over (order by bucket desc) as passed from (
        select bucket, total from list_buckets where ${wanted}
        union all
        select bucket, difference from list_counts where ${wanted}
      ) as kept group by bucket
    ) as buckets
    where passed > ${offset}::bigint order by bucket desc limit 1`
}

function counted(list: List, owner: CountedOwner, filter: CountFilter): Sql {
  const facet = filter.facet == null ? sql`` : sql`and facet = ${filter.facet}`
  const currency = filter.currency == null ? sql`` : sql`and currency = ${filter.currency}`
  return sql`list = ${list} and merchant_id = ${owner.merchantId} and environment = ${owner.environment} ${facet} ${currency}`
}

export function countsOn(db: Db) {
  return {
    /** Folds differences into the kept totals. Reads nothing else, however long the lists are. Returns how many it took. */
    async fold(): Promise<number> {
      // Written in the order of the keys, so that two that fold at once wait for each other but never deadlock.
      const { folded } = await sql<{ folded: bigint }>`
        with taken as (
          delete from list_counts where ctid = any(array(
            select ctid from list_counts limit ${maxFolded} for update skip locked))
          returning *
        ), totals as (
          insert into list_totals as kept (list, merchant_id, environment, facet, currency, total)
          select list, merchant_id, environment, facet, currency, sum(difference) from taken
          group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
          on conflict (list, merchant_id, environment, facet, currency) do update set total = kept.total + excluded.total
        ), buckets as (
          insert into list_buckets as kept (list, merchant_id, environment, facet, currency, bucket, total)
          select list, merchant_id, environment, facet, currency, bucket, sum(difference) from taken
          group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
          on conflict (list, merchant_id, environment, facet, currency, bucket)
          do update set total = kept.total + excluded.total
        )
        select count(*) as folded from taken`.one(db)
      return Number(folded)
    },
  }
}
