import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { ceremonyText, challengeOf } from '../../domain/passkey-statements.ts'
import {
  type AssertionResponse,
  assertionProblem,
  readAssertion,
  signCountOf,
} from '../../domain/webauthn.ts'
import type { CeremonyPurpose } from '../../store/people/ceremonies.ts'
import type { Passkey } from '../../store/people/passkeys.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { demandHost, relyingParty } from './relying-party.ts'

const nonceBytes = 32
/** How long a challenge can be answered. */
export const challengeGoodMs = 5 * 60_000

type Descriptor = { readonly id: string; readonly type: 'public-key'; readonly transports: string[] }

/** Issues a challenge that no other ceremony and no statement ever has. It goes to the browser from here, never from a row. */
export async function issueChallenge(
  app: Pick<App, 'store' | 'now' | 'random'>,
  {
    purpose,
    sessionId,
    subject = null,
  }: {
    readonly purpose: CeremonyPurpose
    readonly sessionId: string | null
    readonly subject?: object | null
  },
): Promise<string> {
  const nonce = app.random(nonceBytes)
  const challenge = challengeOf(ceremonyText(purpose, sessionId, nonce))
  const ceremony = { id: uuidv7(app.now()), purpose, sessionId, challenge, nonce, subject }
  await app.store.ceremonies.insert(ceremony, challengeGoodMs)
  return challenge.toString('base64url')
}

/** The options with which a browser has a passkey sign a challenge. If `passkeys` is empty, the person chooses one. */
export async function requestOptions(
  app: Pick<App, 'store' | 'now' | 'random' | 'people'>,
  host: string,
  asked: Parameters<typeof issueChallenge>[1],
  passkeys: readonly Passkey[],
) {
  const party = relyingParty(app.people.url())
  demandHost(party, host)
  return {
    challenge: await issueChallenge(app, asked),
    rpId: party.id,
    timeout: challengeGoodMs,
    userVerification: 'required' as const,
    allowCredentials: passkeys.map(descriptor),
  }
}

export function descriptor({ credentialId, transports }: Passkey): Descriptor {
  return { id: credentialId.toString('base64url'), type: 'public-key', transports: [...transports] }
}

/**
 * Uses up the challenge that a browser has answered, whether or not the answer is right: a challenge works once. Throws if
 * it was issued for another purpose, has expired or was used before.
 */
export async function redeemChallenge(
  { store }: Pick<App, 'store'>,
  clientData: string,
  purpose: CeremonyPurpose,
  sessionId: string | null,
): Promise<{ readonly challenge: string; readonly subject: unknown }> {
  const challenge = challengeIn(clientData)
  const bytes = Buffer.from(challenge ?? '', 'base64url')
  const used = challenge === null ? null : await store.ceremonies.use(bytes, purpose, sessionId)
  // An attacker with the database can claim that anything was asked for, such as an approval. That has another hash.
  const isOurs = used !== null && challengeOf(ceremonyText(purpose, sessionId, used.nonce)).equals(bytes)
  if (challenge === null || !isOurs)
    throw new ServiceError('invalid_state', 'This passkey request has expired. Try again.', [
      '/credential: answers no open challenge',
    ])
  return { challenge, subject: used.subject }
}

/**
 * Returns the passkey that answered the challenge, and records its use in `tx`. `isCopied`: its signature counter went back;
 * the caller records that before it refuses.
 */
export async function answeringPasskey(
  app: Pick<App, 'people'>,
  tx: Store,
  answer: AssertionResponse,
  challenge: string,
): Promise<{ readonly passkey: Passkey; readonly isCopied: boolean }> {
  const assertion = readAssertion(answer)
  const passkey = await tx.passkeys.findByCredential(assertion.credentialId)
  if (passkey === null) throw refused()
  const { userHandle } = answer.response
  if (userHandle !== undefined && userHandle !== '' && userHandle !== handleOf(passkey.userId))
    throw refused()
  const { id, origin } = relyingParty(app.people.url())
  const asked = {
    challenge: Buffer.from(challenge, 'base64url'),
    relyingParty: { id, origins: [origin] },
  }
  if (assertionProblem(assertion, passkey.publicKey, asked) !== null) throw refused()
  const isCopied = !(await tx.passkeys.use(passkey.id, signCountOf(assertion)))
  return { passkey, isCopied }
}

/** The WebAuthn user handle of a person: the bytes of their id. */
export function handleOf(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
}

export function refused(): ServiceError {
  return new ServiceError(
    'invalid_state',
    'This passkey was not accepted. Try again, or use another method.',
    ['/credential: is not a valid answer'],
  )
}

function challengeIn(clientData: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8'))
    return typeof challenge === 'string' ? challenge : null
  } catch {
    // Not JSON: anyone can send anything here.
    return null
  }
}
