import { type Consent, fullConsent } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import type { Speaker } from '../people/check-assertion.ts'
import { checkSigned, destinationStatement, type Signed } from '../policy/sign-change.ts'
import { type Added, addDestination } from './add-destination.ts'
import { type NamedPlace, readDestination } from './read-destination.ts'
import { removeDestination } from './remove-destination.ts'

/** Adds a destination in a person's name, or proposes it. */
export async function confirmDestination(
  app: App,
  speaker: Speaker,
  named: NamedPlace,
  label: string | null,
  consent: Consent,
  signed: Signed | null,
): Promise<Added> {
  const said = await signedDestination(app, speaker, named, consent, true, signed)
  return addDestination(app, personOf(speaker), speaker.caller, named, label, consent, said)
}

/** Removes a destination in a person's name. */
export async function confirmRemoval(
  app: App,
  speaker: Speaker,
  named: NamedPlace,
  signed: Signed | null,
): Promise<NamedPlace> {
  const said = await signedDestination(app, speaker, named, fullConsent, false, signed)
  return removeDestination(app, personOf(speaker), speaker.caller, named, said)
}

async function signedDestination(
  app: App,
  speaker: Speaker,
  named: NamedPlace,
  consent: Consent,
  isAllowed: boolean,
  signed: Signed | null,
) {
  const { caller } = speaker
  const place = readDestination(app, caller.environment, named, consent)
  const inForce = await app.store.payoutPolicies.find(caller)
  const statement = (at: Date) => destinationStatement(speaker, place, isAllowed, at)
  return checkSigned(app, speaker, inForce, statement, signed)
}

function personOf({ caller: { person } }: Speaker) {
  if (person === null) throw new Error('Only people change destinations here.')
  return person
}
