import type { Policy, PolicyRule, ProposedPolicy } from '@sluice/web/contract'
import type { Desk } from './desk.svelte.ts'

/** What a rule is called. */
export function ruleName({ t }: Desk, rule: PolicyRule, currency: string): string {
  switch (rule) {
    case 'approvals_required':
      return t('approvals_required')
    case 'approval':
      return t('approval_kind')
    case 'max_payout':
      return t('max_payout', { currency })
    case 'max_day':
      return t('max_day', { currency })
    case 'only_known_destinations':
      return t('only_known')
    case 'cooling_off_seconds':
      return t('cooling_off')
  }
}

/** What a policy says about a rule. */
export function ruleText({ t, fiat }: Desk, rule: PolicyRule, policy: ProposedPolicy): string {
  const limit = (amount: string | null) =>
    amount === null ? t('no_limit') : fiat(amount, policy.base_currency)
  switch (rule) {
    case 'approvals_required':
      return t(policy.approvals_required > 1 ? 'approvals_two' : 'approvals_one')
    case 'approval':
      return t(`approval_${policy.approval}`)
    case 'max_payout':
      return limit(policy.max_payout)
    case 'max_day':
      return limit(policy.max_day)
    case 'only_known_destinations':
      return t(policy.only_known_destinations ? 'yes' : 'no')
    case 'cooling_off_seconds':
      return t('hours', { count: policy.cooling_off_seconds / 3600 })
  }
}

/** What happens to a change that relaxes a policy. */
export function waitText({ t }: Desk, { approvals_required, weakening_delay_hours }: Policy): string {
  const hours = t('hours', { count: weakening_delay_hours ?? 0 })
  return t(approvals_required > 1 ? 'policy_waits_two' : 'policy_waits_one', { hours })
}
