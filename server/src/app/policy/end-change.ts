import type { Actor } from '../../domain/audit-log.ts'
import { type PolicyChange, policyChangeTransitions } from '../../domain/policy-changes.ts'
import { nextState } from '../../domain/transitions.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { tellChange } from './tell-change.ts'
import { changeDetails } from './wanted-in-words.ts'

/**
 * Ends a change that was not applied, and tells everyone who was told of it. The caller holds the merchant. A change that a
 * new proposal replaces is not told of: the mail about the new one says what matters.
 */
export async function endChange(
  app: Pick<App, 'now' | 'people' | 'assets'>,
  tx: Store,
  change: PolicyChange,
  end: {
    readonly trigger: 'withdraw' | 'supersede'
    readonly by: Actor
    readonly reason: string
    readonly isTold?: boolean
  },
): Promise<PolicyChange> {
  const { trigger, by, reason, isTold = true } = end
  const status = nextState(policyChangeTransitions, change.status, trigger)
  if (status === null) throw new Error(`A change that is ${change.status} cannot end.`)
  const ended = { ...change, status, endedAt: app.now() }
  await tx.policyChanges.change(change.id, ended)
  if (isTold) {
    const inForce = await tx.payoutPolicies.find(change)
    const stage = trigger === 'withdraw' ? 'withdrawn' : 'superseded'
    await tellChange(app, tx, ended, { stage, by: by.actor.startsWith('service:') ? null : by.name, inForce })
  }
  await noteAct(tx, by, change.merchantId, {
    environment: change.environment,
    action: trigger === 'withdraw' ? 'policy.change_withdrawn' : 'policy.change_superseded',
    subject: change.id,
    details: { reason, ...changeDetails(change) },
  })
  return ended
}

/** Supersedes every open change of a merchant: someone who could have stopped it is no longer there. */
export async function supersedeAll(
  app: Pick<App, 'now' | 'people' | 'assets'>,
  tx: Store,
  merchantId: string,
  by: Actor,
  reason: string,
): Promise<void> {
  for (const change of await tx.policyChanges.open({ merchantId, environment: 'live' }))
    await endChange(app, tx, change, { trigger: 'supersede', by, reason })
}
