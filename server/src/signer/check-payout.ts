import { approvalHash, type Payout } from '../domain/payouts.ts'
import type { PayoutToSign } from '../store/signing.ts'
import type { UnsignedTransaction } from '../store/spends.ts'

const secondMs = 1_000

/** Why a payout may not be paid by this spend at this moment; null when nothing speaks against it. */
export function payoutObjection(
  payout: PayoutToSign,
  { spendId, gateId }: Pick<UnsignedTransaction, 'spendId' | 'gateId'>,
  now: Date,
): string | null {
  const { policy } = payout
  if (payout.status !== 'processing' || payout.spendId !== spendId || payout.gateId !== gateId)
    return `Payout ${payout.id} is not on its way with this spend.`
  if (gateId !== `${payout.network}-${payout.environment}`)
    return `Payout ${payout.id} belongs to another network or environment.`
  const approved = approvedAt(payout)
  if (typeof approved === 'string') return approved
  const free = Math.max(
    payout.executableAt?.getTime() ?? Number.POSITIVE_INFINITY,
    approved.getTime() + policy.coolingOffSeconds * secondMs,
  )
  if (free > now.getTime()) return `Payout ${payout.id} is still in its cooling-off time.`
  if (policy.onlyKnownDestinations && !payout.destinationIsKnown)
    return `Payout ${payout.id} goes to a destination that its merchant does not know.`
  if (policy.maxPayout !== null) {
    if (payout.amountInBaseCurrency === null)
      return `What payout ${payout.id} is worth is not known, and its merchant allows only so much.`
    if (payout.amountInBaseCurrency > policy.maxPayout)
      return `Payout ${payout.id} is more than its merchant allows.`
  }
  return null
}

/** When the last approval that was needed was given; in words what is missing. */
function approvedAt(payout: PayoutToSign): Date | string {
  const expected = approvalHash(payout)
  const required = payout.policy.approvalsRequired
  const given = payout.approvals.filter(
    (approval) => approval.approvalHash === expected && mayApprove(payout, approval.approver),
  )
  const last = given[required - 1]
  if (last !== undefined) return last.createdAt
  const other = payout.approvals.some((approval) => approval.approvalHash !== expected)
  return other
    ? `An approval of payout ${payout.id} is for something else than this payout.`
    : `Payout ${payout.id} has ${given.length} of ${required} approvals.`
}

/** With four eyes the creator is none of them. The test environment's helper approves nothing in the live one. */
function mayApprove(
  payout: Pick<Payout, 'environment' | 'createdBy'> & PayoutToSign,
  approver: string,
): boolean {
  if (payout.environment === 'live' && approver.startsWith('test:')) return false
  return payout.policy.approvalsRequired === 1 || personOf(approver) !== personOf(payout.createdBy)
}

// The helper acts for the key it is called with.
function personOf(name: string): string {
  return name.replace(/^test:/, 'key:')
}
