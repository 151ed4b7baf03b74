import { readTraceparent, type SpanContext } from '../tracing/traceparent.ts'
import { type Db, sql } from './sql.ts'

/** A payout whose transaction is being sent, with when the signer was asked and had signed. */
export type TracedPayout = {
  readonly payoutId: string
  readonly context: SpanContext
  readonly plannedAt: Date
  readonly signedAt: Date | null
}

type Row = { readonly id: string; readonly traceparent: string }

/** The requests that created things, for work that goes on in their traces. Only read while tracing is on. */
export function tracesOn(db: Db) {
  return {
    /** Of these invoices, those whose creation was traced. */
    async ofInvoices(ids: readonly string[]): Promise<ReadonlyMap<string, SpanContext>> {
      return contexts(
        await sql<Row>`
          select id, traceparent from invoices
          where id = any (${[...ids]}::uuid[]) and traceparent is not null`.rows(db),
      )
    },

    /** The same for payouts. */
    async ofPayouts(ids: readonly string[]): Promise<ReadonlyMap<string, SpanContext>> {
      return contexts(
        await sql<Row>`
          select id, traceparent from payouts
          where id = any (${[...ids]}::uuid[]) and traceparent is not null`.rows(db),
      )
    },

    /** The traced payouts that one attempt of a spend pays. */
    async ofAttempt(spendId: string, attempt: number): Promise<TracedPayout[]> {
      const rows = await sql<Row & { plannedAt: Date; signedAt: Date | null }>`
        select payouts.id, payouts.traceparent, transaction.planned_at as "plannedAt", transaction.signed_at as "signedAt"
        from spend_transactions as transaction join payouts on payouts.spend_id = transaction.spend_id
        where transaction.spend_id = ${spendId} and transaction.attempt = ${attempt}
          and payouts.traceparent is not null`.rows(db)
      return rows.flatMap(({ id, traceparent, plannedAt, signedAt }) => {
        const context = readTraceparent(traceparent)
        return context === null ? [] : [{ payoutId: id, context, plannedAt, signedAt }]
      })
    },
  }
}

function contexts(rows: readonly Row[]): Map<string, SpanContext> {
  return new Map(
    rows.flatMap(({ id, traceparent }) => {
      const context = readTraceparent(traceparent)
      return context === null ? [] : [[id, context]]
    }),
  )
}
