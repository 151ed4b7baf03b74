import { type Db, type Sql, sql } from '../sql.ts'
import { maxFolded } from './counts.ts'

/** A table of sums by day: bookings append differences, and folding adds them up in one row for each key. */
export type FoldedTable = {
  readonly table: string
  readonly key: readonly string[]
  readonly sums: readonly string[]
}

/** Folds what bookings have appended. Reads nothing else, however many days there are. Returns how many rows it took. */
export async function foldSums(db: Db, { table, key, sums }: FoldedTable): Promise<number> {
  const [name, keys] = [sql.ref(table), sql.raw(key.join(', '))]
  const { folded } = await sql<{ folded: bigint }>`
    with taken as (
      delete from ${name} where ctid = any(array(
        select ctid from ${name} where not is_folded limit ${maxFolded} for update skip locked))
      returning *
    ), folded as (
      insert into ${name} as kept (${keys}, ${sql.raw(sums.join(', '))}, is_folded)
      select ${keys}, ${sql.raw(sums.map((each) => `sum(${each})`).join(', '))}, true
      from taken group by ${keys} order by ${keys}
      on conflict (${keys}) where is_folded
      do update set ${sql.raw(sums.map((each) => `${each} = kept.${each} + excluded.${each}`).join(', '))}
    )
    select count(*) as folded from taken`.one(db)
  return Number(folded)
}

/** The rows of a table of sums that an owner has of the last `days` days, today (UTC) included. */
export function ofLastDays(
  table: string,
  owner: { readonly merchantId: string; readonly environment: string },
  today: string,
  days: number,
): Sql {
  const wanted = sql`merchant_id = ${owner.merchantId} and environment = ${owner.environment}
    and day > ${today}::date - ${days}::integer and day <= ${today}::date`
  // Each part has an index of its own.
  return sql`(
    select * from ${sql.ref(table)} where is_folded and ${wanted}
    union all
    select * from ${sql.ref(table)} where not is_folded and ${wanted}
  )`
}
