import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import type { Person } from '../../domain/people.ts'
import { readRegistration } from '../../domain/webauthn-registration.ts'
import type { Passkey } from '../../store/people/passkeys.ts'
import type { App } from '../app.ts'
import { finishChange } from './change-factors.ts'
import { offerPasskeys } from './offer-passkey.ts'
import {
  challengeGoodMs,
  descriptor,
  handleOf,
  issueChallenge,
  redeemChallenge,
  refused,
} from './passkey-ceremony.ts'
import { demandHost, relyingParty } from './relying-party.ts'

const maxPasskeys = 20
// COSE: ES256, EdDSA, RS256 (RFC 9053).
const algorithms = [-7, -8, -257]

/** The fields we read of a browser's answer (`RegistrationResponseJSON`). */
export type Attestation = {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: readonly string[] | undefined
  }
}

/** The options with which a browser creates a passkey: discoverable, and with user verification. */
export async function beginPasskey(app: App, person: Person, host: string) {
  const party = relyingParty(app.people.url())
  demandHost(party, host)
  const passkeys = await app.store.passkeys.list(person.userId)
  refuseTooMany(passkeys)
  const { userId, email, name, sessionId } = person
  return {
    challenge: await issueChallenge(app, { purpose: 'enrol', sessionId }),
    rp: { id: party.id, name: 'Sluice' },
    user: { id: handleOf(userId), name: email, displayName: name },
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' as const })),
    timeout: challengeGoodMs,
    excludeCredentials: passkeys.map(descriptor),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
  }
}

/** Adds a passkey that a browser has created for the challenge of `beginPasskey`. */
export async function addPasskey(
  app: App,
  person: Person,
  name: string,
  attestation: Attestation,
): Promise<Passkey> {
  const { clientDataJSON, attestationObject, transports = [] } = attestation.response
  const { challenge } = await redeemChallenge(app, clientDataJSON, 'enrol', person.sessionId)
  const { id, origin } = relyingParty(app.people.url())
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  const read = readRegistration(
    { clientDataJson: bytes(clientDataJSON), attestationObject: bytes(attestationObject) },
    { challenge: bytes(challenge), relyingParty: { id, origins: [origin] } },
  )
  if ('problem' in read || !read.passkey.credentialId.equals(bytes(attestation.rawId))) throw refused()
  const made = read.passkey
  return app.transaction(async (tx) => {
    await tx.secondFactors.hold(person.userId)
    refuseTooMany(await tx.passkeys.list(person.userId))
    const passkey = await tx.passkeys.insert({
      id: uuidv7(app.now()),
      userId: person.userId,
      ...made,
      transports,
      name: name.trim(),
    })
    if (passkey === null) throw new ServiceError('conflict', 'This passkey is already in use.')
    await offerPasskeys(tx, person.userId)
    await tx.sessions.prove(person.sessionId, 'passkey')
    const details = { name: passkey.name }
    const change = { action: 'passkey.added', subject: passkey.id, details } as const
    await finishChange(app, tx, person, { ...change, notice: 'passkey_added' })
    return passkey
  })
}

function refuseTooMany(passkeys: readonly Passkey[]): void {
  if (passkeys.length >= maxPasskeys)
    throw new ServiceError('conflict', `A person can have at most ${maxPasskeys} passkeys. Remove one first.`)
}
