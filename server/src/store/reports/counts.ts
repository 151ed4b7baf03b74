import type { Environment } from '../../domain/environment.ts'
import { type Db, type Sql, sql } from '../sql.ts'

type List =
  | 'invoices'
  | 'invoices_of_address'
  | 'events'
  | 'ledger_entries'
  | 'static_addresses'
  | 'payouts'
  | 'refunds'

// The most rows that one fold takes, to bound its transaction.
const maxFolded = 10_000

type CountedOwner = { readonly merchantId: string; readonly environment: Environment }
type CountFilter = { facet?: string | null; currency?: string | null }

/** The kept total of a list, as an expression for the statement that reads the page, so that both come from one snapshot. */
export function totalOf(list: List, owner: CountedOwner, filter: CountFilter): Sql<bigint> {
  return sql<bigint>`(
    select coalesce(sum(difference), 0) from list_counts where ${counted(list, owner, filter)})`
}

/**
 * Where a page begins, for the statement that reads it: the highest position to read (`top`), and how many rows to skip from
 * there (`rest`). Whole buckets before that are skipped by their kept counts.
 */
export function pageStart(list: List, owner: CountedOwner, filter: CountFilter, offset: number): Sql {
  return sql`
    select ((bucket + 1) << 15) - 1 as top, (${offset}::bigint - (passed - held))::bigint as rest from (
      select bucket, sum(difference) as held, sum(sum(difference)) over (order by bucket desc) as passed
      from list_counts where ${counted(list, owner, filter)} group by bucket
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
    /** Folds the rows of each count that has several into one. Returns how many rows it took. */
    async fold(): Promise<number> {
      const { folded } = await sql<{ folded: bigint }>`
        with crowded as (
          select list, merchant_id, environment, facet, currency, bucket from list_counts
          group by 1, 2, 3, 4, 5, 6 having count(*) > 1
        ), taken as (
          delete from list_counts where ctid = any(array(
            select list_counts.ctid from list_counts 
              join crowded using (list, merchant_id, environment, facet, currency, bucket)
            limit ${maxFolded} for update of list_counts skip locked))
          returning *
        ), folded as (
          insert into list_counts (list, merchant_id, environment, facet, currency, bucket, difference)
          select list, merchant_id, environment, facet, currency, bucket, sum(difference)
          from taken group by 1, 2, 3, 4, 5, 6
        )
        select count(*) as folded from taken`.one(db)
      return Number(folded)
    },
  }
}
