import type { PolicyChange, PolicyToSign } from '@sluice/web/contract'
import type { App } from '../../../app/app.ts'
import { addDestination } from '../../../app/payouts/add-destination.ts'
import { confirmPolicy, policyStatement, type SignedPolicy } from '../../../app/payouts/confirm-policy.ts'
import { removeDestination } from '../../../app/payouts/remove-destination.ts'
import { policyLimit } from '../../../app/payouts/set-policy.ts'
import { askPasskey } from '../../../app/people/ask-passkey.ts'
import type { Actor } from '../../../domain/audit-log.ts'
import type { Caller } from '../../../domain/caller.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { PayoutPolicy } from '../../../domain/payout-policy.ts'
import { readAssertion } from '../../../domain/webauthn.ts'
import type { PayoutDestination } from '../../../store/payouts/payout-policies.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { type PublicOrigin, speakerOf } from '../../dashboard/speaker.ts'
import { created, ok } from '../../reply.ts'
import { challengeView, policyView } from '../approval/view.ts'

/** A merchant's payout policy and known destinations. */
export function dashboardPolicy(
  app: App,
  origin: PublicOrigin,
): Pick<
  DashboardHandlers,
  | 'getPolicy'
  | 'setPolicy'
  | 'getPolicyChallenge'
  | 'listDestinations'
  | 'addDestination'
  | 'removeDestination'
> {
  const speaker = speakerOf(origin)
  const policyOf = async (caller: Caller) =>
    policyView(await app.store.payoutPolicies.find(caller), caller.merchant.baseCurrency)
  return {
    getPolicy: async ({ caller }) => ok(await policyOf(caller)),
    setPolicy: async (request) => {
      const { caller, body } = request
      await confirmPolicy(app, speaker(request), policyFrom(body, caller), signedFrom(body))
      return ok(await policyOf(caller))
    },
    getPolicyChallenge: async (request) => {
      const who = speaker(request)
      const at = app.now()
      const said = policyStatement(who, policyFrom(request.body, request.caller), at)
      return ok({ ...challengeView(await askPasskey(app, who, said)), at: at.toISOString() })
    },
    listDestinations: async ({ caller }) =>
      ok((await app.store.payoutPolicies.destinations(caller)).map(destinationView)),
    addDestination: async ({ caller, body }) => {
      const { network, address, tag = null, label = null } = body
      const place = await addDestination(app, personOf(caller), caller, { network, address, tag }, label)
      const known = await app.store.payoutPolicies.destinations(caller)
      const added = known.find(
        (each) => each.network === place.network && each.address === place.address && each.tag === place.tag,
      )
      if (added === undefined)
        throw new ServiceError(
          'conflict',
          'Another user removed this destination at the same time. Add it again.',
        )
      return created(destinationView(added))
    },
    removeDestination: async ({ caller, query: { network, address, tag = null } }) => {
      await removeDestination(app, personOf(caller), caller, { network, address, tag })
      return ok({ removed: true })
    },
  }
}

function policyFrom(body: PolicyToSign, { merchant: { baseCurrency } }: Caller): PayoutPolicy {
  const limit = (name: 'max_payout' | 'max_day') => {
    const text = body[name]
    return text === undefined ? null : policyLimit(text, baseCurrency, name)
  }
  return {
    maxPayout: limit('max_payout'),
    maxDay: limit('max_day'),
    onlyKnownDestinations: body.only_known_destinations,
    approvalsRequired: body.approvals_required,
    coolingOffSeconds: body.cooling_off_seconds,
    approval: body.approval,
  }
}

// The assertion admitted the request, so it has to be verified.
function signedFrom({ assertion, signed_at: at }: PolicyChange): SignedPolicy | null {
  if (assertion === undefined) return null
  if (at === undefined)
    throw new ServiceError('validation_error', 'An assertion needs the time of its challenge.', [
      '/signed_at: is required with an assertion',
    ])
  return { assertion: readAssertion(assertion), at: new Date(at) }
}

function destinationView({ createdAt, ...destination }: PayoutDestination) {
  return { ...destination, created_at: createdAt.toISOString() }
}

function personOf({ person }: Caller): Actor {
  if (person === null) throw new Error('Only signed-in users reach this operation.')
  return person
}
