import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { type PasskeyStatement, statementText } from '../../domain/passkey-statements.ts'
import type { Assertion } from '../../domain/webauthn.ts'
import { passkeyFingerprint } from '../../domain/webauthn.ts'
import type { Enrolment } from '../../store/payouts/passkey-enrolments.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { checkTrustedAssertion, type Speaker } from './check-assertion.ts'

/** A passkey that was offered to the caller's merchant. */
export async function offeredPasskey(
  app: Pick<App, 'store'>,
  { caller }: Pick<Speaker, 'caller'>,
  passkeyId: string,
): Promise<Enrolment> {
  const all = await app.store.passkeyEnrolments.list(caller.merchantId, caller.environment)
  const found = all.find((each) => each.passkeyId === passkeyId.toLowerCase())
  if (found === undefined) throw new ServiceError('not_found', 'There is no such passkey at this merchant.')
  return found
}

/** The statement signed by vouching: whose passkey it is, and exactly which one. */
export function vouchingFor({ caller }: Pick<Speaker, 'caller'>, offered: Enrolment): PasskeyStatement {
  const { userId, credentialId, publicKey } = offered
  return { kind: 'trust_passkey', merchantId: caller.merchantId, userId, credentialId, publicKey }
}

/**
 * Vouches that another passkey really belongs to its person. The signers trust it once as many people as approve a payout
 * have vouched for it with passkeys that they trust.
 */
export async function vouchForPasskey(
  app: App,
  speaker: Speaker,
  passkeyId: string,
  assertion: Assertion,
): Promise<Enrolment> {
  const offered = await offeredPasskey(app, speaker, passkeyId)
  if (!offered.isInUse)
    throw new ServiceError('conflict', 'Its owner has left the team or removed this passkey.')
  const said = vouchingFor(speaker, offered)
  await checkTrustedAssertion(app, speaker, said, assertion)
  const { caller, person } = speaker
  if (offered.vouchedBy.includes(person.userId))
    throw new ServiceError(
      'conflict',
      'You have already vouched for this passkey. Another person has to vouch for it too.',
    )
  await app.transaction(async (tx) => {
    const id = uuidv7(app.now())
    await tx.passkeyEnrolments.state(id, caller.merchantId, statementText(said), assertion)
    await noteActOf(tx, caller, {
      action: 'passkey.vouched_for',
      subject: offered.passkeyId,
      details: { fingerprint: passkeyFingerprint(offered), user: offered.userId, name: offered.userName },
    })
  })
  return offeredPasskey(app, speaker, passkeyId)
}
