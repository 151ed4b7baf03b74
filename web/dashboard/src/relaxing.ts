import type { PolicyRule, ProposedPolicy } from '@sluice/web/contract'
import { compareDecimals } from './decimals.ts'

type Rules = Omit<ProposedPolicy, 'base_currency'>

/** The rules of a policy, in the order in which pages show them. */
export const policyRules: readonly PolicyRule[] = [
  'approvals_required',
  'approval',
  'max_payout',
  'max_day',
  'only_known_destinations',
  'cooling_off_seconds',
]

/** The rules that a change would relax. The service decides; this only says so before the change is sent. */
export function relaxedRules(before: Rules, after: Rules): PolicyRule[] {
  return policyRules.filter((rule) => relaxes[rule](before, after))
}

/** The rules that differ. */
export function changedRules(before: Rules, after: Rules): PolicyRule[] {
  return policyRules.filter((rule) => before[rule] !== after[rule])
}

const relaxes: Readonly<Record<PolicyRule, (before: Rules, after: Rules) => boolean>> = {
  max_payout: (before, after) => isHigher(before.max_payout, after.max_payout),
  max_day: (before, after) => isHigher(before.max_day, after.max_day),
  only_known_destinations: (before, after) =>
    before.only_known_destinations && !after.only_known_destinations,
  approvals_required: (before, after) => after.approvals_required < before.approvals_required,
  cooling_off_seconds: (before, after) => after.cooling_off_seconds < before.cooling_off_seconds,
  approval: (before, after) => before.approval === 'passkey' && after.approval !== 'passkey',
}

/** Whether a limit rises. Null is no limit, and so the highest. */
function isHigher(before: string | null, after: string | null): boolean {
  return before !== null && (after === null || compareDecimals(after, before) > 0)
}
