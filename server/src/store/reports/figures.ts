import type { Environment } from '../../domain/environment.ts'
import { type Db, sql } from '../sql.ts'
import { busyEndpoints } from '../webhooks/busy-endpoints.ts'

/** Payouts that are not finished, by what they wait for. */
export type WaitingFigure = {
  readonly environment: Environment
  readonly gateId: string
  readonly reason: string
  readonly count: number
  readonly oldestSeconds: number
}

/** Deliveries that are not done, by whether their endpoint accepted the last ones. */
export type WebhookFigure = {
  readonly environment: Environment
  readonly isFailing: boolean
  readonly due: number
  readonly later: number
  readonly oldestDueSeconds: number
}

/** Payments in suspense that no one has released yet. */
export type SuspenseFigure = {
  readonly environment: Environment
  readonly reason: string
  readonly count: number
  readonly oldestSeconds: number
}

export type JobFigure = {
  readonly kind: string
  readonly due: number
  readonly failing: number
  readonly oldestDueSeconds: number
}

/** The state of the PostgreSQL server, as far as our role may see it. */
export type DatabaseFigure = {
  readonly connections: number
  readonly maxConnections: number
  readonly lockWaiters: number
  readonly lockWaitSeconds: number
  readonly oldestTransactionSeconds: number
  readonly transactionAge: number
  readonly sizeBytes: bigint
  readonly standbys: number
  /** Null where there is no standby, or our role may not see its state. */
  readonly replicationLagSeconds: number | null
  /** Null where the server archives nothing. */
  readonly archiveFailures: bigint | null
  readonly archivedSecondsAgo: number | null
}

/** The most rows that one of these statements counts: a scrape must stay cheap however long a queue is. */
const maxCounted = 100_000

/** What wakes people, over all merchants. For alarms: counts may stop at `maxCounted`. */
export function figuresOn(db: Db) {
  return {
    /**
     * Unfinished payouts by gate and by what they wait for: `approval`, `delay` (their policy’s), `gate_halted`,
     * `gate_offline`, `worker` (nothing has looked at it), `planning` (the payout itself says why), `signer`,
     * `signer_refuses`, `sending`, `block`.
     */
    async payouts(): Promise<WaitingFigure[]> {
      return sql<WaitingFigure>`
        select environment, gate_id as "gateId", reason, count(*)::integer as count,
          greatest(extract(epoch from clock_timestamp() - min(since)), 0)::float8 as "oldestSeconds"
        from (
          (select payouts.environment, gate_id, 'approval' as reason, created_at as since
          from (
            select merchant_id, environment from (
              select merchant_id, environment, total from list_totals where list = 'payouts' and facet = 'pending_approval'
              union all
              select merchant_id, environment, difference from list_counts
              where list = 'payouts' and facet = 'pending_approval'
            ) as kept group by 1, 2 having sum(total) > 0
          ) as asked
          join payouts on payouts.merchant_id = asked.merchant_id and payouts.environment = asked.environment
          where status = 'pending_approval' limit ${maxCounted})
          union all
          (select environment, gate_id, case
              when executable_at > clock_timestamp() then 'delay'
              when chain.halted_at is not null then 'gate_halted'
              when progress.trouble is not null then 'gate_offline'
              when waiting_reason is null then 'worker'
              else 'planning' end,
            case when executable_at > clock_timestamp() then coalesce(approved_at, created_at) else executable_at end
          from payouts left join followed_chains as chain using (gate_id)
          left join gate_progress as progress using (gate_id)
          where status = 'approved' limit ${maxCounted})
          union all
          (select payouts.environment, payouts.gate_id, case
              when attempts.sent then 'block'
              when attempts.signed then 'sending'
              when attempts.refused then 'signer_refuses'
              else 'signer' end,
            coalesce(executable_at, payouts.created_at)
          from spends join payouts on payouts.spend_id = spends.id and payouts.status = 'processing'
          cross join lateral (
            select bool_or(sent_at is not null) as sent, bool_or(bytes is not null) as signed,
              bool_or(refusal is not null) as refused
            from spend_transactions where spend_id = spends.id
          ) as attempts
          where spends.status = 'open' limit ${maxCounted})
        ) as waiting
        group by 1, 2, 3 order by 1, 2, 3`.rows(db)
    },

    /** Pending deliveries. Only endpoints with something to deliver are read, however many there are. */
    async webhooks(): Promise<WebhookFigure[]> {
      return sql<WebhookFigure>`
        with recursive ${busyEndpoints}
        select environment, failing_since is not null as "isFailing", coalesce(sum(waiting.due), 0)::integer as due,
          coalesce(sum(waiting.later), 0)::integer as later,
          greatest(extract(epoch from clock_timestamp() - min(waiting.oldest)), 0)::float8 as "oldestDueSeconds"
        from busy join webhook_endpoints as endpoint on endpoint.id = busy.endpoint_id
        cross join lateral (
          select count(*) filter (where due_at <= clock_timestamp()) as due,
            count(*) filter (where due_at > clock_timestamp()) as later,
            min(due_at) filter (where due_at <= clock_timestamp()) as oldest
          from (
            select due_at from webhook_deliveries
            where endpoint_id = endpoint.id and status = 'pending' order by due_at limit ${maxCounted}
          ) as first
        ) as waiting
        where endpoint.status = 'enabled' group by 1, 2`.rows(db)
    },

    /** Payments that a person has to decide about, by reason. */
    async suspense(): Promise<SuspenseFigure[]> {
      return sql<SuspenseFigure>`
        select environment, suspense_reason as reason, count(*)::integer as count,
          greatest(extract(epoch from clock_timestamp() - min(seen_at)), 0)::float8 as "oldestSeconds"
        from (
          select environment, suspense_reason, seen_at from payments
          where invoice_id is null and suspense_reason <> 'operator_float' and (waiting or block_height is not null)
            and not exists (select from suspense_releases where payment_id = payments.id)
          limit ${maxCounted}
        ) as held group by 1, 2 order by 1, 2`.rows(db)
    },

    /** What is booked to suspense, by gate and currency. */
    async suspenseBalances(): Promise<
      { gateId: string; currency: string; decimals: number; units: bigint }[]
    > {
      return sql<{ gateId: string; currency: string; decimals: number; units: bigint }>`
        select network || '-' || environment as "gateId", currency, decimals, balance_units as units
        from ledger_accounts where kind = 'suspense' order by 1, 2`.rows(db)
    },

    /** Jobs by kind; `failing` are those that failed at least so often. */
    async jobs(failedOften: number): Promise<JobFigure[]> {
      return sql<JobFigure>`
        select kind, count(*) filter (where due_at <= clock_timestamp())::integer as due,
          count(*) filter (where attempts >= ${failedOften})::integer as failing,
          coalesce(greatest(extract(epoch from clock_timestamp() - min(due_at)), 0), 0)::float8 as "oldestDueSeconds"
        from (select kind, due_at, attempts from jobs order by kind, due_at limit ${maxCounted}) as waiting
        group by 1 order by 1`.rows(db)
    },

    /** How old the newest rate of each currency is, and the newest quote of each source. */
    async rates(): Promise<{ isSource: boolean; name: string; ageSeconds: number }[]> {
      return sql<{ isSource: boolean; name: string; ageSeconds: number }>`
        select is_source as "isSource", name,
          greatest(extract(epoch from clock_timestamp() - newest), 0)::float8 as "ageSeconds"
        from (
          select false as is_source, currency as name, max(updated_at) as newest from rates group by 2
          union all
          select true, source, max(fetched_at) from rate_quotes group by 2
        ) as known order by 1, 2`.rows(db)
    },

    async database(): Promise<DatabaseFigure> {
      return sql<DatabaseFigure>`
        select backends.connections, current_setting('max_connections')::integer as "maxConnections",
          locks.waiters as "lockWaiters", locks.seconds as "lockWaitSeconds",
          backends.oldest as "oldestTransactionSeconds", own.transaction_age as "transactionAge",
          pg_database_size(current_database()) as "sizeBytes", replicas.standbys,
          replicas.lag as "replicationLagSeconds", archive.failures as "archiveFailures",
          archive.seconds_ago as "archivedSecondsAgo"
        from (
          select count(*)::integer as connections,
            coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)::float8 as oldest
          from pg_stat_activity where datname = current_database()
        ) as backends cross join (
          select count(*)::integer as waiters,
            coalesce(greatest(extract(epoch from clock_timestamp() - min(waitstart)), 0), 0)::float8 as seconds
          from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()
        ) as locks cross join (
          select age(datfrozenxid) as transaction_age from pg_database where datname = current_database()
        ) as own cross join (
          select count(*)::integer as standbys,
            max(coalesce(extract(epoch from replay_lag), 0)) filter (where state is not null)::float8 as lag
          from pg_stat_replication where application_name is distinct from 'sluice_backup'
        ) as replicas cross join (
          select case when current_setting('archive_mode') <> 'off' then failed_count end as failures,
            case when current_setting('archive_mode') <> 'off'
              then extract(epoch from clock_timestamp() - last_archived_time)::float8 end as seconds_ago
          from pg_stat_archiver
        ) as archive`.one(db)
    },
  }
}
