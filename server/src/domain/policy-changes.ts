import type { Environment } from './environment.ts'
import type { PayoutPolicy } from './payout-policy.ts'
import { relaxedRules } from './policy-strength.ts'
import { say } from './reasons/reasons.ts'
import { powersOf, type Role } from './roles.ts'
import type { TransitionTable } from './transitions.ts'

export const policyChangeStatuses = ['proposed', 'waiting', 'applied', 'withdrawn', 'superseded'] as const
export type PolicyChangeStatus = (typeof policyChangeStatuses)[number]

/**
 * `agree`: the last approval that it needs. `apply`: its time has come. `withdraw`: a person stops it. `supersede`: another
 * change of the policy or of the team takes its place.
 */
export type PolicyChangeTrigger = 'agree' | 'apply' | 'withdraw' | 'supersede'

export const policyChangeTransitions: TransitionTable<PolicyChangeStatus, PolicyChangeTrigger> = {
  proposed: { agree: 'waiting', withdraw: 'withdrawn', supersede: 'superseded' },
  waiting: { apply: 'applied', withdraw: 'withdrawn', supersede: 'superseded' },
  applied: {},
  withdrawn: {},
  superseded: {},
}

/** A destination, as payouts name it. */
export type Place = { readonly network: string; readonly address: string; readonly tag: string | null }

/** What a change is about. */
export type Wanted =
  | {
      readonly kind: 'policy'
      /** The currency of the limits. */
      readonly baseCurrency: string
      readonly policy: PayoutPolicy
    }
  | { readonly kind: 'destination'; readonly place: Place; readonly label: string | null }

/** A change that relaxes a live payout policy, and is not in force before it is applied. */
export type PolicyChange = {
  readonly id: string
  readonly merchantId: string
  readonly environment: Environment
  readonly wanted: Wanted
  /** The rules that it relaxes; empty for a destination. */
  readonly relaxes: readonly (keyof PayoutPolicy)[]
  /** The text that each approver's passkey signs; null where none is asked for. */
  readonly statement: string | null
  /** `user:<id>` or `cli:<name>`. */
  readonly proposedBy: string
  readonly proposedAt: Date
  readonly approvalsNeeded: number
  readonly status: PolicyChangeStatus
  /** Null while approvals are missing. */
  readonly appliesAt: Date | null
  readonly endedAt: Date | null
}

export type ChangeApproval = {
  readonly approver: string
  readonly isByPasskey: boolean
  readonly approvedAt: Date
}

/** Whether a change still lies ahead. */
export function isOpen({ status }: Pick<PolicyChange, 'status'>): boolean {
  return status === 'proposed' || status === 'waiting'
}

/** Why a member cannot approve a change, in words for that member; null when they can. */
export function changeApproverObjection(
  change: Pick<PolicyChange, 'status' | 'proposedAt'>,
  approvals: readonly Pick<ChangeApproval, 'approver'>[],
  member: { readonly actor: string; readonly role: Role | null; readonly approverSince: Date | null },
): string | null {
  if (change.status === 'applied') return say('change_applied')
  if (change.status === 'withdrawn') return say('change_withdrawn')
  if (change.status === 'superseded') return say('change_superseded')
  if (approvals.some(({ approver }) => approver === member.actor)) return say('change_approved_already')
  if (change.status === 'waiting') return say('change_has_approvals')
  if (member.role === null || !powersOf[member.role].has('payouts:approve')) return say('change_role')
  // Else one person could propose a change and then appoint a second one to approve it.
  if (member.approverSince === null || member.approverSince >= change.proposedAt)
    return say('change_new_approver')
  return null
}

/**
 * Why a change must not be applied to the policy in force now, in words; null when it can be. It was judged against the
 * policy of the time when it was proposed, and the signer or a new passkey may have tightened that since.
 */
export function staleness(
  change: Pick<PolicyChange, 'wanted' | 'relaxes' | 'statement' | 'proposedBy'>,
  approvals: number,
  inForce: PayoutPolicy,
  baseCurrency: string,
): string | null {
  const { wanted, relaxes, statement, proposedBy } = change
  if (wanted.kind === 'policy') {
    if (wanted.baseCurrency !== baseCurrency) return say('change_other_currency')
    if (relaxedRules(inForce, wanted.policy).some((rule) => !relaxes.includes(rule)))
      return say('change_tightened')
  }
  // The operator is at the console, where there is neither a second person nor a passkey.
  if (proposedBy.startsWith('cli:')) return null
  if (approvals < inForce.approvalsRequired || (inForce.approval === 'passkey' && statement === null))
    return say('change_lacks_approvals')
  return null
}

/** What a person can do about a change that must not be applied, or is approved too late. */
export const proposeAgain = say('change_propose_again')
