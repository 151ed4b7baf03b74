import { policyInWords } from '../../domain/payout-policy.ts'
import type { PolicyChange, Wanted } from '../../domain/policy-changes.ts'
import { placeInWords } from '../payouts/read-destination.ts'

/** What a change wants, in sentences. */
export function wantedInWords(wanted: Wanted): string[] {
  if (wanted.kind === 'policy') return policyInWords(wanted.policy, wanted.baseCurrency)
  return [`Payouts to ${placeInWords(wanted.place)} are allowed.`]
}

/** What the audit log says about a change: what it wants, and which rules it relaxes or which destination it adds. */
export function changeDetails({ wanted, relaxes }: Pick<PolicyChange, 'wanted' | 'relaxes'>) {
  const change = wantedInWords(wanted)
  return wanted.kind === 'policy' ? { change, relaxes } : { change, destination: placeInWords(wanted.place) }
}
