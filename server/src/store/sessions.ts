import { sql } from 'kysely'
import type { Person, Proof } from '../domain/people.ts'
import type { Db } from './database.ts'

/** A session that is neither ended nor over, with who it is. */
export type OpenSession = Omit<Person, 'role' | 'ip' | 'userAgent'> & {
  /** False between the password and the second factor. */
  readonly isComplete: boolean
  readonly lastSeenAt: Date
}

export type NewSession = {
  readonly id: string
  readonly userId: string
  readonly tokenHash: Buffer
  readonly isComplete: boolean
  readonly provedBy: Proof | null
  readonly ip: string
  readonly userAgent: string
}

/** Nobody has to sign in again sooner than this, unless they leave. */
const maxAge = sql`interval '30 days'`
const maxIdle = sql`interval '12 hours'`
// Written at most this often, so that looking around writes nothing.
const seenEvery = sql`interval '1 minute'`

export function sessionsOn(db: Db) {
  return {
    async insert(session: NewSession): Promise<void> {
      const { id, userId, tokenHash, isComplete, provedBy, ip, userAgent } = session
      await sql`
        insert into sessions (id, user_id, token_hash, is_complete, proved_at, proved_by, ip, user_agent, expires_at)
        values (${id}, ${userId}, ${tokenHash}, ${isComplete}, ${provedBy === null ? null : sql`clock_timestamp()`},
          ${provedBy}, ${ip}, ${userAgent}, clock_timestamp() + ${maxAge})`.execute(db)
    },

    /** The session of this cookie, unless it has ended, is over, or its person was shut out. */
    async find(tokenHash: Buffer): Promise<OpenSession | null> {
      const { rows } = await sql<OpenSession>`
        select sessions.id as "sessionId", user_id as "userId", email, users.name, is_operator as "isOperator", language,
          is_complete as "isComplete", proved_at as "provedAt", proved_by as "provedBy", last_seen_at as "lastSeenAt",
          array_remove(array[
            case when totp_confirmed_at is not null then 'totp' end,
            case when exists (select from passkeys where passkeys.user_id = users.id) then 'passkey' end
          ], null) as "secondFactors"
        from sessions join users on users.id = user_id
        where token_hash = ${tokenHash} and ended_at is null and disabled_at is null
          and expires_at > clock_timestamp() and last_seen_at > clock_timestamp() - ${maxIdle}`.execute(db)
      return rows[0] ?? null
    },

    /** Notes that a session is in use, if that was not noted lately. */
    async see(id: string): Promise<void> {
      await sql`
        update sessions set last_seen_at = clock_timestamp()
        where id = ${id} and last_seen_at < clock_timestamp() - ${seenEvery}`.execute(db)
    },

    async end(id: string): Promise<void> {
      await sql`update sessions set ended_at = clock_timestamp() where id = ${id} and ended_at is null`.execute(
        db,
      )
    },
  }
}
