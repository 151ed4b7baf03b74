import type { Environment } from '../../domain/environment.ts'
import {
  type DestinationStatement,
  type PolicyStatement,
  statementText,
} from '../../domain/passkey-statements.ts'
import { approverRoles } from '../../domain/roles.ts'
import type { Assertion } from '../../domain/webauthn.ts'
import { type Db, sql } from '../sql.ts'

/** A passkey that a member of a merchant wants to approve with. */
export type Enrolment = {
  readonly passkeyId: string
  readonly userId: string
  readonly userName: string
  readonly userEmail: string
  readonly name: string
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly createdAt: Date
  /** Whether its owner still has it and is a member of the merchant. */
  readonly isInUse: boolean
  /** The people whose trusted passkeys have vouched for it, and how many of them the signer needs. */
  readonly vouchedBy: readonly string[]
  readonly vouchersRequired: number
  /** When its signatures begin, or began, to count at the environment's signer; null when it does not trust it. */
  readonly trustedFrom: Date | null
  /** Whether that time has come. */
  readonly isTrusted: boolean
}

type Owner = { readonly merchantId: string; readonly environment: Environment }

/** A merchant whose payouts can no longer be approved. */
export type TooFewApprovers = {
  readonly merchantId: string
  readonly name: string
  /** How many people have to approve a payout, and how many could. */
  readonly required: number
  readonly people: number
}

// A passkey that its owner has removed, or whose owner has left, signs nothing any more.
const trustedPeople = sql`(
  select pin.environment, pin.merchant_id, memberships.user_id
  from passkey_pins as pin
  join passkey_enrolments as enrolment using (merchant_id, credential_id)
  join passkeys on passkeys.id = enrolment.passkey_id
  join memberships on memberships.merchant_id = pin.merchant_id and memberships.user_id = passkeys.user_id
  where role = any(${approverRoles}::text[])) as trusted`

// The signer's demand outlives a policy that was relaxed, so the stricter of both counts.
const requiredPeople = sql`greatest(policy.approvals_required, demand.approvals_required)::integer`

function countTrusted(environment: Environment) {
  return sql`(
    select count(distinct user_id)::integer from ${trustedPeople}
    where trusted.merchant_id = merchants.id and trusted.environment = ${environment})`
}

function policyAndDemand(environment: Environment) {
  return sql`
    left join payout_policies as policy on policy.merchant_id = merchants.id and policy.environment = ${environment}
    left join passkey_demands as demand on demand.merchant_id = merchants.id and demand.environment = ${environment}`
}

export function passkeyEnrolmentsOn(db: Db) {
  return {
    /**
     * Offers a user's passkeys to the signers, for one of the user's merchants or for all, where the user approves payouts.
     * Passkeys already offered stay as they are.
     */
    async offer(userId: string, merchantId: string | null): Promise<void> {
      await sql`
        insert into passkey_enrolments (merchant_id, credential_id, passkey_id, user_id, public_key, name)
        select merchant_id, credential_id, passkeys.id, user_id, public_key, name
        from passkeys join memberships using (user_id)
        where user_id = ${userId} and role = any(${approverRoles}::text[])
          and (${merchantId}::uuid is null or merchant_id = ${merchantId})
        order by passkeys.created_at, passkeys.id, merchant_id
        on conflict (merchant_id, credential_id) do nothing`.run(db)
    },

    /** A merchant's enrolments, oldest first. */
    async list(merchantId: string, environment: Environment): Promise<Enrolment[]> {
      const rows = await sql<Omit<Enrolment, 'vouchedBy'>>`
        select passkey_id as "passkeyId", user_id as "userId", users.name as "userName", email as "userEmail",
          enrolment.name, enrolment.credential_id as "credentialId", public_key as "publicKey",
          enrolment.created_at as "createdAt",
          exists (select from passkeys join memberships using (user_id)
            where passkeys.id = passkey_id and memberships.merchant_id = enrolment.merchant_id) as "isInUse",
          coalesce(demand.approvals_required, 1)::integer as "vouchersRequired", counts_from as "trustedFrom",
          coalesce(counts_from <= clock_timestamp(), false) as "isTrusted"
        from passkey_enrolments as enrolment
        join users on users.id = user_id
        left join passkey_pins as pin on pin.environment = ${environment} and pin.merchant_id = enrolment.merchant_id
          and pin.credential_id = enrolment.credential_id
        left join passkey_demands as demand on demand.environment = ${environment}
          and demand.merchant_id = enrolment.merchant_id
        where enrolment.merchant_id = ${merchantId} order by position`.rows(db)
      const texts = rows.map((row) => statementText({ kind: 'trust_passkey', merchantId, ...row }))
      const vouchers = await vouchersOf(db, environment, merchantId, texts)
      return rows.map((row, at) => ({ ...row, vouchedBy: vouchers.get(texts[at] as string) ?? [] }))
    },

    /** The people who may approve for a merchant and whose passkeys its signer trusts, now or after a delay. */
    async approvers({ merchantId, environment }: Owner): Promise<string[]> {
      const rows = await sql<{ userId: string }>`
        select distinct user_id as "userId" from ${trustedPeople}
        where merchant_id = ${merchantId} and environment = ${environment}`.rows(db)
      return rows.map(({ userId }) => userId)
    },

    /** How many people have to approve a merchant's payouts, by its policy or its signer, and how many could. */
    async approverDemand({ merchantId, environment }: Owner): Promise<{ required: number; people: number }> {
      return sql<{ required: number; people: number }>`
        select coalesce(${requiredPeople}, 1) as required, ${countTrusted(environment)} as people
        from merchants ${policyAndDemand(environment)}
        where merchants.id = ${merchantId}`.one(db)
    },

    /** Merchants of which the environment's policy demands more people with trusted passkeys than there are. */
    async tooFewApprovers(environment: Environment, limit: number): Promise<TooFewApprovers[]> {
      return sql<TooFewApprovers>`
        select merchant_id as "merchantId", name, required, people from (
          select merchants.id as merchant_id, merchants.name,
            ${requiredPeople} as required, ${countTrusted(environment)} as people
          from merchants ${policyAndDemand(environment)}
          where policy.approval = 'passkey' or demand.is_required) as demanding
        where required > 1 and people < required order by name, merchant_id limit ${limit}`.rows(db)
    },

    /** Whether the environment's signer reports that it accepts a passkey's signatures for a merchant. */
    async isPinned(environment: Environment, merchantId: string, credentialId: Buffer): Promise<boolean> {
      const found = await sql`
        select from passkey_pins where environment = ${environment} and merchant_id = ${merchantId}
          and credential_id = ${credentialId} and counts_from <= clock_timestamp()`.run(db)
      return found > 0
    },

    /** The time of the newest statement about a merchant's policy, or about a destination; null when there is none. */
    async newestAt(about: PolicyStatement | DestinationStatement): Promise<Date | null> {
      const { kind, environment, merchantId } = about
      const place =
        about.kind === 'destination' ? { network: about.network, address: about.address, tag: about.tag } : {}
      const { at } = await sql<{ at: Date | null }>`
        select max((said::jsonb ->> 'at')::timestamptz) as at from passkey_statements
        where merchant_id = ${merchantId}
          and said::jsonb @> ${JSON.stringify({ sluice: kind, environment, ...place })}::jsonb`.one(db)
      return at
    },

    /** Adds a statement for the signers. */
    async state(id: string, merchantId: string, said: string, assertion: Assertion): Promise<void> {
      await sql`
        insert into passkey_statements (id, merchant_id, said, credential_id, authenticator_data, client_data_json,
          signature)
        values (${id}, ${merchantId}, ${said}, ${assertion.credentialId}, ${assertion.authenticatorData},
          ${assertion.clientDataJson}, ${assertion.signature})`.run(db)
    },
  }
}

/** Who has signed each of these statements with a passkey that the environment's signer trusts. */
async function vouchersOf(
  db: Db,
  environment: Environment,
  merchantId: string,
  texts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (texts.length === 0) return new Map()
  const rows = await sql<{ said: string; users: string[] }>`
    select said, array_agg(distinct user_id) as users from passkey_statements as statement
    join passkey_enrolments using (merchant_id, credential_id)
    join passkey_pins as pin using (merchant_id, credential_id)
    where merchant_id = ${merchantId} and said = any(${[...texts]}::text[])
      and pin.environment = ${environment} and pin.counts_from <= clock_timestamp()
    group by said`.rows(db)
  return new Map(rows.map(({ said, users }) => [said, users]))
}
