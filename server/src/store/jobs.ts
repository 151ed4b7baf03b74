import { type Db, sql } from './sql.ts'

/** The kinds of jobs: assess an invoice's status, book a payment that belongs to no invoice, send a mail. */
export type JobKind = 'assess_invoice' | 'book_suspense' | 'send_mail'

export type ClaimedJob = { readonly subject: string; readonly version: bigint; readonly attempts: number }

/** Jobs that must survive a crash: rows that are claimed for a while and deleted when done. */
export function jobsOn(db: Db) {
  return {
    /**
     * Requests a job, in the transaction that makes it necessary. Requesting it again before it is done still makes one job.
     */
    async ask(kind: JobKind, subjects: readonly string[], gateId: string | null): Promise<void> {
      if (subjects.length === 0) return
      // Sorted, so that two callers that request the same jobs cannot deadlock.
      await sql`
        insert into jobs (kind, subject, gate_id)
        select ${kind}, subject, ${gateId} from unnest(${[...new Set(subjects)].sort()}::uuid[]) as subject
        on conflict (kind, subject)
        do update set due_at = least(jobs.due_at, excluded.due_at), version = jobs.version + 1,
          gate_id = coalesce(excluded.gate_id, jobs.gate_id)`.run(db)
    },

    /** Claims up to `limit` due jobs for `claimMs`. Another process may take over a job that is not finished in time. */
    async claim(kind: JobKind, limit: number, claimMs: number): Promise<ClaimedJob[]> {
      // As an array: joined with the table, the claimed ones were looked for among all jobs that had been there.
      return sql<ClaimedJob>`
        update jobs set claimed_until = clock_timestamp() + ${claimMs} * interval '1 millisecond', attempts = attempts + 1
        where kind = ${kind} and subject = any (array(
          select subject from jobs
          where kind = ${kind} and due_at <= clock_timestamp()
            and (claimed_until is null or claimed_until < clock_timestamp())
          order by due_at, subject limit ${limit} for update skip locked))
        returning subject, version, attempts`.rows(db)
    },

    /**
     * Deletes finished jobs, in the transaction that did them. A job that was requested again meanwhile stays, and can be
     * claimed again at once.
     */
    async finish(kind: JobKind, done: readonly ClaimedJob[]): Promise<void> {
      if (done.length === 0) return
      const subjects = done.map(({ subject }) => subject)
      const versions = done.map(({ version }) => version.toString())
      // Locked first, in the order in which jobs are requested; locking also reads the newest version.
      await sql`
        with held as (
          select jobs.subject, jobs.version, done.version as done from jobs
          join unnest(${subjects}::uuid[], ${versions}::bigint[]) as done (subject, version) using (subject)
          where kind = ${kind} order by jobs.subject for update of jobs
        ), finished as (
          delete from jobs using held
          where jobs.kind = ${kind} and jobs.subject = held.subject and held.version = held.done
        )
        update jobs set claimed_until = null from held
        where jobs.kind = ${kind} and jobs.subject = held.subject and held.version > held.done`.run(db)
    },

    /** Delays a failed job. */
    async postpone(kind: JobKind, subject: string, waitMs: number): Promise<void> {
      await sql`
        update jobs set claimed_until = null, due_at = clock_timestamp() + ${waitMs} * interval '1 millisecond'
        where kind = ${kind} and subject = ${subject}`.run(db)
    },

    /** Whether this job is still to be done. */
    async isAsked(kind: JobKind, subject: string): Promise<boolean> {
      const found = await sql`select from jobs where kind = ${kind} and subject = ${subject}`.run(db)
      return found > 0
    },

    /** Whether any job that a gate's chain made necessary is due or running. A failed job that was postponed is neither. */
    async isOpen(gateId: string): Promise<boolean> {
      const found = await sql`
        select from jobs where gate_id = ${gateId} and due_at <= clock_timestamp() limit 1`.run(db)
      return found > 0
    },
  }
}
