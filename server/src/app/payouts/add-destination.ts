import type { Actor } from '../../domain/audit-log.ts'
import type { Environment } from '../../domain/environment.ts'
import type { PolicyChange } from '../../domain/policy-changes.ts'
import { type Consent, noConsent } from '../../gates/gate.ts'
import { openChangeOf } from '../../store/payouts/policy-changes.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { endChange } from '../policy/end-change.ts'
import { demandSignature, proposeChange, type SignedText } from '../policy/propose-change.ts'
import { tellSigners } from '../policy/sign-change.ts'
import { checkNewDestination, type NamedPlace, placeInWords } from './read-destination.ts'

/** A destination that was named, and the change that will allow it; null when it is allowed now. */
export type Added = { readonly place: NamedPlace; readonly change: PolicyChange | null }

/**
 * Adds an address to the known payout destinations of a merchant, or changes the label of a known one. While only known ones
 * may be paid in the live environment, a new one is proposed instead.
 */
export async function addDestination(
  app: Pick<App, 'gates' | 'transaction' | 'now' | 'people' | 'assets' | 'weakeningDelayMs'>,
  by: Actor,
  { merchantId, environment }: { readonly merchantId: string; readonly environment: Environment },
  named: NamedPlace,
  label: string | null,
  consent: Consent = noConsent,
  signed: SignedText | null = null,
): Promise<Added> {
  const place = await checkNewDestination(app, environment, named, consent)
  const owner = { merchantId, environment }
  return app.transaction(async (tx) => {
    await tx.members.hold(merchantId)
    const inForce = await tx.payoutPolicies.lock(owner)
    const isKnown = await tx.payoutPolicies.knows(owner, place)
    if (!isKnown) demandSignature(environment, inForce, by, signed)
    await tellSigners(app, tx, merchantId, signed)
    const isRelaxing = environment === 'live' && inForce.onlyKnownDestinations && !isKnown
    const open = openChangeOf(await tx.policyChanges.open(owner), place)
    if (open !== null)
      await endChange(app, tx, open, {
        trigger: 'supersede',
        by,
        reason: 'The destination was added again.',
        isTold: !isRelaxing,
      })
    if (isRelaxing) {
      const wanted = { kind: 'destination', place, label } as const
      const change = await proposeChange(app, tx, by, { ...owner, wanted, relaxes: [], inForce, signed })
      return { place, change: change.status === 'applied' ? null : change }
    }
    await tx.payoutPolicies.addDestination(owner, { ...place, label })
    await noteAct(tx, by, merchantId, {
      environment,
      action: 'destination.added',
      subject: place.address,
      details: { destination: placeInWords(place), label },
    })
    return { place, change: null }
  })
}
