import type { ApprovalFacts } from '../../domain/approval-warnings.ts'
import type { PayoutPolicy } from '../../domain/payout-policy.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { Store } from '../../store/store.ts'

/** How many people have to approve a payout with trusted passkeys, and how many could; null where the policy wants none. */
export async function approversOf(
  store: Pick<Store, 'passkeyEnrolments'>,
  payout: Payout,
  { approval, approvalsRequired: needed }: PayoutPolicy,
): Promise<ApprovalFacts['approvers']> {
  if (approval !== 'passkey') return null
  const trusted = await store.passkeyEnrolments.approvers(payout)
  // Where one approval is enough, it may be the creator's.
  const able = trusted.filter((id) => needed === 1 || payout.createdBy !== `user:${id}`).length
  return { needed, able }
}
