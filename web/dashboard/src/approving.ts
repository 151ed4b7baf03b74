import type { ApprovalOutcome, PayoutReview, PayoutsToApprove, SignedAssertion } from '@sluice/web/contract'
import { approvePayouts, getApprovalChallenge } from '@sluice/web/operations'
import type { ProofMethod } from './api/client.ts'
import { NotProvedError } from './api/errors.ts'
import { usePasskey } from './api/passkeys.ts'
import type { Desk } from './desk.svelte.ts'

/**
 * Approves exactly what was shown: each payout is named with its total and the hash of what was on the screen. If the policy
 * requires it, a passkey signs that very list; if one of them is risky, the user shows a factor for it.
 */
export async function approve(
  desk: Desk,
  reviews: readonly PayoutReview[],
): Promise<readonly ApprovalOutcome[]> {
  const payouts = reviews.map(({ payout, hash, total }) => ({ id: payout.id, hash, total }))
  const withPasskey = async () =>
    desk.api.call(approvePayouts, { body: { payouts, assertion: await signed(desk, payouts) } })
  if (reviews.some(({ policy }) => policy.approval === 'passkey')) return withPasskey()
  const action = riskyAction(desk, reviews)
  if (action === null) return desk.api.call(approvePayouts, { body: { payouts } })

  let outcomes: readonly ApprovalOutcome[] = []
  const done = await desk.questions.proveFor(factorsOf(desk), {
    title: action,
    says: desk.t('prove_approval', { count: reviews.length }),
    action: desk.t('approve'),
    perform: async (proof) => {
      outcomes =
        proof === 'passkey'
          ? await withPasskey()
          : await desk.api.call(approvePayouts, { body: { payouts, proof } })
    },
  })
  if (!done) throw new NotProvedError('No factor was shown for these payouts.')
  return outcomes
}

/** What the user does by approving these, in words that name what is risky; null if nothing is. */
export function riskyAction({ t }: Pick<Desk, 't'>, reviews: readonly PayoutReview[]): string | null {
  const risky = reviews.filter(({ risks }) => risks.length > 0)
  const [gravest] = risky[0]?.risks ?? []
  if (gravest === undefined) return null
  return reviews.length === 1
    ? t(`approve_${gravest}`)
    : t('approve_some_risky', { count: reviews.length, risky: risky.length })
}

function factorsOf({ session }: Desk): readonly ProofMethod[] {
  const enrolled = session?.second_factors ?? []
  return enrolled.length === 0 ? ['password'] : enrolled
}

async function signed(desk: Desk, shown: PayoutsToApprove['payouts']): Promise<SignedAssertion> {
  const { options } = await desk.api.call(getApprovalChallenge, { body: { payouts: shown } })
  return usePasskey(options)
}
