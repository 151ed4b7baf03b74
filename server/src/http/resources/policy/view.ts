import type { Policy, PolicyRule, ProposedChange } from '@sluice/web/contract'
import type { ShownChange } from '../../../app/policy/list-changes.ts'
import { type PayoutPolicy, policyInWords } from '../../../domain/payout-policy.ts'
import type { PayoutDestination } from '../../../store/payouts/payout-policies.ts'
import { creatorView } from '../approval/view.ts'
import { reasonsView, time } from '../values.ts'
import { rulesView } from './rules-view.ts'

const rules: Readonly<Record<keyof PayoutPolicy, PolicyRule>> = {
  maxPayout: 'max_payout',
  maxDay: 'max_day',
  onlyKnownDestinations: 'only_known_destinations',
  approvalsRequired: 'approvals_required',
  coolingOffSeconds: 'cooling_off_seconds',
  approval: 'approval',
}

export function policyView(
  policy: PayoutPolicy,
  baseCurrency: string,
  pending: readonly ShownChange[],
  delayHours: number | null,
): Policy {
  return {
    ...rulesView(policy, baseCurrency),
    text: policyInWords(policy, baseCurrency),
    weakening_delay_hours: delayHours,
    pending_changes: pending.map(changeView),
  }
}

export function changeView({ change, approvals, mayNotBecause, names }: ShownChange): ProposedChange {
  const { wanted } = change
  return {
    id: change.id,
    status: change.status,
    policy: wanted.kind === 'policy' ? rulesView(wanted.policy, wanted.baseCurrency) : null,
    destination: wanted.kind === 'destination' ? { ...wanted.place, label: wanted.label } : null,
    relaxes: change.relaxes.map((rule) => rules[rule]),
    proposed_by: creatorView(change.proposedBy, names),
    proposed_at: change.proposedAt.toISOString(),
    approvals: approvals.map(({ approver, isByPasskey, approvedAt }) => ({
      by: approver,
      name: names.get(approver) ?? null,
      is_passkey: isByPasskey,
      approved_at: approvedAt.toISOString(),
    })),
    approvals_needed: change.approvalsNeeded,
    needs_passkey: change.statement !== null,
    may_approve: mayNotBecause === null,
    may_not_because: mayNotBecause,
    may_not_reasons: reasonsView(mayNotBecause),
    applies_at: time(change.appliesAt),
    ended_at: time(change.endedAt),
  }
}

export function destinationView({ createdAt, ...destination }: PayoutDestination) {
  return { ...destination, created_at: createdAt.toISOString() }
}
