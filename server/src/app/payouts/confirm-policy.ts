import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { type PolicyStatement, statementText } from '../../domain/passkey-statements.ts'
import type { PayoutPolicy } from '../../domain/payout-policy.ts'
import type { Assertion } from '../../domain/webauthn.ts'
import type { App } from '../app.ts'
import { checkAssertion, checkTrustedAssertion, type Speaker } from '../people/check-assertion.ts'
import { setPolicy } from './set-policy.ts'

const signedForMs = 10 * 60_000

/** A passkey's signature of a policy, and when it was requested. */
export type SignedPolicy = { readonly assertion: Assertion; readonly at: Date }

/** What a passkey signs to change the policy. */
export function policyStatement(
  { caller: { environment, merchantId, merchant } }: Pick<Speaker, 'caller'>,
  policy: PayoutPolicy,
  at: Date,
): PolicyStatement {
  return { kind: 'policy', environment, merchantId, baseCurrency: merchant.baseCurrency, policy, at }
}

/**
 * Changes the policy in a person's name. If live payouts are approved with passkeys, a passkey that the signer trusts must
 * sign the change, since the signer accepts nothing else.
 */
export async function confirmPolicy(
  app: App,
  speaker: Speaker,
  after: PayoutPolicy,
  signed: SignedPolicy | null,
): Promise<PayoutPolicy> {
  const { caller } = speaker
  const { merchantId, environment, person } = caller
  if (person === null) throw new Error('Only people change the policy here.')
  const before = await app.store.payoutPolicies.find(caller)
  const asksPasskey = environment === 'live' && before.approval === 'passkey'
  if (asksPasskey && signed === null)
    throw new ServiceError(
      'conflict',
      'Payouts of this merchant are approved with passkeys, so this change needs a passkey that the signer trusts. Request its challenge first.',
    )
  if (signed === null) return setPolicy(app, person, caller, () => after)
  const age = app.now().getTime() - signed.at.getTime()
  if (age < -signedForMs || age > signedForMs)
    throw new ServiceError('conflict', 'The passkey’s challenge is too old. Request a new one.')
  const said = policyStatement(speaker, after, signed.at)
  await (asksPasskey ? checkTrustedAssertion : checkAssertion)(app, speaker, said, signed.assertion)
  return setPolicy(
    app,
    person,
    caller,
    () => after,
    (tx) => tx.passkeyEnrolments.state(uuidv7(app.now()), merchantId, statementText(said), signed.assertion),
  )
}
