import type { Payout } from '../../domain/payouts.ts'
import type { NotedEnding } from '../../store/audit/audit-log.ts'
import type { PastApproval } from '../../store/reports/history.ts'
import type { Store } from '../../store/store.ts'
import type { Happening } from './happening.ts'

/** Who decided on payouts. */
export type Deciders = {
  readonly approvals: readonly PastApproval[]
  readonly endings: readonly NotedEnding[]
}

/** Finds who approved these payouts of a merchant, and who ended them. */
export async function decidersOf(
  { history, auditLog }: Store,
  merchantId: string,
  payouts: readonly Payout[],
): Promise<Deciders> {
  const idsOf = (some: readonly Payout[]) => some.map(({ id }) => id)
  const [approvals, endings] = await Promise.all([
    history.approvals(idsOf(payouts)),
    auditLog.endingsOf(merchantId, idsOf(payouts.filter(({ status }) => status === 'cancelled'))),
  ])
  return { approvals, endings }
}

/** What happened to a payout, as its own row and those who decided on it tell. */
export function ofPayout(payout: Payout, { approvals, endings }: Deciders): Happening[] {
  const { id, approvedAt, completedAt, cancelledAt } = payout
  const happenings: Happening[] = [
    {
      at: payout.createdAt,
      kind: 'payout_created',
      by: payout.createdBy,
      payout,
      status: 'pending_approval',
    },
    ...approvals
      .filter(({ payoutId }) => payoutId === id)
      .map(({ approver, at }): Happening => ({ at, kind: 'payout_approved', by: approver, payout })),
  ]
  const add = (at: Date | null, kind: Happening['kind'], more: Partial<Happening> = {}) => {
    if (at !== null) happenings.push({ at, kind, payout, ...more })
  }
  // A policy may let payouts go without an approval.
  if (!approvals.some(({ payoutId }) => payoutId === id)) add(approvedAt, 'payout_approved')
  add(completedAt, 'payout_completed', { status: 'completed' })
  if (cancelledAt !== null) {
    const ending = endings.find(({ subject }) => subject === id)
    const { actor: by = null, reason = null } = ending ?? {}
    const kind = ending?.isRejection ? 'payout_rejected' : 'payout_cancelled'
    add(cancelledAt, kind, { by, reason, status: 'cancelled' })
  }
  if (payout.status === 'failed')
    add(payout.updatedAt, 'payout_failed', { status: 'failed', details: payout.failureReason })
  return happenings
}
