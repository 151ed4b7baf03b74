import type { App } from '../../../app/app.ts'
import { askPasskey } from '../../../app/people/ask-passkey.ts'
import { approveChange, statementOf } from '../../../app/policy/approve-change.ts'
import { listChanges, showChange } from '../../../app/policy/list-changes.ts'
import { withdrawalStatement } from '../../../app/policy/sign-change.ts'
import { openChange, withdrawChange } from '../../../app/policy/withdraw-change.ts'
import type { Caller } from '../../../domain/caller.ts'
import type { PolicyChange } from '../../../domain/policy-changes.ts'
import { readAssertion } from '../../../domain/webauthn.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { type PublicOrigin, speakerOf } from '../../dashboard/speaker.ts'
import { ok } from '../../reply.ts'
import { challengeView } from '../approval/view.ts'
import { signedFrom } from './signed.ts'
import { changeView } from './view.ts'

/** The changes that relax a live payout policy. */
export function policyChanges(
  app: App,
  origin: PublicOrigin,
): Pick<
  DashboardHandlers,
  | 'listPolicyChanges'
  | 'getChangeChallenge'
  | 'approvePolicyChange'
  | 'getChangeWithdrawalChallenge'
  | 'withdrawPolicyChange'
> {
  const speaker = speakerOf(origin)
  const view = async (caller: Caller, change: PolicyChange) =>
    changeView(await showChange(app, caller, change))
  return {
    listPolicyChanges: async ({ caller }) => ok((await listChanges(app, caller)).map(changeView)),
    getChangeChallenge: async (request) => {
      const who = speaker(request)
      const change = await openChange(app, who, request.path.changeID)
      return ok(challengeView(await askPasskey(app, who, statementOf(change))))
    },
    approvePolicyChange: async (request) => {
      const { caller, path, body } = request
      const assertion = body.assertion === undefined ? null : readAssertion(body.assertion)
      return ok(await view(caller, await approveChange(app, speaker(request), path.changeID, assertion)))
    },
    getChangeWithdrawalChallenge: async (request) => {
      const who = speaker(request)
      const at = app.now()
      const change = await openChange(app, who, request.path.changeID)
      const inForce = await app.store.payoutPolicies.find(request.caller)
      const said = withdrawalStatement(who, change, inForce, at)
      return ok({ ...challengeView(await askPasskey(app, who, said)), at: at.toISOString() })
    },
    withdrawPolicyChange: async (request) => {
      const { caller, path, body } = request
      return ok(
        await view(caller, await withdrawChange(app, speaker(request), path.changeID, signedFrom(body))),
      )
    },
  }
}
