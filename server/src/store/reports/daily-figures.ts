import type { Environment } from '../../domain/environment.ts'
import { type Db, sql } from '../sql.ts'
import { foldSums, ofLastDays } from './fold.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** What the platform keeps, and what the network of a payout cost. */
export type FeeKind = 'platform' | 'network'

/** What a merchant paid in fees of one asset on a day. */
export type DailyFee = {
  /** `2026-11-15`, in UTC. */
  readonly day: string
  readonly kind: FeeKind
  readonly currency: string
  readonly network: string
  readonly decimals: number
  /** The currency of `baseMillionths`; '' where the value was not known at the time. */
  readonly baseCurrency: string
  readonly units: bigint
  /** In millionths of a minor unit. */
  readonly baseMillionths: bigint
}

export type InvoiceOutcome = 'open' | 'paid' | 'expired' | 'cancelled'

/** How many of the invoices that were created on a day have come to this. */
export type DailyOutcome = {
  readonly day: string
  readonly outcome: InvoiceOutcome
  readonly invoices: number
}

/** How many paid invoices took no longer than this, and longer than the next shorter time; of a period, or the one before. */
export type PaidWithin = {
  readonly isBefore: boolean
  readonly seconds: number
  readonly invoices: number
}

type FigureRow = {
  readonly day: string | null
  readonly outcome: InvoiceOutcome | null
  readonly isBefore: boolean | null
  readonly seconds: number | null
  readonly invoices: bigint
}

const fees = {
  table: 'daily_fees',
  key: ['merchant_id', 'environment', 'day', 'kind', 'currency', 'network', 'decimals', 'base_currency'],
  sums: ['units', 'base_millionths'],
} as const
const invoices = {
  table: 'daily_invoices',
  key: ['merchant_id', 'environment', 'day', 'outcome', 'within_seconds'],
  sums: ['invoices'],
} as const

/** Fees, and what becomes of invoices, by day. No statement takes longer the more invoices there are. */
export function dailyFiguresOn(db: Db) {
  return {
    /**
     * The first whole day for which these figures were kept, by the merchant's clock; null if they were kept from its first
     * invoice on.
     */
    async since({ merchantId, environment }: Owner): Promise<string | null> {
      const row = await sql<{ since: string }>`
        select to_char((merchant_time(merchants.id, ${environment}, began_at) at time zone 'UTC')::date + 1, 'YYYY-MM-DD')
          as since
        from figures_starts join merchants on merchants.created_at <= began_at
        where merchants.id = ${merchantId}`.maybeOne(db)
      return row?.since ?? null
    },

    /** The fees of the last `days` days, today (UTC) included, by day. */
    async fees(owner: Owner, today: string, days: number): Promise<DailyFee[]> {
      return sql<DailyFee>`
        select to_char(day, 'YYYY-MM-DD') as day, kind, currency, network, decimals, base_currency as "baseCurrency",
          sum(units) as units, sum(base_millionths) as "baseMillionths"
        from ${ofLastDays('daily_fees', owner, today, days)} as kept
        group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`.rows(db)
    },

    /** What became of the invoices created in a period of `days` days that ends today (UTC) and in the one before it. */
    async invoices(
      owner: Owner,
      today: string,
      days: number,
      since: string | null,
    ): Promise<{ outcomes: DailyOutcome[]; paidWithin: PaidWithin[] }> {
      const rows = await sql<FigureRow>`
        select to_char(day, 'YYYY-MM-DD') as day, outcome, is_before as "isBefore", within_seconds as seconds,
          sum(invoices) as invoices
        from (
          select day, outcome, within_seconds, invoices, day <= ${today}::date - ${days}::integer as is_before
          from ${ofLastDays('daily_invoices', owner, today, 2 * days)} as kept
          where day >= coalesce(${since}::date, '-infinity')
        ) as dated
        group by grouping sets ((day, outcome), (is_before, within_seconds))
        having sum(invoices) <> 0 order by day, seconds`.rows(db)
      return {
        outcomes: rows.flatMap(({ day, outcome, invoices: count }) =>
          day === null || outcome === null ? [] : [{ day, outcome, invoices: Number(count) }],
        ),
        paidWithin: rows.flatMap(({ isBefore, seconds, invoices: count }) =>
          isBefore === null || seconds === null || seconds === 0
            ? []
            : [{ isBefore, seconds, invoices: Number(count) }],
        ),
      }
    },

    async fold(): Promise<number> {
      return Math.max(await foldSums(db, fees), await foldSums(db, invoices))
    },
  }
}
