import { type Db, sql } from '../sql.ts'

/** What a passkey is asked for. */
export type CeremonyPurpose = 'sign_in' | 'step_up' | 'enrol' | 'approve'

export type NewCeremony = {
  readonly id: string
  readonly purpose: CeremonyPurpose
  /** Null for signing in, when there is no session yet. */
  readonly sessionId: string | null
  readonly challenge: Buffer
  readonly nonce: Buffer
  /** What the response applies to. */
  readonly subject: object | null
}

/** Challenges for passkeys. Each can be answered once, soon, and only in the session that requested it. */
export function ceremoniesOn(db: Db) {
  return {
    async insert(
      { id, purpose, sessionId, challenge, nonce, subject }: NewCeremony,
      goodMs: number,
    ): Promise<void> {
      await sql`
        insert into ceremonies (id, purpose, session_id, challenge, nonce, subject, expires_at)
        values (${id}, ${purpose}, ${sessionId}, ${challenge}, ${nonce}, ${subject === null ? null : JSON.stringify(subject)},
          clock_timestamp() + ${goodMs} * interval '1 millisecond')`.run(db)
    },

    /** Uses up a challenge. Null if it was not issued for this, has expired, or was used before. */
    async use(
      challenge: Buffer,
      purpose: CeremonyPurpose,
      sessionId: string | null,
    ): Promise<{ readonly subject: unknown; readonly nonce: Buffer } | null> {
      return sql<{ subject: unknown; nonce: Buffer }>`
        update ceremonies set used_at = clock_timestamp()
        where challenge = ${challenge} and purpose = ${purpose} and session_id is not distinct from ${sessionId}
          and used_at is null and expires_at > clock_timestamp()
        returning subject, nonce`.maybeOne(db)
    },

    /** Deletes expired challenges, at most `limit` at a time. Returns how many. */
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
