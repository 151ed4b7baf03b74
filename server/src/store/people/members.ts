import type { SecondFactor } from '../../domain/people.ts'
import { approverRoles, type Role } from '../../domain/roles.ts'
import { type Db, sql } from '../sql.ts'
import { secondFactorsOf } from './second-factors.ts'

/** A member of a merchant's team. */
export type Member = {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly secondFactors: readonly SecondFactor[]
  readonly isDisabled: boolean
  readonly joinedAt: Date
  readonly lastSeenAt: Date | null
}

/** What a member may do, as far as approvals go. */
export type Standing = { readonly role: Role; readonly approverSince: Date | null }

/** The members of merchants. */
export function membersOn(db: Db) {
  return {
    /** Sorted by name. */
    async list(merchantId: string): Promise<Member[]> {
      return sql<Member>`
        select users.id as "userId", email, users.name, role, ${secondFactorsOf} as "secondFactors",
          disabled_at is not null as "isDisabled", memberships.created_at as "joinedAt",
          (select max(last_seen_at) from sessions where sessions.user_id = users.id and is_complete) as "lastSeenAt"
        from memberships join users on users.id = memberships.user_id
        where merchant_id = ${merchantId} order by users.name, users.id`.rows(db)
    },

    /**
     * The role of each member of a merchant, locked until the transaction ends: of two owners who remove each other, one
     * finds that the other was quicker.
     */
    async hold(merchantId: string): Promise<ReadonlyMap<string, Role>> {
      // Locks the merchant's own row too, in order to wait for members who are just joining.
      await sql`select from merchants where id = ${merchantId} for no key update`.run(db)
      const rows = await sql<{ userId: string; role: Role }>`
        select user_id as "userId", role from memberships where merchant_id = ${merchantId}
        order by user_id for update`.rows(db)
      return new Map(rows.map(({ userId, role }) => [userId, role]))
    },

    /** A member's role, and since when it has allowed to approve payouts; null when they are not a member. */
    async standing(merchantId: string, userId: string): Promise<Standing | null> {
      return sql<Standing>`
        select role, approver_since as "approverSince" from memberships
        where merchant_id = ${merchantId} and user_id = ${userId}`.maybeOne(db)
    },

    /** The members who may approve payouts and can sign in. */
    async approvers(merchantId: string): Promise<{ readonly email: string }[]> {
      return sql<{ readonly email: string }>`
        select email from memberships join users on users.id = memberships.user_id
        where merchant_id = ${merchantId} and role = any(${approverRoles}::text[]) and disabled_at is null
        order by users.id`.rows(db)
    },

    async remove(merchantId: string, userId: string): Promise<void> {
      await sql`delete from memberships where merchant_id = ${merchantId} and user_id = ${userId}`.run(db)
    },

    /** Whether a user is an owner of any merchant. */
    async isOwner(userId: string): Promise<boolean> {
      const found = await sql`
        select from memberships where user_id = ${userId} and role = 'owner' limit 1`.run(db)
      return found > 0
    },
  }
}
