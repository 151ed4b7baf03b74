import type { Person, Proof } from '../../domain/people.ts'
import { type Db, sql } from '../sql.ts'
import { secondFactorsOf } from './second-factors.ts'

/** A session that has neither ended nor expired, and its user. */
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
  /** The device it is begun from; null while it is incomplete. */
  readonly deviceHash: Buffer | null
  readonly isNewDevice: boolean
}

/** A session lasts no longer than this, even while it is used. */
const maxAge = sql`interval '30 days'`
const maxIdle = sql`interval '12 hours'`
// Between the password and the second factor.
const maxIncomplete = sql`interval '10 minutes'`
// The last use is written at most this often, so that most requests write nothing.
const seenEvery = sql`interval '1 minute'`
const isOpen = sql`ended_at is null and expires_at > clock_timestamp() and last_seen_at > clock_timestamp() - ${maxIdle}`

/** A session as its owner sees it. */
export type ListedSession = {
  readonly id: string
  readonly ip: string
  readonly userAgent: string
  readonly provedBy: Proof | null
  /** Whether it was begun from a device that was unknown until then. */
  readonly isNewDevice: boolean
  readonly createdAt: Date
  readonly lastSeenAt: Date
}

export function sessionsOn(db: Db) {
  return {
    async insert(session: NewSession): Promise<void> {
      const { id, userId, tokenHash, isComplete, provedBy, ip, userAgent, deviceHash, isNewDevice } = session
      await sql`
        insert into sessions (id, user_id, token_hash, is_complete, proved_at, proved_by, ip, user_agent, expires_at,
          device_hash, is_new_device)
        values (${id}, ${userId}, ${tokenHash}, ${isComplete}, ${provedBy === null ? null : sql`clock_timestamp()`},
          ${provedBy}, ${ip}, ${userAgent}, clock_timestamp() + ${isComplete ? maxAge : maxIncomplete},
          ${deviceHash}, ${isNewDevice})`.run(db)
    },

    /** The session with this cookie, unless it has ended or expired, or its user is disabled. */
    async find(tokenHash: Buffer): Promise<OpenSession | null> {
      return sql<OpenSession>`
        select sessions.id as "sessionId", user_id as "userId", email, users.name, is_operator as "isOperator", language,
          must_change_password as "mustChangePassword",
          is_complete as "isComplete", proved_at as "provedAt", proved_by as "provedBy", last_seen_at as "lastSeenAt",
          ${secondFactorsOf} as "secondFactors"
        from sessions join users on users.id = user_id
        where token_hash = ${tokenHash} and ${isOpen} and disabled_at is null`.maybeOne(db)
    },

    /** Records that a session is in use, unless that was recorded recently. */
    async see(id: string): Promise<void> {
      await sql`
        update sessions set last_seen_at = clock_timestamp()
        where id = ${id} and last_seen_at < clock_timestamp() - ${seenEvery}`.run(db)
    },

    /** Ends one of a user's sessions. Returns false if it is not theirs, or has ended. */
    async end(userId: string, id: string): Promise<boolean> {
      const changed = await sql`
        update sessions set ended_at = clock_timestamp()
        where id = ${id} and user_id = ${userId} and ${isOpen} returning id`.run(db)
      return changed > 0
    },

    /** Ends all of a user's sessions, or all but one. Returns how many complete ones it ended. */
    async endAll(userId: string, exceptId: string | null): Promise<number> {
      const rows = await sql<{ isComplete: boolean }>`
        update sessions set ended_at = clock_timestamp()
        where user_id = ${userId} and id is distinct from ${exceptId} and ${isOpen}
        returning is_complete as "isComplete"`.rows(db)
      return rows.filter(({ isComplete }) => isComplete).length
    },

    /** Where a user is signed in, most recently used first. */
    async list(userId: string, limit: number): Promise<ListedSession[]> {
      return sql<ListedSession>`
        select id, ip, user_agent as "userAgent", proved_by as "provedBy", is_new_device as "isNewDevice",
          created_at as "createdAt", last_seen_at as "lastSeenAt"
        from sessions where user_id = ${userId} and is_complete and ${isOpen}
        order by last_seen_at desc, id limit ${limit}`.rows(db)
    },

    /** Records what the user has proved in a session; returns when. */
    async prove(id: string, provedBy: Proof): Promise<Date> {
      const row = await sql<{ provedAt: Date }>`
        update sessions set proved_at = clock_timestamp(), proved_by = ${provedBy} where id = ${id}
        returning proved_at as "provedAt"`.maybeOne(db)
      if (row === null) throw new Error(`There is no session ${id}.`)
      return row.provedAt
    },

    /** Whether a user with this e-mail address was signed in from an IP address in the last month. */
    async isKnownAt(email: string, ip: string): Promise<boolean> {
      const found = await sql`
        select from sessions join users on users.id = user_id
        where email_key = lower(${email}) and ip = ${ip} and is_complete limit 1`.run(db)
      return found > 0
    },

    /** Deletes sessions that ended or expired more than 30 days ago, at most `limit` at a time. Returns how many. */
    async forget(limit: number): Promise<number> {
      const changed = await sql`
        with old as materialized (
          select id from sessions
          where least(ended_at, expires_at, last_seen_at + ${maxIdle}) < clock_timestamp() - interval '30 days'
          limit ${limit} for update skip locked
        ), asked as (
          delete from ceremonies using old where session_id = old.id
        )
        delete from sessions using old where sessions.id = old.id returning sessions.id`.run(db)
      return changed
    },
  }
}
