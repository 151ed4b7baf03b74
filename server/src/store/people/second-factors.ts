import type { SecondFactor } from '../../domain/people.ts'
import { type Db, sql } from '../sql.ts'

/** A user's second factors; `users` must be in scope. Recovery codes only stand in for another factor. */
export const secondFactorsOf = sql`array_remove(array[
  case when totp_confirmed_at is not null then 'totp' end,
  case when exists (select from passkeys where passkeys.user_id = users.id) then 'passkey' end,
  case when exists (select from recovery_codes where recovery_codes.user_id = users.id and used_at is null)
    then 'recovery_code' end
], null)`

/** Authenticator apps and recovery codes. */
export function secondFactorsOn(db: Db) {
  return {
    async of(userId: string): Promise<SecondFactor[]> {
      const row = await sql<{ factors: SecondFactor[] }>`
        select ${secondFactorsOf} as factors from users where id = ${userId}`.maybeOne(db)
      return row?.factors ?? []
    },

    /** Locks a user's second factors until the transaction ends: of two concurrent changes, one sees the other. */
    async hold(userId: string): Promise<SecondFactor[]> {
      await sql`select from users where id = ${userId} for no key update`.run(db)
      return this.of(userId)
    },

    /** The sealed secret in force, and the one that is being set up. */
    async totp(userId: string): Promise<{ readonly secret: Buffer | null; readonly pending: Buffer | null }> {
      const row = await sql<{ secret: Buffer | null; pending: Buffer | null }>`
        select totp_secret as secret, totp_pending as pending from users where id = ${userId}`.maybeOne(db)
      return row ?? { secret: null, pending: null }
    },

    async beginTotp(userId: string, sealed: Buffer): Promise<void> {
      await sql`update users set totp_pending = ${sealed} where id = ${userId}`.run(db)
    },

    /** Puts the secret that is being set up in force, if it is still this one. `step` is the time step of its first code. */
    async confirmTotp(userId: string, sealed: Buffer, step: bigint): Promise<boolean> {
      const changed = await sql`
        update users set totp_secret = totp_pending, totp_pending = null, totp_confirmed_at = clock_timestamp(),
          totp_last_step = ${step}
        where id = ${userId} and totp_pending = ${sealed} returning id`.run(db)
      return changed > 0
    },

    /** Uses up the code of a time step. Returns false if it or a later one was used before. */
    async useTotpStep(userId: string, step: bigint): Promise<boolean> {
      const changed = await sql`
        update users set totp_last_step = ${step}
        where id = ${userId} and totp_confirmed_at is not null and totp_last_step < ${step} returning id`.run(
        db,
      )
      return changed > 0
    },

    /** False when there was none. */
    async removeTotp(userId: string): Promise<boolean> {
      const changed = await sql`
        update users set totp_secret = null, totp_pending = null, totp_confirmed_at = null
        where id = ${userId} and totp_confirmed_at is not null returning id`.run(db)
      return changed > 0
    },

    async replaceRecoveryCodes(userId: string, hashes: readonly Buffer[]): Promise<void> {
      await sql`delete from recovery_codes where user_id = ${userId}`.run(db)
      if (hashes.length === 0) return
      await sql`
        insert into recovery_codes (user_id, code_hash)
        select ${userId}, hash from unnest(${[...hashes]}::bytea[]) as hash`.run(db)
    },

    /** Uses up a code. Returns false if it does not exist or was used before. */
    async useRecoveryCode(userId: string, hash: Buffer): Promise<boolean> {
      const changed = await sql`
        update recovery_codes set used_at = clock_timestamp()
        where user_id = ${userId} and code_hash = ${hash} and used_at is null returning user_id`.run(db)
      return changed > 0
    },

    async recoveryCodesLeft(userId: string): Promise<number> {
      const { left } = await sql<{ left: number }>`
        select count(*)::int as left from recovery_codes where user_id = ${userId} and used_at is null`.one(
        db,
      )
      return left
    },
  }
}
