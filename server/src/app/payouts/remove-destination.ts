import type { Actor } from '../../domain/audit-log.ts'
import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { type NamedPlace, placeInWords, readDestination } from './read-destination.ts'

/** Removes an address from the known payout destinations of a merchant. */
export async function removeDestination(
  app: Pick<App, 'gates' | 'transaction'>,
  by: Actor,
  { merchantId, environment }: { readonly merchantId: string; readonly environment: Environment },
  named: NamedPlace,
): Promise<NamedPlace> {
  const place = readDestination(app, environment, named)
  await app.transaction(async (tx) => {
    if (!(await tx.payoutPolicies.removeDestination({ merchantId, environment }, place)))
      throw new ServiceError('not_found', `${placeInWords(place)} is not a known destination.`)
    await noteAct(tx, by, merchantId, {
      environment,
      action: 'destination.removed',
      subject: place.address,
      details: { destination: placeInWords(place) },
    })
  })
  return place
}
