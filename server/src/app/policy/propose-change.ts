import type { Actor } from '../../domain/audit-log.ts'
import type { Environment } from '../../domain/environment.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import type { PayoutPolicy } from '../../domain/payout-policy.ts'
import { type PolicyChange, policyChangeTransitions, type Wanted } from '../../domain/policy-changes.ts'
import { powersOf } from '../../domain/roles.ts'
import { nextState } from '../../domain/transitions.ts'
import type { Assertion } from '../../domain/webauthn.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { applyChange } from './apply-changes.ts'
import { tellChange } from './tell-change.ts'
import { changeDetails } from './wanted-in-words.ts'

/** A statement's text, and the signature of a passkey that the caller has verified. */
export type SignedText = { readonly text: string; readonly assertion: Assertion }

/** Whether the operator acts, at the console. */
export function isOperator({ actor }: Pick<Actor, 'actor'>): boolean {
  return actor.startsWith('cli:')
}

/** Throws if live payouts are approved with passkeys, and a person changes their rules without one. */
export function demandSignature(
  environment: Environment,
  { approval }: Pick<PayoutPolicy, 'approval'>,
  by: Actor,
  signed: object | null,
): void {
  if (environment !== 'live' || approval !== 'passkey' || signed !== null || isOperator(by)) return
  throw new ServiceError(
    'conflict',
    'Payouts of this merchant are approved with passkeys, so this change needs a passkey that the signer trusts. Request its challenge first.',
  )
}

/**
 * Records a change that relaxes the policy in force. Proposing it is the first approval. The operator needs no second one,
 * and waits like everyone else. The caller holds the merchant, and has ended an open change that this one replaces.
 */
export async function proposeChange(
  app: Pick<App, 'now' | 'people' | 'assets' | 'weakeningDelayMs'>,
  tx: Store,
  by: Actor,
  proposal: Pick<PolicyChange, 'merchantId' | 'environment' | 'relaxes'> & {
    readonly wanted: Wanted
    readonly inForce: PayoutPolicy
    readonly signed: SignedText | null
  },
): Promise<PolicyChange> {
  const { merchantId, environment, relaxes, wanted, inForce, signed } = proposal
  await demandMember(tx, merchantId, by)
  const now = app.now()
  const change: PolicyChange = {
    id: uuidv7(now),
    merchantId,
    environment,
    wanted,
    relaxes,
    statement: signed?.text ?? null,
    proposedBy: by.actor,
    proposedAt: now,
    approvalsNeeded: isOperator(by) ? 1 : inForce.approvalsRequired,
    status: 'proposed',
    appliesAt: null,
    endedAt: null,
  }
  await tx.policyChanges.insert(change)
  await tx.policyChanges.approve(change.id, by.actor, signed?.assertion ?? null, now)
  const proposed = change.approvalsNeeded > 1 ? change : await agree(app, tx, change)
  await tellChange(app, tx, proposed, { stage: 'proposed', by: by.name, inForce })
  await noteAct(tx, by, merchantId, {
    environment,
    action: 'policy.change_proposed',
    subject: change.id,
    details: {
      ...changeDetails(change),
      approvals_needed: change.approvalsNeeded,
      applies_at: proposed.appliesAt?.toISOString() ?? null,
    },
  })
  return dueAtOnce(app, tx, proposed)
}

/** Throws if the proposer was removed or lost the role while the request was waiting: the proposal is an approval. */
async function demandMember(tx: Store, merchantId: string, by: Actor): Promise<void> {
  if (isOperator(by)) return
  const standing = await tx.members.standing(merchantId, by.actor.replace('user:', ''))
  if (standing === null || !powersOf[standing.role].has('policy:write'))
    throw new ServiceError('forbidden', 'Your role no longer allows to change the policy. Ask an owner.')
}

/** The last approval came: from now on the change waits. */
export async function agree(
  app: Pick<App, 'now' | 'weakeningDelayMs'>,
  tx: Store,
  change: PolicyChange,
): Promise<PolicyChange> {
  const status = nextState(policyChangeTransitions, change.status, 'agree')
  if (status === null) throw new Error(`A change that is ${change.status} cannot be agreed to.`)
  const agreed = { ...change, status, appliesAt: new Date(app.now().getTime() + app.weakeningDelayMs) }
  await tx.policyChanges.change(change.id, agreed)
  return agreed
}

/** Applies the change in the same transaction where the operator has set the delay to 0. */
export async function dueAtOnce(
  app: Pick<App, 'now' | 'people' | 'assets' | 'weakeningDelayMs'>,
  tx: Store,
  change: PolicyChange,
): Promise<PolicyChange> {
  return change.status === 'waiting' && app.weakeningDelayMs === 0 ? applyChange(app, tx, change) : change
}
