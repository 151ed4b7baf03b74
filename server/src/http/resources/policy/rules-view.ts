import type { ProposedPolicy } from '@sluice/web/contract'
import type { PayoutPolicy } from '../../../domain/payout-policy.ts'
import { fiat } from '../values.ts'

/** What a policy says, rule by rule. */
export function rulesView(policy: PayoutPolicy, baseCurrency: string): ProposedPolicy {
  return {
    base_currency: baseCurrency,
    max_payout: fiat(policy.maxPayout, baseCurrency),
    max_day: fiat(policy.maxDay, baseCurrency),
    only_known_destinations: policy.onlyKnownDestinations,
    approvals_required: policy.approvalsRequired,
    cooling_off_seconds: policy.coolingOffSeconds,
    approval: policy.approval,
  }
}
