import type { Quote } from '../domain/quote.ts'
import { type Db, sql } from './sql.ts'

// An arbitrary key that no other advisory lock in this database uses.
const settleLock = 7_310_916

export type StoredRate = {
  readonly currency: string
  readonly fiatCurrency: string
  readonly rate: bigint
  readonly sources: readonly string[]
  readonly updatedAt: Date
}

export function ratesOn(db: Db) {
  return {
    /** Claims the turn to query a source, if it is due, and schedules the next one. Of several workers, one gets true. */
    async claimSource(source: string, nextInMs: number): Promise<boolean> {
      const changed = await sql`
        insert into rate_sources (source, due_at)
        values (${source}, clock_timestamp() + ${nextInMs} * interval '1 millisecond')
        on conflict (source) do update set due_at = excluded.due_at
        where rate_sources.due_at <= clock_timestamp()
        returning source`.run(db)
      return changed > 0
    },

    /** Delays a source's next turn, as the source asked. */
    async postponeSource(source: string, waitMs: number): Promise<void> {
      await sql`
        update rate_sources set due_at = greatest(due_at, clock_timestamp() + ${waitMs} * interval '1 millisecond')
        where source = ${source}`.run(db)
    },

    /**
     * Updates a source's quotes; one that the source no longer gives stays until it is too old. Other callers wait here
     * until the transaction ends, so that rates are settled one at a time.
     */
    async saveQuotes(source: string, quotes: readonly Quote[]): Promise<void> {
      await sql`select pg_advisory_xact_lock(${settleLock})`.run(db)
      await sql`
        insert into rate_quotes (source, currency, fiat_currency, rate_scaled, fetched_at)
        select ${source}, currency, fiat_currency, rate_scaled, fetched_at
        from unnest(
          ${quotes.map((quote) => quote.currency)}::text[],
          ${quotes.map((quote) => quote.fiatCurrency)}::text[],
          ${quotes.map((quote) => quote.rate.toString())}::numeric[],
          ${quotes.map((quote) => quote.fetchedAt.toISOString())}::timestamptz[]
        ) as quote (currency, fiat_currency, rate_scaled, fetched_at)
        on conflict (currency, fiat_currency, source)
        do update set rate_scaled = excluded.rate_scaled, fetched_at = excluded.fetched_at`.run(db)
    },

    async readQuotes(sources: readonly string[]): Promise<Quote[]> {
      return sql<Quote>`
        select source, currency, fiat_currency as "fiatCurrency", rate_scaled as rate, fetched_at as "fetchedAt"
        from rate_quotes where source = any(${sources}::text[])`.rows(db)
    },

    async readRates(): Promise<StoredRate[]> {
      return sql<StoredRate>`
        select currency, fiat_currency as "fiatCurrency", rate_scaled as rate, sources, updated_at as "updatedAt"
        from rates order by currency, fiat_currency`.rows(db)
    },

    async saveRates(rates: readonly StoredRate[]): Promise<void> {
      await sql`
        insert into rates (currency, fiat_currency, rate_scaled, sources, updated_at)
        select currency, fiat_currency, rate_scaled, string_to_array(sources, ','), updated_at
        from unnest(
          ${rates.map((rate) => rate.currency)}::text[],
          ${rates.map((rate) => rate.fiatCurrency)}::text[],
          ${rates.map((rate) => rate.rate.toString())}::numeric[],
          ${rates.map((rate) => rate.sources.join(','))}::text[],
          ${rates.map((rate) => rate.updatedAt.toISOString())}::timestamptz[]
        ) as rate (currency, fiat_currency, rate_scaled, sources, updated_at)
        on conflict (currency, fiat_currency)
        do update set rate_scaled = excluded.rate_scaled, sources = excluded.sources, updated_at = excluded.updated_at`.run(
        db,
      )
    },
  }
}
