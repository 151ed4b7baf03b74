import type { PayoutPolicy } from '../../domain/payout-policy.ts'
import type { PolicyChange } from '../../domain/policy-changes.ts'
import type { App } from '../app.ts'
import type { Speaker } from '../people/check-assertion.ts'
import { demandSignature } from '../policy/propose-change.ts'
import { checkSigned, policyStatement, type Signed } from '../policy/sign-change.ts'
import { setPolicy } from './set-policy.ts'

/**
 * Changes the policy in a person's name, or proposes the change. If live payouts are approved with passkeys, a passkey that
 * the signer trusts must sign it, since the signer accepts nothing else.
 */
export async function confirmPolicy(
  app: App,
  speaker: Speaker,
  after: PayoutPolicy,
  signed: Signed | null,
): Promise<PolicyChange | null> {
  const { caller } = speaker
  const { person } = caller
  if (person === null) throw new Error('Only people change the policy here.')
  const inForce = await app.store.payoutPolicies.find(caller)
  demandSignature(caller.environment, inForce, person, signed)
  const statement = (at: Date) => policyStatement(speaker, after, at)
  const said = await checkSigned(app, speaker, inForce, statement, signed)
  return setPolicy(app, person, caller, () => after, said)
}
