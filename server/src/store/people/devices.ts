import { type Db, sql } from '../sql.ts'

/** A person's devices beyond these are forgotten, those unused the longest first. */
const maxDevices = 20

export function devicesOn(db: Db) {
  return {
    /** Which of these tokens belongs to a device of the user, recording that it was used; null if none does. */
    async recognise(userId: string, tokenHashes: readonly Buffer[]): Promise<Buffer | null> {
      const found = await sql<{ tokenHash: Buffer }>`
        update devices set last_seen_at = clock_timestamp()
        where user_id = ${userId} and token_hash = any(${[...tokenHashes]}::bytea[])
        returning token_hash as "tokenHash"`.rows(db)
      return found[0]?.tokenHash ?? null
    },

    /** Adds a device; returns how many the user got within a day, this one included. */
    async insert(userId: string, tokenHash: Buffer): Promise<number> {
      await sql`insert into devices (user_id, token_hash) values (${userId}, ${tokenHash})`.run(db)
      await sql`
        delete from devices where user_id = ${userId} and token_hash in (
          select token_hash from devices where user_id = ${userId}
          order by last_seen_at desc, token_hash offset ${maxDevices})`.run(db)
      const { count } = await sql<{ count: number }>`
        select count(*)::int as count from devices
        where user_id = ${userId} and created_at > clock_timestamp() - interval '1 day'`.one(db)
      return count
    },

    /** Forgets the device of a session, or all devices of the user; never the one of the session `keptId`. */
    async drop(userId: string, sessionId: string | 'all', keptId: string | null): Promise<void> {
      const deviceOf = (id: string | null) => sql`(select device_hash from sessions where id = ${id})`
      await sql`
        delete from devices where user_id = ${userId} and token_hash is distinct from ${deviceOf(keptId)}
          ${sessionId === 'all' ? sql`` : sql`and token_hash = ${deviceOf(sessionId)}`}`.run(db)
    },

    /** Deletes devices whose cookies have expired, at most `limit` at a time. Returns how many. */
    async forget(limit: number): Promise<number> {
      return sql`
        delete from devices where (user_id, token_hash) in (
          select user_id, token_hash from devices where last_seen_at < clock_timestamp() - interval '400 days'
          order by last_seen_at limit ${limit} for update skip locked)
        returning user_id`.run(db)
    },
  }
}
