import { policyInWords } from '../../domain/payout-policy.ts'
import type { Wanted } from '../../domain/policy-changes.ts'
import { placeInWords } from '../payouts/read-destination.ts'

/** What a change wants, in sentences. */
export function wantedInWords(wanted: Wanted): string[] {
  if (wanted.kind === 'policy') return policyInWords(wanted.policy, wanted.baseCurrency)
  return [`Payouts to ${placeInWords(wanted.place)} are allowed.`]
}
