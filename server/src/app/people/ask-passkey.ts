import { ServiceError } from '../../domain/errors.ts'
import { challengeOf, type PasskeyStatement, statementText } from '../../domain/passkey-statements.ts'
import type { App } from '../app.ts'
import type { Speaker } from './check-assertion.ts'

/** What a browser is told to ask a passkey with. */
export type PasskeyQuestion = {
  readonly statement: string
  readonly challenge: Buffer
  readonly relyingPartyId: string
  readonly credentialIds: readonly Buffer[]
}

/** What the person's passkeys have to sign to say this. Nothing has to be remembered: the statement says it all. */
export async function askPasskey(
  app: Pick<App, 'store'>,
  { person, relyingParty }: Speaker,
  said: PasskeyStatement,
): Promise<PasskeyQuestion> {
  const passkeys = await app.store.passkeys.list(person.userId)
  if (passkeys.length === 0)
    throw new ServiceError('conflict', 'You have no passkey. Add one in your account first.')
  const statement = statementText(said)
  return {
    statement,
    challenge: challengeOf(statement),
    relyingPartyId: relyingParty.id,
    credentialIds: passkeys.map(({ credentialId }) => credentialId),
  }
}
