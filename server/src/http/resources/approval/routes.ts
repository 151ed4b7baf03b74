import type { App } from '../../../app/app.ts'
import { approvePayouts } from '../../../app/payouts/approve-payouts.ts'
import { askApproval } from '../../../app/payouts/ask-approval.ts'
import { cancelPayout } from '../../../app/payouts/cancel-payout.ts'
import { feeReader } from '../../../app/payouts/present-cost.ts'
import { reviewPayout } from '../../../app/payouts/review-payout.ts'
import { readAssertion } from '../../../domain/webauthn.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { type PublicOrigin, speakerOf } from '../../dashboard/speaker.ts'
import { ok } from '../../reply.ts'
import { payoutView } from '../payouts/view.ts'
import { challengeView, outcomeView, reviewView } from './view.ts'

/** Approving and rejecting payouts. */
export function dashboardApproval(
  app: App,
  origin: PublicOrigin,
): Pick<DashboardHandlers, 'getPayoutApproval' | 'getApprovalChallenge' | 'approvePayouts' | 'rejectPayout'> {
  const speaker = speakerOf(origin)
  const readFee = feeReader(app)
  return {
    getPayoutApproval: async ({ caller, path }) =>
      ok(reviewView(app.assets, await reviewPayout(app, readFee, caller, path.payoutID))),
    getApprovalChallenge: async (request) => {
      const who = speaker(request)
      return ok(challengeView(await askApproval(app, readFee, who, request.body.payouts)))
    },
    approvePayouts: async (request) => {
      const { payouts, assertion, proof = null } = request.body
      const who = { ...speaker(request), person: request.person }
      const shown = { assertion: assertion === undefined ? null : readAssertion(assertion), proof }
      const outcomes = await approvePayouts(app, readFee, who, payouts, shown)
      return ok(outcomes.map((outcome) => outcomeView(app.assets, outcome)))
    },
    rejectPayout: async ({ caller, path, body }) =>
      ok(
        payoutView(
          app.assets,
          await cancelPayout(app, caller, path.payoutID, {
            by: caller.actor,
            reason: body.reason,
            ...(caller.person !== null && { person: caller.person }),
          }),
        ),
      ),
  }
}
