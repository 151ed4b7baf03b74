import { type ApprovalWarning, approvalWarnings } from '../../domain/approval-warnings.ts'
import type { PayoutPolicy } from '../../domain/payout-policy.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { Store } from '../../store/store.ts'
import { approversOf } from './approvers-of.ts'

/** Everything that the approver of a payout should look at, as things are now; nothing once it is decided. */
export async function warnOfPayout(
  store: Pick<Store, 'approvalFacts' | 'balances' | 'passkeyEnrolments'>,
  payout: Payout,
  policy: PayoutPolicy,
  now: Date,
): Promise<ApprovalWarning[]> {
  if (payout.status !== 'pending_approval') return []
  return approvalWarnings(payout, {
    ...(await store.approvalFacts.about(payout)),
    availableUnits: await store.balances.available(payout),
    approvers: await approversOf(store, payout, policy),
    now,
  })
}
