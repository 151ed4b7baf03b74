import type { Throttle } from '../../domain/throttling.ts'
import { type Db, sql } from '../sql.ts'

export type Attempt =
  | { readonly admitted: true; readonly failures: number }
  | { readonly admitted: false; readonly waitMs: number }

// After this long without a failure, counting starts again.
const memory = sql`interval '1 day'`

/**
 * Failed attempts to sign in. Each attempt is counted before it is checked, so that a thousand at once count the same as one
 * by one.
 */
export function signInFailuresOn(db: Db) {
  return {
    /** Counts an attempt as failed, unless it has to wait. The caller takes a successful attempt back. */
    async attempt({ subject, free, firstWaitMs, longestWaitMs }: Throttle): Promise<Attempt> {
      const failures = sql`case when sign_in_failures.last_at < clock_timestamp() - ${memory} then 1
        else sign_in_failures.failures + 1 end`
      const row = await sql<{ failures: number | null; waitMs: number | null }>`
        with tried as (
          insert into sign_in_failures (subject, failures) values (${subject}, 1)
          on conflict (subject) do update set failures = ${failures}, last_at = clock_timestamp(),
            blocked_until = case when ${failures} < ${free} then '-infinity' else clock_timestamp()
              + least(${firstWaitMs} * power(2, least(${failures} - ${free}, 30)), ${longestWaitMs}) * interval '1 millisecond' end
          where sign_in_failures.blocked_until <= clock_timestamp()
          returning failures
        )
        select failures, null::float8 as "waitMs" from tried
        union all
        select null, extract(epoch from blocked_until - clock_timestamp())::float8 * 1000
        from sign_in_failures where subject = ${subject} and not exists (select from tried)`.maybeOne(db)
      if (row !== null && row.failures !== null) return { admitted: true, failures: row.failures }
      // Without a row, other attempts were counted while this one waited.
      return { admitted: false, waitMs: Math.max(row?.waitMs ?? firstWaitMs, 1) }
    },

    /** The attempt succeeded: no earlier failure counts any more. */
    async clear({ subject }: Pick<Throttle, 'subject'>): Promise<void> {
      await sql`delete from sign_in_failures where subject = ${subject}`.run(db)
    },

    /** The attempt succeeded, but earlier failures still count. */
    async takeBack({ subject }: Pick<Throttle, 'subject'>): Promise<void> {
      await sql`
        update sign_in_failures set failures = greatest(failures - 1, 0), blocked_until = '-infinity'
        where subject = ${subject}`.run(db)
    },

    /** Deletes failures that no longer count, at most `limit` at a time. Returns how many. */
    async forget(limit: number): Promise<number> {
      const changed = await sql`
        delete from sign_in_failures where subject in (
          select subject from sign_in_failures where last_at < clock_timestamp() - ${memory}
          order by last_at limit ${limit} for update skip locked)
        returning subject`.run(db)
      return changed
    },
  }
}
