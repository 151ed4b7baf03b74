import { type Db, sql } from '../sql.ts'

export type Passkey = {
  readonly id: string
  readonly userId: string
  readonly credentialId: Buffer
  /** COSE (RFC 9052). */
  readonly publicKey: Buffer
  readonly signCount: bigint
  readonly transports: readonly string[]
  readonly isBackedUp: boolean
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export type NewPasskey = Omit<Passkey, 'createdAt' | 'lastUsedAt'>

const columns = sql`
  id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey", sign_count as "signCount", transports,
  is_backed_up as "isBackedUp", name, created_at as "createdAt", last_used_at as "lastUsedAt"`

export function passkeysOn(db: Db) {
  return {
    /** Null when this credential is registered already. */
    async insert(passkey: NewPasskey): Promise<Passkey | null> {
      const { id, userId, credentialId, publicKey, signCount, transports, isBackedUp, name } = passkey
      return sql<Passkey>`
        insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports, is_backed_up, name)
        values (${id}, ${userId}, ${credentialId}, ${publicKey}, ${signCount}, ${[...transports]}, ${isBackedUp}, ${name})
        on conflict (credential_id) do nothing returning ${columns}`.maybeOne(db)
    },

    /** Newest first. */
    async list(userId: string): Promise<Passkey[]> {
      return sql<Passkey>`
        select ${columns} from passkeys where user_id = ${userId} order by created_at desc, id`.rows(db)
    },

    async findByCredential(credentialId: Buffer): Promise<Passkey | null> {
      return sql<Passkey>`
        select ${columns} from passkeys where credential_id = ${credentialId}`.maybeOne(db)
    },

    /**
     * Records a use. Returns false if the signature counter has not increased: then a copy of the passkey exists somewhere.
     * Passkeys that do not count always report 0.
     */
    async use(id: string, signCount: bigint): Promise<boolean> {
      const changed = await sql`
        update passkeys set sign_count = ${signCount}, last_used_at = clock_timestamp()
        where id = ${id} and (sign_count < ${signCount} or (sign_count = 0 and ${signCount}::bigint = 0))
        returning id`.run(db)
      return changed > 0
    },

    async rename(userId: string, id: string, name: string): Promise<Passkey | null> {
      return sql<Passkey>`
        update passkeys set name = ${name} where id = ${id} and user_id = ${userId} returning ${columns}`.maybeOne(
        db,
      )
    },

    async remove(userId: string, id: string): Promise<Passkey | null> {
      return sql<Passkey>`
        delete from passkeys where id = ${id} and user_id = ${userId} returning ${columns}`.maybeOne(db)
    },

    async removeAll(userId: string): Promise<void> {
      await sql`delete from passkeys where user_id = ${userId}`.run(db)
    },
  }
}
