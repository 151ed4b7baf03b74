import type { Caller } from '../../domain/caller.ts'
import {
  type ChangeApproval,
  changeApproverObjection,
  type PolicyChange,
} from '../../domain/policy-changes.ts'
import type { App } from '../app.ts'

/** A change with everything that a member has to see of it. */
export type ShownChange = {
  readonly change: PolicyChange
  readonly approvals: readonly ChangeApproval[]
  /** Why the caller cannot approve it; null when they can. */
  readonly mayNotBecause: string | null
  /** Display names of the people involved, where they have names. */
  readonly names: ReadonlyMap<string, string>
}

const maxListed = 100

/** The changes that are not in force yet, oldest first. */
export async function listOpenChanges(app: Pick<App, 'store'>, caller: Caller): Promise<ShownChange[]> {
  return shown(app, caller, await app.store.policyChanges.open(caller))
}

/** The newest changes, open and ended. */
export async function listChanges(app: Pick<App, 'store'>, caller: Caller): Promise<ShownChange[]> {
  return shown(app, caller, await app.store.policyChanges.list(caller, maxListed))
}

/** One change, as it is now. */
export async function showChange(
  app: Pick<App, 'store'>,
  caller: Caller,
  change: PolicyChange,
): Promise<ShownChange> {
  const [one] = await shown(app, caller, [change])
  if (one === undefined) throw new Error('A change was given but not shown.')
  return one
}

async function shown(
  { store }: Pick<App, 'store'>,
  caller: Caller,
  changes: readonly PolicyChange[],
): Promise<ShownChange[]> {
  const userId = caller.actor.startsWith('user:') ? caller.actor.slice('user:'.length) : null
  const standing =
    userId === null || changes.length === 0 ? null : await store.members.standing(caller.merchantId, userId)
  const member = {
    actor: caller.actor,
    role: standing?.role ?? null,
    approverSince: standing?.approverSince ?? null,
  }
  const approvalsOf = await store.policyChanges.approvalsOf(changes.map(({ id }) => id))
  const approvers = [...approvalsOf.values()].flat().map(({ approver }) => approver)
  const names = await store.approvalFacts.namesOf([
    ...new Set([...changes.map(({ proposedBy }) => proposedBy), ...approvers]),
  ])
  return changes.map((change) => {
    const approvals = approvalsOf.get(change.id) ?? []
    const mayNotBecause = changeApproverObjection(change, approvals, member)
    return { change, approvals, mayNotBecause, names }
  })
}
