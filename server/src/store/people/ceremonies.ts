import { type Db, sql } from '../sql.ts'

/** What a passkey is asked for. */
export type CeremonyPurpose = 'sign_in' | 'step_up' | 'enrol' | 'approve'

export type NewCeremony = {
  readonly id: string
  readonly purpose: CeremonyPurpose
  /** Null where anyone may answer: signing in. */
  readonly sessionId: string | null
  readonly challenge: Buffer
  /** What the answer will stand for. */
  readonly subject: object | null
}

/** Challenges to passkeys: each can be answered once, soon, and in the session that asked. */
export function ceremoniesOn(db: Db) {
  return {
    async insert({ id, purpose, sessionId, challenge, subject }: NewCeremony, goodMs: number): Promise<void> {
      await sql`
        insert into ceremonies (id, purpose, session_id, challenge, subject, expires_at)
        values (${id}, ${purpose}, ${sessionId}, ${challenge}, ${subject === null ? null : JSON.stringify(subject)},
          clock_timestamp() + ${goodMs} * interval '1 millisecond')`.run(db)
    },

    /** Takes a challenge that was handed out for this; null when it was not, is over, or was taken before. */
    async use(
      challenge: Buffer,
      purpose: CeremonyPurpose,
      sessionId: string | null,
    ): Promise<{ readonly subject: unknown } | null> {
      return sql<{ subject: unknown }>`
        update ceremonies set used_at = clock_timestamp()
        where challenge = ${challenge} and purpose = ${purpose} and session_id is not distinct from ${sessionId}
          and used_at is null and expires_at > clock_timestamp()
        returning subject`.maybeOne(db)
    },

    /** Forgets those that are over, some at a time. Returns how many. */
    async forget(limit: number): Promise<number> {
      const changed = await sql`
        delete from ceremonies where id in (
          select id from ceremonies where expires_at < clock_timestamp() - interval '1 hour'
          order by expires_at limit ${limit} for update skip locked)
        returning id`.run(db)
      return changed
    },
  }
}
