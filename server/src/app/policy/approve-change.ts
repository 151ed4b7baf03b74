import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { readStatement } from '../../domain/passkey-statements.ts'
import {
  changeApproverObjection,
  type PolicyChange,
  proposeAgain,
  staleness,
} from '../../domain/policy-changes.ts'
import type { Assertion } from '../../domain/webauthn.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { checkAssertion, checkTrustedAssertion, type Speaker } from '../people/check-assertion.ts'
import { agree, dueAtOnce } from './propose-change.ts'
import { tellChange } from './tell-change.ts'
import { changeDetails } from './wanted-in-words.ts'

export function noSuchChange(): ServiceError {
  return new ServiceError('not_found', 'There is no such change of the payout policy.')
}

/** The statement that everyone who approves a change signs. Throws where none is asked for. */
export function statementOf({ statement }: Pick<PolicyChange, 'statement'>) {
  const said = statement === null ? null : readStatement(statement)
  if (said === null)
    throw new ServiceError('conflict', 'This change is approved without a passkey. Send no assertion.')
  return said
}

/** Approves a change in a person's name. The last approval that it needs starts the wait. */
export async function approveChange(
  app: App,
  speaker: Speaker,
  id: string,
  assertion: Assertion | null,
): Promise<PolicyChange> {
  const { caller } = speaker
  const { person, merchantId, environment } = caller
  if (person === null) throw new Error('Only people approve changes of the policy.')
  const seen = await app.store.policyChanges.find(caller, id)
  if (seen === null) throw noSuchChange()
  await checkApproval(app, speaker, seen, assertion)
  return app.transaction(async (tx) => {
    await tx.members.hold(merchantId)
    const change = await tx.policyChanges.find(caller, id)
    if (change === null) throw noSuchChange()
    const approvals = await tx.policyChanges.approvals(id)
    const standing = await tx.members.standing(merchantId, speaker.person.userId)
    const objection = changeApproverObjection(change, approvals, {
      actor: caller.actor,
      role: standing?.role ?? null,
      approverSince: standing?.approverSince ?? null,
    })
    if (objection !== null) throw new ServiceError('conflict', objection)
    const inForce = await tx.payoutPolicies.lock(caller)
    const merchant = await tx.merchants.find(merchantId)
    const given = approvals.length + 1
    const enough = Math.max(given, change.approvalsNeeded)
    const stale = staleness(change, enough, inForce, merchant?.baseCurrency ?? '')
    if (stale !== null) throw new ServiceError('conflict', `${stale} ${proposeAgain}`)
    await tx.policyChanges.approve(id, caller.actor, assertion, app.now())
    if (assertion !== null && change.statement !== null)
      await tx.passkeyEnrolments.state(uuidv7(app.now()), merchantId, change.statement, assertion)
    const approved = given < change.approvalsNeeded ? change : await agree(app, tx, change)
    if (approved.status === 'waiting')
      await tellChange(app, tx, approved, { stage: 'agreed', by: person.name, inForce })
    await noteAct(tx, person, merchantId, {
      environment,
      action: 'policy.change_approved',
      subject: id,
      details: {
        ...changeDetails(change),
        passkey: assertion !== null,
        applies_at: approved.appliesAt?.toISOString() ?? null,
      },
    })
    return dueAtOnce(app, tx, approved)
  })
}

async function checkApproval(
  app: App,
  speaker: Speaker,
  change: PolicyChange,
  assertion: Assertion | null,
): Promise<void> {
  if (assertion === null) {
    if (change.statement === null) return
    throw new ServiceError(
      'conflict',
      'This change is approved with a passkey that the signer trusts. Request its challenge first.',
    )
  }
  const said = statementOf(change)
  const { approval } = await app.store.payoutPolicies.find(speaker.caller)
  await (approval === 'passkey' ? checkTrustedAssertion : checkAssertion)(app, speaker, said, assertion)
}
