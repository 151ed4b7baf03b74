import type { Environment } from '../../domain/environment.ts'
import { type Db, sql } from '../sql.ts'
import { maxFolded } from './counts.ts'

export type SumKind = 'received' | 'paid_out' | 'refunded'

/** How much of one asset came in or went out on a day. */
export type DailySum = {
  /** `2026-11-15`, in UTC. */
  readonly day: string
  readonly kind: SumKind
  readonly currency: string
  readonly network: string
  readonly decimals: number
  /** The currency of `baseUnits`; '' where the value was not known at the time. */
  readonly baseCurrency: string
  readonly units: bigint
  readonly baseUnits: bigint
}

const key = sql.raw('merchant_id, environment, day, kind, currency, network, decimals, base_currency')

export function dailySumsOn(db: Db) {
  return {
    /** The sums of the last `days` days, today (UTC) included, by day. */
    async list(
      owner: { readonly merchantId: string; readonly environment: Environment },
      today: string,
      days: number,
    ): Promise<DailySum[]> {
      const wanted = sql`merchant_id = ${owner.merchantId} and environment = ${owner.environment}
        and day > ${today}::date - ${days}::integer and day <= ${today}::date`
      // Each part has an index of its own.
      return sql<DailySum>`
        select to_char(day, 'YYYY-MM-DD') as day, kind, currency, network, decimals, base_currency as "baseCurrency",
          sum(units) as units, sum(base_units) as "baseUnits"
        from (
          select * from daily_sums where is_folded and ${wanted}
          union all
          select * from daily_sums where not is_folded and ${wanted}
        ) as kept
        group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`.rows(db)
    },

    /** Folds what bookings have appended. Reads nothing else, however many days there are. Returns how many rows it took. */
    async fold(): Promise<number> {
      const { folded } = await sql<{ folded: bigint }>`
        with taken as (
          delete from daily_sums where ctid = any(array(
            select ctid from daily_sums where not is_folded limit ${maxFolded} for update skip locked))
          returning *
        ), folded as (
          insert into daily_sums as kept (${key}, units, base_units, is_folded)
          select ${key}, sum(units), sum(base_units), true from taken group by ${key} order by ${key}
          on conflict (${key}) where is_folded
          do update set units = kept.units + excluded.units, base_units = kept.base_units + excluded.base_units
        )
        select count(*) as folded from taken`.one(db)
      return Number(folded)
    },
  }
}
