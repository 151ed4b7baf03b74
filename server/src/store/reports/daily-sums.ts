import type { Environment } from '../../domain/environment.ts'
import { type Db, sql } from '../sql.ts'

export type SumKind = 'received' | 'paid_out' | 'refunded'

/** How much of one asset came in or went out on a day. */
export type DailySum = {
  /** `2026-11-15`, in UTC. */
  readonly day: string
  readonly kind: SumKind
  readonly currency: string
  readonly decimals: number
  /** The currency of `baseUnits`; '' where the value was not known at the time. */
  readonly baseCurrency: string
  readonly units: bigint
  readonly baseUnits: bigint
}

// The most rows that one fold takes, to bound its transaction.
const maxFolded = 10_000
const key = sql.raw('merchant_id, environment, day, kind, currency, network, decimals, base_currency')

export function dailySumsOn(db: Db) {
  return {
    /** The sums of the last `days` days, today (UTC) included, by day. */
    async list(
      owner: { readonly merchantId: string; readonly environment: Environment },
      today: string,
      days: number,
    ): Promise<DailySum[]> {
      return sql<DailySum>`
        select to_char(day, 'YYYY-MM-DD') as day, kind, currency, decimals, base_currency as "baseCurrency",
          sum(units) as units, sum(base_units) as "baseUnits"
        from daily_sums
        where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
          and day > ${today}::date - ${days}::integer and day <= ${today}::date
        group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`.rows(db)
    },

    /** Folds the rows of each sum that has several into one. Returns how many rows it took. */
    async fold(): Promise<number> {
      const { folded } = await sql<{ folded: bigint }>`
        with crowded as (
          select ${key} from daily_sums group by ${key} having count(*) > 1
        ), taken as (
          delete from daily_sums where ctid = any(array(
            select daily_sums.ctid from daily_sums join crowded using (${key})
            limit ${maxFolded} for update of daily_sums skip locked))
          returning *
        ), folded as (
          insert into daily_sums (${key}, units, base_units)
          select ${key}, sum(units), sum(base_units) from taken group by ${key}
        )
        select count(*) as folded from taken`.one(db)
      return Number(folded)
    },
  }
}
