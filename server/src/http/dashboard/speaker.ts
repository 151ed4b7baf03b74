import type { SignedAssertion } from '@sluice/web/contract'
import type { Speaker } from '../../app/people/check-assertion.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Person } from '../../domain/people.ts'
import { relyingPartyOf } from '../../domain/relying-party.ts'
import type { Assertion } from '../../domain/webauthn.ts'

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

/** What the browser hands on from an authenticator. */
export function assertionFrom({ id, response }: SignedAssertion): Assertion {
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  return {
    credentialId: bytes(id),
    authenticatorData: bytes(response.authenticatorData),
    clientDataJson: bytes(response.clientDataJSON),
    signature: bytes(response.signature),
  }
}
