import type { Role } from '../../domain/roles.ts'
import { type Db, sql } from '../sql.ts'

export type Invitation = {
  readonly id: string
  readonly email: string
  readonly merchantId: string
  readonly role: Role
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type NewInvitation = Pick<Invitation, 'id' | 'email' | 'merchantId' | 'role'> & {
  readonly madeBy: string
}

const resetGood = sql`interval '1 hour'`
const invitationGood = sql`interval '7 days'`
const columns = sql`
  one_time_links.id, email, merchant_id as "merchantId", role, one_time_links.created_at as "createdAt",
  expires_at as "expiresAt"`
const isOpen = sql`used_at is null and expires_at > clock_timestamp()`

/** Links that work once. */
export function oneTimeLinksOn(db: Db) {
  return {
    /** Creates a reset link, or gives it a new token; links sent before no longer work. */
    async saveReset(id: string, email: string, tokenHash: Buffer, madeBy: string): Promise<void> {
      await sql`
        insert into one_time_links (id, purpose, token_hash, email, made_by, expires_at)
        values (${id}, 'reset', ${tokenHash}, ${email}, ${madeBy}, clock_timestamp() + ${resetGood})
        on conflict (id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
        where one_time_links.used_at is null`.run(db)
    },

    /** Uses up a reset link and returns whose it is. Null if it does not exist, has expired, or was used before. */
    async useReset(tokenHash: Buffer): Promise<{ readonly email: string } | null> {
      return sql<{ email: string }>`
        update one_time_links set used_at = clock_timestamp()
        where token_hash = ${tokenHash} and purpose = 'reset' and ${isOpen} returning email`.maybeOne(db)
    },

    /** Whether a link could be used now. Only using it decides. */
    async isOpen(purpose: 'reset' | 'invite', tokenHash: Buffer): Promise<boolean> {
      const found = await sql`
        select from one_time_links where token_hash = ${tokenHash} and purpose = ${purpose} and ${isOpen}`.rows(
        db,
      )
      return found.length > 0
    },

    /** Ends the other links with which a user could set a password. */
    async endResets(email: string): Promise<void> {
      await sql`
        update one_time_links set used_at = clock_timestamp()
        where purpose = 'reset' and email_key = lower(${email}) and used_at is null`.run(db)
    },

    /** Creates an invitation, or renews the open one. */
    async invite({ id, email, merchantId, role, madeBy }: NewInvitation): Promise<Invitation> {
      return sql<Invitation>`
        insert into one_time_links (id, purpose, email, merchant_id, role, made_by, expires_at)
        values (${id}, 'invite', ${email}, ${merchantId}, ${role}, ${madeBy}, clock_timestamp() + ${invitationGood})
        on conflict (merchant_id, email_key) where purpose = 'invite' and used_at is null
        do update set role = excluded.role, made_by = excluded.made_by, expires_at = excluded.expires_at, token_hash = null
        returning ${columns}`.one(db)
    },

    /** Gives an open invitation a new token; links sent before no longer work. Null if it is no longer open. */
    async giveToken(id: string, tokenHash: Buffer): Promise<(Invitation & { merchantName: string }) | null> {
      return sql<Invitation & { merchantName: string }>`
        update one_time_links set token_hash = ${tokenHash} from merchants
        where one_time_links.id = ${id} and purpose = 'invite' and ${isOpen} and merchants.id = merchant_id
        returning ${columns}, merchants.name as "merchantName"`.maybeOne(db)
    },

    async findInvitation(tokenHash: Buffer): Promise<(Invitation & { merchantName: string }) | null> {
      return sql<Invitation & { merchantName: string }>`
        select ${columns}, merchants.name as "merchantName"
        from one_time_links join merchants on merchants.id = merchant_id
        where token_hash = ${tokenHash} and purpose = 'invite' and ${isOpen}`.maybeOne(db)
    },

    /** Uses up an invitation. Null if it does not exist, has expired, or was used before. */
    async useInvitation(tokenHash: Buffer): Promise<Invitation | null> {
      return sql<Invitation>`
        update one_time_links set used_at = clock_timestamp()
        where token_hash = ${tokenHash} and purpose = 'invite' and ${isOpen} returning ${columns}`.maybeOne(
        db,
      )
    },

    /** Withdraws an open invitation. */
    async withdraw(merchantId: string, id: string): Promise<Invitation | null> {
      return sql<Invitation>`
        update one_time_links set used_at = clock_timestamp()
        where id = ${id} and merchant_id = ${merchantId} and purpose = 'invite' and ${isOpen} returning ${columns}`.maybeOne(
        db,
      )
    },

    /** A merchant's open invitations, newest first. */
    async listInvitations(merchantId: string): Promise<Invitation[]> {
      return sql<Invitation>`
        select ${columns} from one_time_links
        where merchant_id = ${merchantId} and purpose = 'invite' and ${isOpen}
        order by created_at desc, id`.rows(db)
    },

    /** Deletes links that expired more than 30 days ago, at most `limit` at a time. Returns how many. */
    async forget(limit: number): Promise<number> {
      const changed = await sql`
        delete from one_time_links where id in (
          select id from one_time_links where expires_at < clock_timestamp() - interval '30 days'
          order by expires_at limit ${limit} for update skip locked)
        returning id`.run(db)
      return changed
    },
  }
}
