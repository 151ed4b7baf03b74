import type { Actor } from '../../domain/audit-log.ts'
import type { Environment } from '../../domain/environment.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { type NamedPlace, placeInWords, readDestination } from './read-destination.ts'

/** Adds an address to the known payout destinations of a merchant, or changes the label of a known one. */
export async function addDestination(
  app: Pick<App, 'gates' | 'transaction'>,
  by: Actor,
  { merchantId, environment }: { readonly merchantId: string; readonly environment: Environment },
  named: NamedPlace,
  label: string | null,
): Promise<NamedPlace> {
  const place = readDestination(app, environment, named)
  await app.transaction(async (tx) => {
    await tx.payoutPolicies.addDestination({ merchantId, environment }, { ...place, label })
    await noteAct(tx, by, merchantId, {
      environment,
      action: 'destination.added',
      subject: place.address,
      details: { destination: placeInWords(place), label },
    })
  })
  return place
}
