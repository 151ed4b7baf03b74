import type { Environment } from '../../domain/environment.ts'
import { type Db, sql } from '../sql.ts'
import { foldSums, ofLastDays } from './fold.ts'

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

const folded = {
  table: 'daily_sums',
  key: ['merchant_id', 'environment', 'day', 'kind', 'currency', 'network', 'decimals', 'base_currency'],
  sums: ['units', 'base_units'],
} as const

export function dailySumsOn(db: Db) {
  return {
    /** The sums of the last `days` days, today (UTC) included, by day. */
    async list(
      owner: { readonly merchantId: string; readonly environment: Environment },
      today: string,
      days: number,
    ): Promise<DailySum[]> {
      return sql<DailySum>`
        select to_char(day, 'YYYY-MM-DD') as day, kind, currency, network, decimals, base_currency as "baseCurrency",
          sum(units) as units, sum(base_units) as "baseUnits"
        from ${ofLastDays('daily_sums', owner, today, days)} as kept
        group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`.rows(db)
    },

    fold: () => foldSums(db, folded),
  }
}
