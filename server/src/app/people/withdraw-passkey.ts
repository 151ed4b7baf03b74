import { uuidv7 } from '../../domain/ids.ts'
import { type PasskeyStatement, statementText } from '../../domain/passkey-statements.ts'
import { type Assertion, passkeyFingerprint } from '../../domain/webauthn.ts'
import type { Enrolment } from '../../store/payouts/passkey-enrolments.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { checkTrustedAssertion, type Speaker } from './check-assertion.ts'
import { offeredPasskey } from './vouch-for-passkey.ts'

/** The statement signed by withdrawing a passkey. */
export function withdrawing(
  { caller }: Pick<Speaker, 'caller'>,
  { credentialId }: Enrolment,
): PasskeyStatement {
  return { kind: 'distrust_passkey', merchantId: caller.merchantId, credentialId }
}

/** Makes the signers stop trusting a passkey, signed by a passkey that they trust. */
export async function withdrawPasskey(
  app: App,
  speaker: Speaker,
  passkeyId: string,
  assertion: Assertion,
): Promise<Enrolment> {
  const offered = await offeredPasskey(app, speaker, passkeyId)
  const said = withdrawing(speaker, offered)
  await checkTrustedAssertion(app, speaker, said, assertion)
  const { caller } = speaker
  await app.transaction(async (tx) => {
    const id = uuidv7(app.now())
    await tx.passkeyEnrolments.state(id, caller.merchantId, statementText(said), assertion)
    await noteActOf(tx, caller, {
      action: 'passkey.withdrawn',
      subject: offered.passkeyId,
      details: { fingerprint: passkeyFingerprint(offered), user: offered.userId, name: offered.userName },
    })
  })
  return offered
}
