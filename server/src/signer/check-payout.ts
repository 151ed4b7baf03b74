import { approvalHash, type Payout } from '../domain/payouts.ts'
import type { Refusal } from '../domain/spends.ts'
import type { PayoutToSign } from '../store/signing.ts'
import type { UnsignedTransaction } from '../store/spends.ts'

const secondMs = 1_000

/** Why a payout may not be paid by this spend at this moment; null when nothing speaks against it. */
export function payoutObjection(
  payout: PayoutToSign,
  { spendId, gateId }: Pick<UnsignedTransaction, 'spendId' | 'gateId'>,
  now: Date,
): Refusal | null {
  if (payout.status !== 'processing' || payout.spendId !== spendId || payout.gateId !== gateId)
    return { reason: `Payout ${payout.id} is not on its way with this spend.`, isForGood: false }
  if (gateId !== `${payout.network}-${payout.environment}`)
    return { reason: `Payout ${payout.id} belongs to another network or environment.`, isForGood: false }
  const approved = approvedAt(payout)
  const reason = typeof approved === 'string' ? approved : overPolicy(payout)
  if (reason !== null) return { reason, isForGood: true }
  return typeof approved === 'string' || !coolsOff(payout, approved, now)
    ? null
    : { reason: `Payout ${payout.id} is still in its cooling-off time.`, isForGood: false }
}

function coolsOff({ executableAt, policy }: PayoutToSign, approved: Date, now: Date): boolean {
  const free = Math.max(
    executableAt?.getTime() ?? Number.POSITIVE_INFINITY,
    approved.getTime() + policy.coolingOffSeconds * secondMs,
  )
  return free > now.getTime()
}

/** What the merchant's people do not allow about it; null when they do. */
function overPolicy(payout: PayoutToSign): string | null {
  const { policy } = payout
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
