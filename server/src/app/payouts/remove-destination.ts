import type { Actor } from '../../domain/audit-log.ts'
import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fullConsent } from '../../gates/gate.ts'
import { openChangeOf } from '../../store/payouts/policy-changes.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { endChange } from '../policy/end-change.ts'
import { demandSignature, type SignedText } from '../policy/propose-change.ts'
import { tellSigners } from '../policy/sign-change.ts'
import { type NamedPlace, placeInWords, readDestination } from './read-destination.ts'

/** Removes an address from the known payout destinations of a merchant, or withdraws the change that would add it. */
export async function removeDestination(
  app: Pick<App, 'gates' | 'transaction' | 'now' | 'people' | 'assets'>,
  by: Actor,
  { merchantId, environment }: { readonly merchantId: string; readonly environment: Environment },
  named: NamedPlace,
  signed: SignedText | null = null,
): Promise<NamedPlace> {
  const place = readDestination(app, environment, named, fullConsent)
  const owner = { merchantId, environment }
  await app.transaction(async (tx) => {
    await tx.members.hold(merchantId)
    demandSignature(environment, await tx.payoutPolicies.lock(owner), by, signed)
    const open = openChangeOf(await tx.policyChanges.open(owner), place)
    const wasKnown = await tx.payoutPolicies.removeDestination(owner, place)
    if (!wasKnown && open === null)
      throw new ServiceError('not_found', `${placeInWords(place)} is not a known destination.`)
    await tellSigners(app, tx, merchantId, signed)
    if (open !== null)
      await endChange(app, tx, open, { trigger: 'withdraw', by, reason: 'The destination was removed.' })
    if (wasKnown)
      await noteAct(tx, by, merchantId, {
        environment,
        action: 'destination.removed',
        subject: place.address,
        details: { destination: placeInWords(place) },
      })
  })
  return place
}
