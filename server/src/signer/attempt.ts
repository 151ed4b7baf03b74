import type { Refusal, SpendPlan } from '../domain/spends.ts'
import type { UnsignedTransaction } from '../store/spends/spends.ts'

/** An attempt to be judged, with its plan as the signer has read it. */
export type Attempt = Omit<UnsignedTransaction, 'plan'> & { readonly plan: SpendPlan }

export function forGood(reason: string): Refusal {
  return { reason, isForGood: true }
}

export function forNow(reason: string): Refusal {
  return { reason, isForGood: false }
}
