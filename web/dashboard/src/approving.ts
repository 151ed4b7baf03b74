import type { ApprovalOutcome, PayoutReview, PayoutsToApprove, SignedAssertion } from '@sluice/web/contract'
import { approvePayouts, getApprovalChallenge } from '@sluice/web/operations'
import { usePasskey } from './api/passkeys.ts'
import type { Desk } from './desk.svelte.ts'

/**
 * Approves exactly what was shown: each payout is named with the hash of what was on the screen. If the policy requires
 * it, a passkey signs that very list.
 */
export async function approve(
  desk: Desk,
  reviews: readonly PayoutReview[],
): Promise<readonly ApprovalOutcome[]> {
  const payouts = reviews.map(({ payout, hash }) => ({ id: payout.id, hash }))
  const isSigned = reviews.some(({ policy }) => policy.approval === 'passkey')
  const assertion = isSigned ? await signed(desk, payouts) : undefined
  return desk.api.call(approvePayouts, { body: { payouts, ...(assertion !== undefined && { assertion }) } })
}

async function signed(desk: Desk, payouts: PayoutsToApprove['payouts']): Promise<SignedAssertion> {
  const { options } = await desk.api.call(getApprovalChallenge, { body: { payouts } })
  return usePasskey(options)
}
