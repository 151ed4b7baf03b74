import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * What kinds of work there are: an invoice whose status is to be decided, a payment that belongs to no invoice, a mail to be
 * sent.
 */
export type WorkKind = 'assess_invoice' | 'book_suspense' | 'send_mail'

export type ClaimedWork = { readonly subject: string; readonly version: bigint; readonly attempts: number }

/** Work that must survive, as rows that are claimed for a while and deleted when done. */
export function workOn(db: Db) {
  return {
    /** Asks for work, in the transaction that makes it necessary. Asking again before it is done is one piece of work. */
    async ask(kind: WorkKind, subjects: readonly string[], gateId: string | null): Promise<void> {
      if (subjects.length === 0) return
      // Sorted, so that two who ask for the same never wait for each other.
      await sql`
        insert into work (kind, subject, gate_id)
        select ${kind}, subject, ${gateId} from unnest(${[...new Set(subjects)].sort()}::uuid[]) as subject
        on conflict (kind, subject)
        do update set due_at = least(work.due_at, excluded.due_at), version = work.version + 1,
          gate_id = coalesce(excluded.gate_id, work.gate_id)`.execute(db)
    },

    /** Claims up to `limit` due pieces for `claimMs`; whoever does not finish in time may see another take over. */
    async claim(kind: WorkKind, limit: number, claimMs: number): Promise<ClaimedWork[]> {
      const { rows } = await sql<ClaimedWork>`
        update work set claimed_until = clock_timestamp() + ${claimMs} * interval '1 millisecond', attempts = attempts + 1
        where kind = ${kind} and subject in (
          select subject from work
          where kind = ${kind} and due_at <= clock_timestamp()
            and (claimed_until is null or claimed_until < clock_timestamp())
          order by due_at, subject limit ${limit} for update skip locked)
        returning subject, version, attempts`.execute(db)
      return rows
    },

    /** Done, in the transaction that did it. What was asked for again meanwhile stays, to be done once more at once. */
    async finish(kind: WorkKind, done: readonly ClaimedWork[]): Promise<void> {
      if (done.length === 0) return
      const subjects = done.map(({ subject }) => subject)
      const versions = done.map(({ version }) => version.toString())
      // Held first, in the order in which work is asked for, and so with the version that is the newest by then.
      await sql`
        with held as (
          select work.subject, work.version, done.version as done from work
          join unnest(${subjects}::uuid[], ${versions}::bigint[]) as done (subject, version) using (subject)
          where kind = ${kind} order by work.subject for update of work
        ), finished as (
          delete from work using held
          where work.kind = ${kind} and work.subject = held.subject and held.version = held.done
        )
        update work set claimed_until = null from held
        where work.kind = ${kind} and work.subject = held.subject and held.version > held.done`.execute(db)
    },

    /** Puts failed work off. */
    async postpone(kind: WorkKind, subject: string, waitMs: number): Promise<void> {
      await sql`
        update work set claimed_until = null, due_at = clock_timestamp() + ${waitMs} * interval '1 millisecond'
        where kind = ${kind} and subject = ${subject}`.execute(db)
    },

    /** Whether this piece of work is still to be done. */
    async isAsked(kind: WorkKind, subject: string): Promise<boolean> {
      const { rows } = await sql`select from work where kind = ${kind} and subject = ${subject}`.execute(db)
      return rows.length > 0
    },

    /** Whether anything a gate's chain has made necessary is due or under way. What failed and was put off is neither. */
    async isOpen(gateId: string): Promise<boolean> {
      const { rows } = await sql`
        select from work where gate_id = ${gateId} and due_at <= clock_timestamp() limit 1`.execute(db)
      return rows.length > 0
    },
  }
}
