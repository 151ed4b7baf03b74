import type { Speaker } from '../../app/people/check-assertion.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Person } from '../../domain/people.ts'
import { relyingPartyOf } from '../../domain/relying-party.ts'

/** Where users find the service, once its own address is known. */
export type PublicOrigin = { readonly url: string }

/** The user who makes a passkey statement in a request of the dashboard. */
export function speakerOf(origin: PublicOrigin) {
  return ({ caller, person }: { caller: Caller; person: Person }): Speaker => ({
    caller,
    person,
    relyingParty: relyingPartyOf(origin.url),
  })
}
