import type { Environment } from '../../domain/environment.ts'
import { approverRoles } from '../../domain/roles.ts'
import type { Assertion } from '../../domain/webauthn.ts'
import { type Db, sql } from '../sql.ts'
import { type AssertionJson, assertionFrom } from './assertion-columns.ts'

/** A passkey that a signer is asked to trust. */
export type OfferedPasskey = {
  readonly merchantId: string
  readonly userId: string
  readonly credentialId: Buffer
  readonly publicKey: Buffer
}

/** A statement that a user makes to the signers with a passkey. */
export type ToldStatement = {
  readonly position: bigint
  readonly said: string
  readonly assertion: Assertion
}

/** What a signer reports about itself, for users to see. */
export type TrustedPasskey = {
  readonly merchantId: string
  readonly credentialId: Buffer
  readonly at: Date
  /** When its signatures begin to count. */
  readonly from: Date
}
export type SignerDemand = {
  readonly merchantId: string
  readonly isRequired: boolean
  readonly approvalsRequired: number
}

/** What signers are told about passkeys, and what they report about them. */
export function passkeySigningOn(db: Db) {
  return {
    /**
     * Passkeys of approvers of merchants for which the signer of an environment has reported none, in the order in which
     * they were offered.
     */
    async offered(environment: Environment, limit: number): Promise<OfferedPasskey[]> {
      return sql<OfferedPasskey>`
        select offered.merchant_id as "merchantId", user_id as "userId", credential_id as "credentialId",
          public_key as "publicKey"
        from passkey_enrolments as offered
        join memberships using (merchant_id, user_id)
        where role = any(${approverRoles}::text[]) and not exists (
          select from passkey_pins as pin
          where pin.environment = ${environment} and pin.merchant_id = offered.merchant_id)
        order by position limit ${limit}`.rows(db)
    },

    /** Whether a passkey was offered by someone who may approve for the merchant. */
    async isApprovers({
      merchantId,
      userId,
      credentialId,
    }: Omit<OfferedPasskey, 'publicKey'>): Promise<boolean> {
      const found = await sql`
        select from passkey_enrolments join memberships using (merchant_id, user_id)
        where merchant_id = ${merchantId} and user_id = ${userId} and credential_id = ${credentialId}
          and role = any(${approverRoles}::text[])`.run(db)
      return found > 0
    },

    /** The statements after a position, in order. */
    async statements(after: bigint, limit: number): Promise<ToldStatement[]> {
      const rows = await sql<{ position: bigint; said: string } & AssertionJson>`
        select position, said, encode(credential_id, 'hex') as credential_id,
          encode(authenticator_data, 'hex') as authenticator_data,
          encode(client_data_json, 'hex') as client_data_json, encode(signature, 'hex') as signature
        from passkey_statements where position > ${after} order by position limit ${limit}`.rows(db)
      return rows.map(({ position, said, ...row }) => ({
        position,
        said,
        assertion: assertionFrom(row) as Assertion,
      }))
    },

    /** Publishes which passkeys a signer trusts, and what it requires, in place of what it published before. */
    async tell(
      environment: Environment,
      trusted: readonly TrustedPasskey[],
      demands: readonly SignerDemand[],
    ): Promise<void> {
      const [merchants, credentials] = [
        trusted.map(({ merchantId }) => merchantId),
        trusted.map(({ credentialId }) => credentialId.toString('hex')),
      ]
      const told = sql`unnest(${merchants}::uuid[], ${credentials}::text[], ${trusted.map(({ at }) => at)}::timestamptz[],
        ${trusted.map(({ from }) => from)}::timestamptz[]) as told (merchant, credential, at, trusted_from)`
      // Leaves out a merchant that this database does not know, since it was restored from a backup.
      await sql`
        insert into passkey_pins (environment, merchant_id, credential_id, pinned_at, counts_from)
        select ${environment}, merchants.id, decode(credential, 'hex'), at, trusted_from
        from ${told} join merchants on merchants.id = merchant
        on conflict (environment, merchant_id, credential_id) do update set pinned_at = excluded.pinned_at,
          counts_from = excluded.counts_from`.run(db)
      await sql`
        delete from passkey_pins where environment = ${environment} and not exists (
          select from ${told} where merchant = merchant_id and decode(credential, 'hex') = credential_id)`.run(
        db,
      )
      const asked = demands.map(({ merchantId }) => merchantId)
      await sql`
        insert into passkey_demands (environment, merchant_id, is_required, approvals_required)
        select ${environment}, merchants.id, required, approvals
        from unnest(${asked}::uuid[], ${demands.map(({ isRequired }) => isRequired)}::boolean[],
          ${demands.map(({ approvalsRequired }) => approvalsRequired)}::integer[]) as told (merchant, required, approvals)
        join merchants on merchants.id = merchant
        on conflict (environment, merchant_id) do update set is_required = excluded.is_required,
          approvals_required = excluded.approvals_required`.run(db)
      await sql`
        delete from passkey_demands
        where environment = ${environment} and merchant_id <> all(${asked}::uuid[])`.run(db)
    },

    /** Publishes that a signer requires passkeys of every merchant. What it has published about a merchant stays. */
    async demandOfAll(environment: Environment): Promise<void> {
      await sql`
        insert into passkey_demands (environment, merchant_id, is_required, approvals_required)
        select ${environment}, id, true, 1 from merchants
        where not exists (select from passkey_demands as told
          where told.environment = ${environment} and told.merchant_id = merchants.id)`.run(db)
    },
  }
}
