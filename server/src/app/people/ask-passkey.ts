import { ServiceError } from '../../domain/errors.ts'
import { challengeOf, type PasskeyStatement, statementText } from '../../domain/passkey-statements.ts'
import type { App } from '../app.ts'
import type { Speaker } from './check-assertion.ts'

/** What a browser needs to ask for a passkey's signature. */
export type PasskeyQuestion = {
  readonly statement: string
  readonly challenge: Buffer
  readonly relyingPartyId: string
  readonly credentialIds: readonly Buffer[]
}

/** What one of the person's passkeys must sign to make this statement. Stores nothing: the statement is self-contained. */
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
