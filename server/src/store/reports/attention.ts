import type { Environment } from '../../domain/environment.ts'
import type { InvoiceStatus } from '../../domain/invoices.ts'
import { say } from '../../domain/reasons/reasons.ts'
import { readRole } from '../role.ts'
import { type Db, sql } from '../sql.ts'
import { totalOf } from './counts.ts'

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** An endpoint that is disabled, or accepts nothing at present. */
export type TroubledEndpoint = {
  readonly id: string
  readonly url: string
  readonly disabledReason: string | null
  readonly failingSince: Date | null
}

/** Payouts that are approved and do not leave, and why. */
export type WaitingPayouts = {
  readonly gateId: string
  readonly merchantId: string
  readonly reason: string
  readonly count: number
  readonly since: Date
}

/** A transaction that was booked as done and, after a reorganisation, cannot come back by itself. */
export type UndoneSpend = {
  readonly gateId: string
  readonly spendId: string
  /** One of the payouts that it paid; null where it paid none. */
  readonly payoutId: string | null
  readonly reason: string
}

/** The most rows that one of these statements counts or lists. */
const maxCounted = 100

/** What users and operators should look at. No statement takes longer the more invoices there are. */
export function attentionOn(db: Db) {
  return {
    /** The number of invoices in each status, from the kept counts. */
    async invoicesByStatus({ merchantId, environment }: Owner): Promise<Map<InvoiceStatus, number>> {
      const rows = await sql<{ status: InvoiceStatus; count: bigint }>`
        select facet as status, sum(total) as count from (
          select facet, total from list_totals
          where list = 'invoices' and merchant_id = ${merchantId} and environment = ${environment}
          union all
          select facet, difference from list_counts
          where list = 'invoices' and merchant_id = ${merchantId} and environment = ${environment}
        ) as kept group by 1`.rows(db)
      return new Map(rows.map(({ status, count }) => [status, Number(count)]))
    },

    /** Whether the service's own role could switch off what guards the books. */
    async canRewriteBooks(): Promise<boolean> {
      return (await readRole(db)).isOwner
    },

    async payoutsToApprove(owner: Owner): Promise<number> {
      const { count } = await sql<{ count: bigint }>`
        select ${totalOf('payouts', owner, { facet: 'pending_approval' })} as count`.one(db)
      return Number(count)
    },

    /** Transactions that were booked as done and have left the chain; at most `maxCounted`. */
    async undone(): Promise<UndoneSpend[]> {
      return sql<UndoneSpend>`
        select gate_id as "gateId", id as "spendId", undone_reason as reason,
          (select payouts.id from payouts where spend_id = spends.id order by id limit 1) as "payoutId"
        from spends where undone_reason is not null order by id limit ${maxCounted}`.rows(db)
    },

    /** Underpaid invoices whose window ends within this number of seconds; at most `maxCounted` are counted. */
    async underpaidEnding({ merchantId, environment }: Owner, withinSeconds: number): Promise<number> {
      const { count } = await sql<{ count: number }>`
        select count(*)::integer as count from (
          select from invoices where merchant_id = ${merchantId} and environment = ${environment}
            and status = 'underpaid' and due_at is not null
            and due_at <= (select merchant_now(${merchantId}, ${environment})) + ${withinSeconds} * interval '1 second'
          limit ${maxCounted}
        ) as ending`.one(db)
      return count
    },

    /** Endpoints that were disabled, and those that accept nothing at present. */
    async troubledEndpoints({ merchantId, environment }: Owner): Promise<TroubledEndpoint[]> {
      return sql<TroubledEndpoint>`
        select id, url, disabled_reason as "disabledReason", failing_since as "failingSince" from webhook_endpoints
        where merchant_id = ${merchantId} and environment = ${environment} and status <> 'deleted'
          and (status = 'disabled' or failing_since is not null)
        order by position desc`.rows(db)
    },

    /** Payouts of all merchants that have been due for longer than this and are waiting, by gate, merchant and reason. */
    async payoutsWaiting(longerThanSeconds: number): Promise<WaitingPayouts[]> {
      return sql<WaitingPayouts>`
        select gate_id as "gateId", merchant_id as "merchantId", coalesce(waiting_reason, ${say('not_started')}) as reason,
          count(*)::integer as count, min(executable_at) as since
        from payouts where status = 'approved'
          and executable_at < clock_timestamp() - ${longerThanSeconds} * interval '1 second'
        group by 1, 2, 3 order by min(executable_at) limit ${maxCounted}`.rows(db)
    },

    /** Jobs that failed at least so often, by kind and gate. */
    async jobsFailing(
      leastAttempts: number,
    ): Promise<{ kind: string; gateId: string | null; count: number; since: Date }[]> {
      return sql<{ kind: string; gateId: string | null; count: number; since: Date }>`
        select kind, gate_id as "gateId", count(*)::integer as count, min(due_at) as since from jobs
        where attempts >= ${leastAttempts} group by 1, 2 order by 1, 2`.rows(db)
    },

    /** Since when the float of a gate has been too low, by gate. */
    async floatsLow(): Promise<Map<string, Date>> {
      const rows = await sql<{ gateId: string; since: Date }>`
        select gate_id as "gateId", low_since as since from float_alerts`.rows(db)
      return new Map(rows.map(({ gateId, since }) => [gateId, since]))
    },
  }
}
