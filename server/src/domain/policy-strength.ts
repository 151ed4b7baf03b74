import type { PayoutPolicy } from './payout-policy.ts'

/** The rules of a policy that a change would relax. Empty when the change only tightens them, or changes nothing. */
export function relaxedRules(before: PayoutPolicy, after: PayoutPolicy): (keyof PayoutPolicy)[] {
  const rules = Object.keys(relaxes) as (keyof PayoutPolicy)[]
  return rules.filter((rule) => relaxes[rule](before, after))
}

const relaxes: Readonly<Record<keyof PayoutPolicy, (before: PayoutPolicy, after: PayoutPolicy) => boolean>> =
  {
    maxPayout: (before, after) => isHigher(before.maxPayout, after.maxPayout),
    maxDay: (before, after) => isHigher(before.maxDay, after.maxDay),
    onlyKnownDestinations: (before, after) => before.onlyKnownDestinations && !after.onlyKnownDestinations,
    approvalsRequired: (before, after) => after.approvalsRequired < before.approvalsRequired,
    coolingOffSeconds: (before, after) => after.coolingOffSeconds < before.coolingOffSeconds,
    approval: (before, after) => before.approval === 'passkey' && after.approval !== 'passkey',
  }

/** The policy that allows only what both allow. Limits must be in the same currency. */
export function strictest(one: PayoutPolicy, other: PayoutPolicy): PayoutPolicy {
  return {
    maxPayout: lower(one.maxPayout, other.maxPayout),
    maxDay: lower(one.maxDay, other.maxDay),
    onlyKnownDestinations: one.onlyKnownDestinations || other.onlyKnownDestinations,
    approvalsRequired: Math.max(one.approvalsRequired, other.approvalsRequired),
    coolingOffSeconds: Math.max(one.coolingOffSeconds, other.coolingOffSeconds),
    approval: one.approval === 'passkey' ? one.approval : other.approval,
  }
}

/** Whether a limit rises. Null is no limit, and so the highest. */
function isHigher(before: bigint | null, after: bigint | null): boolean {
  return before !== null && (after === null || after > before)
}

function lower(one: bigint | null, other: bigint | null): bigint | null {
  return isHigher(one, other) ? one : other
}
