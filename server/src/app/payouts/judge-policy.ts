import { type PayoutPolicy, policyObjection } from '../../domain/payout-policy.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { Store } from '../../store/store.ts'

const dayMs = 24 * 60 * 60 * 1000

/** What of a payout the policy judges. */
type Judged = Pick<
  Payout,
  | 'merchantId'
  | 'environment'
  | 'network'
  | 'destination'
  | 'destinationTag'
  | 'amountInBaseCurrency'
  | 'baseCurrency'
>

/**
 * Why a merchant's policy does not allow a payout now, in words; null when it does. `besides` is the value of payouts that
 * would be approved before it.
 */
export async function objectionOfPolicy(
  tx: Store,
  payout: Judged,
  policy: PayoutPolicy,
  now: Date,
  besides = 0n,
): Promise<string | null> {
  const merchant = await tx.merchants.find(payout.merchantId)
  if (merchant === null) throw new Error(`The merchant ${payout.merchantId} of a payout does not exist.`)
  const { baseCurrency } = merchant
  return policyObjection(payout, policy, {
    baseCurrency,
    approvedInADay:
      policy.maxDay === null
        ? 0n
        : besides +
          (await tx.payouts.approvedValue({ ...payout, baseCurrency }, new Date(now.getTime() - dayMs))),
    destinationIsKnown:
      !policy.onlyKnownDestinations ||
      (await tx.payoutPolicies.knows(payout, {
        network: payout.network,
        address: payout.destination,
        tag: payout.destinationTag,
      })),
  })
}
