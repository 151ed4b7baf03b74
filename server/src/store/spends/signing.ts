import type { Environment } from '../../domain/environment.ts'
import type { GateId } from '../../domain/networks/network.ts'
import type { ApprovalKind } from '../../domain/payout-policy.ts'
import type { Payout } from '../../domain/payouts.ts'
import { planFromJson } from '../../domain/plan-json.ts'
import type { SpendKind, SpendPlan } from '../../domain/spends.ts'
import type { Assertion } from '../../domain/webauthn.ts'
import { type AssertionJson, assertionFrom } from '../payouts/assertion-columns.ts'
import { payoutColumns } from '../payouts/payout-rows.ts'
import { type Db, type Sql, sql } from '../sql.ts'

/** A payout with everything that the signer checks before it signs. */
export type PayoutToSign = Payout & {
  readonly approvals: readonly ApprovalToCheck[]
  readonly policy: {
    readonly maxPayout: bigint | null
    readonly onlyKnownDestinations: boolean
    readonly approvalsRequired: number
    readonly coolingOffSeconds: number
    /** As the database has it; the signer may require more. */
    readonly approval: ApprovalKind
  }
  /** Whether its destination is one that the merchant has listed. */
  readonly destinationIsKnown: boolean
  /** How far the clock of its merchant is said to be ahead of the real time. */
  readonly aheadMs: number
}

/** An approval as the database has it. To the signer, only the signature of a passkey that it trusts is proof. */
export type ApprovalToCheck = {
  readonly approver: string
  readonly approvalHash: string
  readonly createdAt: Date
  readonly assertion: Assertion | null
  /** The approval hashes that the assertion covers, according to the database. */
  readonly coveredHashes: readonly string[]
}

/** An attempt of a spend, as the database has it. */
export type KnownAttempt = {
  readonly spendId: string
  readonly attempt: number
  readonly gateId: GateId
  readonly plan: SpendPlan
  readonly txHash: string | null
}

/** An attempt whose signed bytes the database has. */
export type SignedAttempt = KnownAttempt & {
  readonly kind: Exclude<SpendKind, 'absorb' | 'refill'>
  readonly txHash: string
  readonly bytes: Buffer
  readonly signedAt: Date
}

type Row = Payout &
  PayoutToSign['policy'] & {
    destinationIsKnown: boolean
    aheadMs: number
    approvals: (AssertionJson & {
      approver: string
      approval_hash: string
      created_at: string
      covered_hashes: string[] | null
    })[]
  }

async function payoutsWhere(db: Db, condition: Sql): Promise<PayoutToSign[]> {
  const rows = await sql<Row>`
    select ${payoutColumns}, policy.max_payout as "maxPayout",
      coalesce(policy.only_known_destinations, false) as "onlyKnownDestinations",
      coalesce(policy.approvals_required, 1) as "approvalsRequired",
      coalesce(policy.cooling_off_seconds, 0) as "coolingOffSeconds",
      coalesce(policy.approval, 'any') as approval,
      exists (select from payout_destinations as known
        where known.merchant_id = payouts.merchant_id and known.environment = payouts.environment
          and known.network = payouts.network and known.address = payouts.destination
          and known.tag = coalesce(payouts.destination_tag, '')) as "destinationIsKnown",
      coalesce((select extract(epoch from ahead) * 1000 from test_clocks as clock
        where clock.merchant_id = payouts.merchant_id and clock.environment = payouts.environment), 0)::float8 as "aheadMs",
      (select coalesce(json_agg(json_build_object('approver', approver, 'approval_hash', approval_hash,
          'created_at', created_at, 'credential_id', encode(credential_id, 'hex'),
          'authenticator_data', encode(authenticator_data, 'hex'),
          'client_data_json', encode(client_data_json, 'hex'), 'signature', encode(signature, 'hex'),
          'covered_hashes', covered_hashes) order by created_at, approver), '[]')
        from payout_approvals where payout_id = payouts.id) as approvals
    from payouts left join payout_policies as policy using (merchant_id, environment)
    where ${condition} order by payouts.id`.rows(db)
  return rows.map(
    ({
      maxPayout,
      onlyKnownDestinations,
      approvalsRequired,
      coolingOffSeconds,
      approval,
      approvals,
      ...payout
    }) => ({
      ...payout,
      policy: { maxPayout, onlyKnownDestinations, approvalsRequired, coolingOffSeconds, approval },
      approvals: approvals.map((row) => ({
        approver: row.approver,
        approvalHash: row.approval_hash,
        createdAt: new Date(row.created_at),
        assertion: assertionFrom(row),
        coveredHashes: row.covered_hashes ?? [],
      })),
    }),
  )
}

/** What only the signer reads, for its own checks. */
export function signingOn(db: Db) {
  return {
    /** The payouts of a spend, as of one moment. */
    payoutsOf: (spendId: string): Promise<PayoutToSign[]> => payoutsWhere(db, sql`spend_id = ${spendId}`),

    /** These payouts, as of one moment. */
    async payouts(ids: readonly string[]): Promise<PayoutToSign[]> {
      return ids.length === 0 ? [] : payoutsWhere(db, sql`payouts.id = any(${[...ids]}::uuid[])`)
    },

    /** The ids of these merchants' payouts that are approved and not yet planned. */
    async approvedOf(
      environment: Environment,
      merchantIds: readonly string[],
      limit: number,
    ): Promise<string[]> {
      const rows = await sql<{ id: string }>`
        select id from payouts where merchant_id = any(${[...merchantIds]}::uuid[])
          and environment = ${environment} and status = 'approved' order by position limit ${limit}`.rows(db)
      return rows.map(({ id }) => id)
    },

    /** Which of these payouts may still be signed. */
    async openAmong(ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return []
      const rows = await sql<{ id: string }>`
        select id from payouts
        where id = any(${[...ids]}::uuid[]) and status in ('pending_approval', 'approved', 'processing')`.rows(
        db,
      )
      return rows.map(({ id }) => id)
    },

    /**
     * What is stored as the transactions with these hashes: those that paid us, and our own. Longer bytes than `maxBytes` are
     * left out.
     */
    async previous(
      gateId: string,
      hashes: readonly string[],
      maxBytes: number,
    ): Promise<{ txHash: string; bytes: Buffer }[]> {
      return sql<{ txHash: string; bytes: Buffer }>`
        select tx_hash as "txHash", bytes from previous_transactions
        where gate_id = ${gateId} and tx_hash = any(${[...hashes]}::text[]) and octet_length(bytes) <= ${maxBytes}
        union all
        select tx_hash, bytes from spend_transactions join spends on spends.id = spend_id
        where tx_hash = any(${[...hashes]}::text[]) and gate_id = ${gateId} and octet_length(bytes) <= ${maxBytes}
        limit ${2 * hashes.length}`.rows(db)
    },

    /** All attempts of these spends. */
    async attemptsOf(spendIds: readonly string[]): Promise<KnownAttempt[]> {
      if (spendIds.length === 0) return []
      const rows = await sql<Omit<KnownAttempt, 'plan'> & { plan: string }>`
        select spend_id as "spendId", attempt, gate_id as "gateId", plan::text as plan, tx_hash as "txHash"
        from spend_transactions join spends on spends.id = spend_id
        where spend_id = any(${[...new Set(spendIds)]}::uuid[]) order by spend_id, attempt`.rows(db)
      return rows.map((row) => ({ ...row, plan: planFromJson(row.plan) }))
    },

    /** The attempts of an environment that a signer has signed, in pages: by spend and attempt, after the given one. */
    async signedAfter(
      environment: Environment,
      after: Pick<KnownAttempt, 'spendId' | 'attempt'>,
      limit: number,
    ): Promise<SignedAttempt[]> {
      const rows = await sql<Omit<SignedAttempt, 'plan'> & { plan: string }>`
        select spend_id as "spendId", attempt, gate_id as "gateId", kind, plan::text as plan, tx_hash as "txHash", bytes,
          signed_at as "signedAt"
        from spend_transactions join spends on spends.id = spend_id
        where bytes is not null and kind <> 'refill' and gate_id like ${`%-${environment}`}
          and (spend_id, attempt) > (${after.spendId}::uuid, ${after.attempt}::integer)
        order by spend_id, attempt limit ${limit}`.rows(db)
      return rows.map((row) => ({ ...row, plan: planFromJson(row.plan) }))
    },
  }
}
