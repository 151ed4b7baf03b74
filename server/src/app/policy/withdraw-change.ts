import { ServiceError } from '../../domain/errors.ts'
import { isOpen, type PolicyChange } from '../../domain/policy-changes.ts'
import type { App } from '../app.ts'
import type { Speaker } from '../people/check-assertion.ts'
import { noSuchChange } from './approve-change.ts'
import { endChange } from './end-change.ts'
import { demandSignature } from './propose-change.ts'
import { checkSigned, type Signed, tellSigners, withdrawalStatement } from './sign-change.ts'

/** An open change of the caller's merchant. */
export async function openChange(
  { store }: Pick<App, 'store'>,
  { caller }: Pick<Speaker, 'caller'>,
  id: string,
): Promise<PolicyChange> {
  const change = await store.policyChanges.find(caller, id)
  if (change === null) throw noSuchChange()
  if (!isOpen(change)) throw ended(change)
  return change
}

/** Stops a change that is not in force yet, in a person's name. */
export async function withdrawChange(
  app: App,
  speaker: Speaker,
  id: string,
  signed: Signed | null,
): Promise<PolicyChange> {
  const { caller } = speaker
  const { person, merchantId, environment } = caller
  if (person === null) throw new Error('Only people withdraw changes of the policy.')
  const seen = await openChange(app, speaker, id)
  const inForce = await app.store.payoutPolicies.find(caller)
  const statement = (at: Date) => withdrawalStatement(speaker, seen, inForce, at)
  const said = await checkSigned(app, speaker, inForce, statement, signed)
  return app.transaction(async (tx) => {
    await tx.members.hold(merchantId)
    const change = await tx.policyChanges.find(caller, id)
    if (change === null) throw noSuchChange()
    if (!isOpen(change)) throw ended(change)
    demandSignature(environment, await tx.payoutPolicies.lock(caller), person, said)
    await tellSigners(app, tx, merchantId, said)
    return endChange(app, tx, change, { trigger: 'withdraw', by: person, reason: 'A member withdrew it.' })
  })
}

function ended({ status }: PolicyChange): ServiceError {
  return new ServiceError(
    'conflict',
    status === 'applied'
      ? 'The change is in force already. Change the policy again.'
      : `The change is ${status} already.`,
  )
}
