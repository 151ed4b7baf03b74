import type { Speaker } from '../../app/people/check-assertion.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Person } from '../../domain/people.ts'
import { relyingPartyOf } from '../../domain/relying-party.ts'

/** Where people find the service, once it is known where it listens. */
export type PublicOrigin = { readonly url: string }

/** Who says something with a passkey in a request of the dashboard. */
export function speakerOf(origin: PublicOrigin) {
  return ({ caller, person }: { caller: Caller; person: Person }): Speaker => ({
    caller,
    person,
    relyingParty: relyingPartyOf(origin.url),
  })
}
