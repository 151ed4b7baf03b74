import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import {
  type DestinationStatement,
  type PolicyStatement,
  readStatement,
  statementText,
} from '../../domain/passkey-statements.ts'
import type { PayoutPolicy } from '../../domain/payout-policy.ts'
import type { Place, PolicyChange } from '../../domain/policy-changes.ts'
import type { Assertion } from '../../domain/webauthn.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { checkAssertion, checkTrustedAssertion, type Speaker } from '../people/check-assertion.ts'
import type { SignedText } from './propose-change.ts'

const signedForMs = 10 * 60_000

/** A passkey's signature, and when it was requested. */
export type Signed = { readonly assertion: Assertion; readonly at: Date }
type Says = Pick<Speaker, 'caller'>

/** What a passkey signs to change the policy. */
export function policyStatement(
  { caller: { environment, merchantId, merchant } }: Says,
  policy: PayoutPolicy,
  at: Date,
): PolicyStatement {
  return { kind: 'policy', environment, merchantId, baseCurrency: merchant.baseCurrency, policy, at }
}

/** What a passkey signs to allow payouts to a destination, or to allow them no longer. */
export function destinationStatement(
  { caller: { environment, merchantId } }: Says,
  place: Place,
  isAllowed: boolean,
  at: Date,
): DestinationStatement {
  return { kind: 'destination', environment, merchantId, ...place, isAllowed, at }
}

/** What a passkey signs to withdraw a change: the policy in force again, or that the destination is not allowed. */
export function withdrawalStatement(
  says: Says,
  { wanted }: Pick<PolicyChange, 'wanted'>,
  inForce: PayoutPolicy,
  at: Date,
): PolicyStatement | DestinationStatement {
  return wanted.kind === 'policy'
    ? policyStatement(says, inForce, at)
    : destinationStatement(says, wanted.place, false, at)
}

/** The statement with its signature, verified. While passkeys are in force, the signer has to trust the passkey. */
export async function checkSigned(
  app: Pick<App, 'store' | 'now'>,
  speaker: Speaker,
  { approval }: Pick<PayoutPolicy, 'approval'>,
  statement: (at: Date) => PolicyStatement | DestinationStatement,
  signed: Signed | null,
): Promise<SignedText | null> {
  if (signed === null) return null
  const age = app.now().getTime() - signed.at.getTime()
  if (age < -signedForMs || age > signedForMs)
    throw new ServiceError('conflict', 'The passkey’s challenge is too old. Request a new one.')
  const said = statement(signed.at)
  const isTrusted = speaker.caller.environment === 'live' && approval === 'passkey'
  await (isTrusted ? checkTrustedAssertion : checkAssertion)(app, speaker, said, signed.assertion)
  return { text: statementText(said), assertion: signed.assertion }
}

/**
 * Tells the signers what was signed. Of two statements about the same thing they follow the newer one, so one that is older
 * than what they were told before is refused here.
 */
export async function tellSigners(
  app: Pick<App, 'now'>,
  tx: Store,
  merchantId: string,
  signed: SignedText | null,
): Promise<void> {
  if (signed === null) return
  const said = readStatement(signed.text)
  if (said?.kind !== 'policy' && said?.kind !== 'destination') throw new Error('This is told in another way.')
  const newest = await tx.passkeyEnrolments.newestAt(said)
  if (newest !== null && newest >= said.at)
    throw new ServiceError(
      'conflict',
      'Someone changed the same thing after you requested the challenge. Look at it again, then try again.',
    )
  await tx.passkeyEnrolments.state(uuidv7(app.now()), merchantId, signed.text, signed.assertion)
}
