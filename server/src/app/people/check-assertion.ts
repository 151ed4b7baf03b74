import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { challengeOf, type PasskeyStatement, statementText } from '../../domain/passkey-statements.ts'
import type { Person } from '../../domain/people.ts'
import { type Assertion, assertionProblem, type RelyingParty } from '../../domain/webauthn.ts'
import type { Passkey } from '../../store/people/passkeys.ts'
import type { App } from '../app.ts'

/** The person making a statement with a passkey, their caller and the relying party. */
export type Speaker = {
  readonly caller: Caller
  readonly person: Pick<Person, 'userId'>
  readonly relyingParty: RelyingParty
}

/** Returns the person's own passkey that signed exactly this statement; throws on anything else. */
export async function checkAssertion(
  app: Pick<App, 'store'>,
  { person, relyingParty }: Speaker,
  statement: PasskeyStatement,
  assertion: Assertion,
): Promise<Passkey> {
  const passkey = await app.store.passkeys.findByCredential(assertion.credentialId)
  if (passkey === null || passkey.userId !== person.userId)
    throw new ServiceError('forbidden', 'This is not one of your passkeys.')
  const challenge = challengeOf(statementText(statement))
  const problem = assertionProblem(assertion, passkey.publicKey, { challenge, relyingParty })
  if (problem !== null)
    throw new ServiceError('forbidden', `The passkey’s signature was not accepted: ${problem}. Try again.`)
  return passkey
}

/** The same, and the environment's signer must trust the passkey: the signer would refuse it otherwise. */
export async function checkTrustedAssertion(
  app: Pick<App, 'store'>,
  speaker: Speaker,
  statement: PasskeyStatement,
  assertion: Assertion,
): Promise<Passkey> {
  const passkey = await checkAssertion(app, speaker, statement, assertion)
  const { environment, merchantId } = speaker.caller
  if (!(await app.store.passkeyEnrolments.isPinned(environment, merchantId, passkey.credentialId)))
    throw new ServiceError(
      'conflict',
      'The signer does not trust this passkey for this merchant. Ask a member whose passkey it trusts to vouch for it.',
    )
  return passkey
}
