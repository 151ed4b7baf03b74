import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Who let a payout go, and exactly what: the hash covers it. */
export type PayoutApproval = {
  readonly approver: string
  readonly approvalHash: string
  readonly createdAt: Date
}

export function payoutApprovalsOn(db: Db) {
  return {
    /** Oldest first. */
    async list(payoutId: string): Promise<PayoutApproval[]> {
      const { rows } = await sql<PayoutApproval>`
        select approver, approval_hash as "approvalHash", created_at as "createdAt" from payout_approvals
        where payout_id = ${payoutId} order by created_at, approver`.execute(db)
      return rows
    },

    /** Call it while the payout is held. */
    async add(payoutId: string, approval: Pick<PayoutApproval, 'approver' | 'approvalHash'>): Promise<void> {
      await sql`
        insert into payout_approvals (payout_id, approver, approval_hash)
        values (${payoutId}, ${approval.approver}, ${approval.approvalHash})`.execute(db)
    },
  }
}
