import type { MerchantSettings } from '../../domain/caller.ts'
import type { SecondFactor } from '../../domain/people.ts'
import { approverRoles, type Role } from '../../domain/roles.ts'
import { type Db, sql } from '../sql.ts'
import { secondFactorsOf } from './second-factors.ts'

export type User = {
  readonly id: string
  readonly email: string
  readonly name: string
  /** In the PHC string format; null for a user who has never set a password. */
  readonly passwordHash: string | null
  readonly isOperator: boolean
  readonly language: string | null
  readonly createdAt: Date
  readonly disabledAt: Date | null
}

export type NewUser = Pick<User, 'id' | 'email' | 'name' | 'passwordHash' | 'isOperator'> & {
  readonly mustChangePassword?: boolean
}

/** A user's role at a merchant. */
export type Membership = {
  readonly merchantId: string
  readonly merchantName: string
  readonly role: Role
}

export type ListedUser = User & {
  readonly secondFactors: readonly SecondFactor[]
  readonly memberships: readonly Membership[]
}

const columns = sql`
  id, email, name, password_hash as "passwordHash", is_operator as "isOperator", language, created_at as "createdAt",
  disabled_at as "disabledAt"`

export function usersOn(db: Db) {
  return {
    /** False when there is a user with this e-mail address already. */
    async insert(user: NewUser): Promise<boolean> {
      const changed = await sql`
        insert into users (id, email, name, password_hash, is_operator, must_change_password)
        values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.isOperator},
          ${user.mustChangePassword ?? false})
        on conflict (email_key) do nothing returning id`.run(db)
      return changed > 0
    },

    async findByEmail(email: string): Promise<User | null> {
      return sql<User>`
        select ${columns} from users where email_key = lower(${email})`.maybeOne(db)
    },

    async find(id: string): Promise<User | null> {
      return sql<User>`select ${columns} from users where id = ${id}`.maybeOne(db)
    },

    async setPassword(id: string, passwordHash: string): Promise<void> {
      await sql`
        update users set password_hash = ${passwordHash}, must_change_password = false where id = ${id}`.run(
        db,
      )
    },

    async change(id: string, { name, language }: Pick<User, 'name' | 'language'>): Promise<void> {
      await sql`update users set name = ${name}, language = ${language} where id = ${id}`.run(db)
    },

    /** Disables a user, or enables them again. */
    async setDisabled(id: string, isDisabled: boolean): Promise<void> {
      await sql`
        update users set disabled_at = ${isDisabled ? sql`coalesce(disabled_at, clock_timestamp())` : null}
        where id = ${id}`.run(db)
    },

    /** Sorted by e-mail address. */
    async list(limit: number): Promise<ListedUser[]> {
      return sql<ListedUser>`
        select ${columns}, ${secondFactorsOf} as "secondFactors",
          coalesce((select json_agg(json_build_object('merchantId', merchant_id, 'merchantName', merchants.name, 'role', role)
              order by merchants.name, merchant_id)
            from memberships join merchants on merchants.id = merchant_id where user_id = users.id), '[]') as memberships
        from users order by email_key limit ${limit}`.rows(db)
    },

    /** Gives a user a role at a merchant, in place of any they have there. */
    async setRole(userId: string, merchantId: string, role: Role): Promise<void> {
      await sql`
        insert into memberships (user_id, merchant_id, role, approver_since)
        values (${userId}, ${merchantId}, ${role},
          case when ${role} = any(${approverRoles}::text[]) then clock_timestamp() end)
        on conflict (user_id, merchant_id) do update set role = excluded.role,
          approver_since = case when excluded.approver_since is not null
            then coalesce(memberships.approver_since, excluded.approver_since) end`.run(db)
    },

    /** Sorted by the merchant's name. */
    async memberships(userId: string): Promise<Membership[]> {
      return sql<Membership>`
        select merchant_id as "merchantId", merchants.name as "merchantName", role
        from memberships join merchants on merchants.id = merchant_id
        where user_id = ${userId} order by merchants.name, merchant_id`.rows(db)
    },

    /** A user's role at a merchant and the merchant's settings; null when the user is not a member there. */
    async roleAt(
      userId: string,
      merchantId: string,
    ): Promise<{ readonly role: Role; readonly merchant: MerchantSettings } | null> {
      const found = await sql<{ role: Role } & MerchantSettings>`
        select role, base_currency as "baseCurrency", fee_bps as "feeBps", payout_fee_bps as "payoutFeeBps",
          refund_fee_bps as "refundFeeBps", underpayment_tolerance_bps as "toleranceBps"
        from memberships join merchants on merchants.id = merchant_id
        where user_id = ${userId} and merchant_id = ${merchantId}`.maybeOne(db)
      if (found === null) return null
      const { role, ...merchant } = found
      return { role, merchant }
    },
  }
}
