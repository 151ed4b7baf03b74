import type { Assertion } from '../../domain/webauthn.ts'
import { type Db, sql } from '../sql.ts'
import { rowNow } from '../test-clocks.ts'

/** What a passkey has signed, and the approval hashes that it covers. */
export type CoveringAssertion = Assertion & { readonly coveredHashes: readonly string[] }

/** Who approved a payout. The hash covers exactly what was approved. */
export type PayoutApproval = {
  readonly approver: string
  readonly approvalHash: string
  readonly isByPasskey: boolean
  readonly createdAt: Date
}

export type NewApproval = Pick<PayoutApproval, 'approver' | 'approvalHash'> & {
  /** Null when no passkey was used. */
  readonly assertion: CoveringAssertion | null
}

export function payoutApprovalsOn(db: Db) {
  return {
    /** Oldest first. */
    async list(payoutId: string): Promise<PayoutApproval[]> {
      return sql<PayoutApproval>`
        select approver, approval_hash as "approvalHash", signature is not null as "isByPasskey",
          created_at as "createdAt"
        from payout_approvals where payout_id = ${payoutId} order by created_at, approver`.rows(db)
    },

    /** The caller has locked the payout. */
    async add(payoutId: string, { approver, approvalHash, assertion }: NewApproval): Promise<void> {
      await sql`
        insert into payout_approvals (payout_id, approver, approval_hash, credential_id, authenticator_data,
          client_data_json, signature, covered_hashes, created_at)
        values (${payoutId}, ${approver}, ${approvalHash}, ${assertion?.credentialId ?? null},
          ${assertion?.authenticatorData ?? null}, ${assertion?.clientDataJson ?? null}, ${assertion?.signature ?? null},
          ${assertion === null ? null : [...assertion.coveredHashes]},
          (select ${rowNow} from payouts where id = ${payoutId}))`.run(db)
    },
  }
}
