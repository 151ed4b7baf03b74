import type { PolicyToSign } from '@sluice/web/contract'
import type { App } from '../../../app/app.ts'
import { confirmDestination, confirmRemoval } from '../../../app/payouts/confirm-destination.ts'
import { confirmPolicy } from '../../../app/payouts/confirm-policy.ts'
import { readDestination } from '../../../app/payouts/read-destination.ts'
import { policyLimit } from '../../../app/payouts/set-policy.ts'
import { askPasskey } from '../../../app/people/ask-passkey.ts'
import { listOpenChanges, showChange } from '../../../app/policy/list-changes.ts'
import { destinationStatement, policyStatement } from '../../../app/policy/sign-change.ts'
import type { Caller } from '../../../domain/caller.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { PayoutPolicy } from '../../../domain/payout-policy.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { type PublicOrigin, speakerOf } from '../../dashboard/speaker.ts'
import { created, ok } from '../../reply.ts'
import { challengeView } from '../approval/view.ts'
import { signedFrom } from './signed.ts'
import { changeView, destinationView, policyView } from './view.ts'

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
  | 'getDestinationChallenge'
  | 'removeDestination'
> {
  const speaker = speakerOf(origin)
  const policyOf = async (caller: Caller) =>
    policyView(
      await app.store.payoutPolicies.find(caller),
      caller.merchant.baseCurrency,
      await listOpenChanges(app, caller),
      caller.environment === 'live' ? app.weakeningDelayMs / 3_600_000 : null,
    )
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
    addDestination: async (request) => {
      const { caller, body } = request
      const {
        network,
        address,
        tag = null,
        label = null,
        allow_program_address: programAddress = false,
      } = body
      const named = { network, address, tag }
      const { place, change } = await confirmDestination(
        app,
        speaker(request),
        named,
        label,
        { programAddress },
        signedFrom(body),
      )
      if (change !== null)
        return created({
          destination: null,
          pending_change: changeView(await showChange(app, caller, change)),
        })
      const known = await app.store.payoutPolicies.destinations(caller)
      const added = known.find(
        (each) => each.network === place.network && each.address === place.address && each.tag === place.tag,
      )
      if (added === undefined)
        throw new ServiceError(
          'conflict',
          'Another user removed this destination at the same time. Add it again.',
        )
      return created({ destination: destinationView(added), pending_change: null })
    },
    getDestinationChallenge: async (request) => {
      const who = speaker(request)
      const at = app.now()
      const { network, address, tag = null, is_allowed: isAllowed } = request.body
      // Everything that was allowed can be removed.
      const programAddress = !isAllowed || (request.body.allow_program_address ?? false)
      const named = { network, address, tag }
      const place = readDestination(app, request.caller.environment, named, { programAddress })
      const said = destinationStatement(who, place, isAllowed, at)
      return ok({ ...challengeView(await askPasskey(app, who, said)), at: at.toISOString() })
    },
    removeDestination: async (request) => {
      const { network, address, tag = null } = request.body
      await confirmRemoval(app, speaker(request), { network, address, tag }, signedFrom(request.body))
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
