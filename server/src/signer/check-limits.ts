import type { Environment } from '../domain/environment.ts'
import { say, sayAll } from '../domain/reasons/reasons.ts'
import {
  ceilingOf,
  type FeeKind,
  feeKindOf,
  isBounded,
  overFeeLimit,
  overLimit,
  type SpendingLimit,
} from '../domain/spending-limits.ts'
import { isCancelling, maxFeeOf, type Refusal } from '../domain/spends.ts'
import { nativeOf } from '../gates/gate.ts'
import type { PayoutToSign } from '../store/spends/signing.ts'
import { type Attempt, forGood, forNow } from './attempt.ts'
import type { Journal } from './journal.ts'
import type { Accepted } from './standing.ts'
import type { WalletNetwork } from './wallet.ts'

/** The signer's own limits, from its settings. */
export type SignerLimits = {
  readonly spending: readonly SpendingLimit[]
  /** Whether live payouts are signed only in currencies that a limit bounds. */
  readonly areRequired: boolean
  /** The highest fee of one transaction, by network. */
  readonly maxFees: ReadonlyMap<string, bigint>
  /** The highest fees of a day that no payout pays, by network and for each kind. */
  readonly maxFeesPerDay: ReadonlyMap<string, bigint>
}

/** All limits that count at a moment, the newest last. Each of them must allow a transaction. */
export type StandingLimits = readonly (SignerLimits & Pick<Accepted, 'from'>)[]

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Why the fee of a plan is not one that the signer pays, regardless of what was signed before; null when it is. */
export function feeObjection(
  { plan }: Pick<Attempt, 'plan'>,
  { network, hasDataFee }: WalletNetwork,
  { maxFees }: SignerLimits,
): string | null {
  if (plan.kind === 'account' && plan.dataFeeUnits !== undefined && !hasDataFee)
    return `The plan has a data fee, and there is no data fee on ${network.name}.`
  const ceiling = ceilingOf(maxFees, network.id)
  // The gas by itself: nothing else in a plan can make room for it.
  const gasUnits = plan.kind === 'account' ? plan.gasLimit * plan.gasPrice : 0n
  return gasUnits > ceiling || maxFeeOf(plan) > ceiling ? say('fee_too_high') : null
}

/** What a transaction adds to the total that has left. Of transactions that rule each other out, only the highest fee counts. */
export function addedBy(
  journal: Pick<Journal, 'ofPayout' | 'addedFee'>,
  { spendId, plan }: Pick<Attempt, 'spendId' | 'plan'>,
  native: string,
  payouts: readonly PayoutToSign[],
): ReadonlyMap<string, bigint> {
  const value = new Map<string, bigint>()
  const add = (currency: string, units: bigint) => value.set(currency, (value.get(currency) ?? 0n) + units)
  for (const { id, currency, amountUnits } of isCancelling(plan) ? [] : payouts)
    if (journal.ofPayout(id).every(({ cancels }) => cancels)) add(currency, amountUnits)
  const fee = journal.addedFee(spendId, maxFeeOf(plan))
  if (fee > 0n) add(native, fee)
  return value
}

/** Which limit an attempt would exceed; null when it exceeds none. Every limit is looked at for every attempt. */
export function limitObjection(
  journal: Journal,
  environment: Environment,
  attempt: Attempt,
  walletNetwork: WalletNetwork,
  limits: SignerLimits,
  payouts: readonly PayoutToSign[],
  value: ReadonlyMap<string, bigint>,
  ownNow: Date,
): Refusal | null {
  const { gateId, plan } = attempt
  const { network } = walletNetwork
  const paid = isCancelling(plan) ? [] : payouts
  const unbounded = paid.find(
    ({ currency }) => !isBounded(limits.spending, { network: network.id, environment, currency }),
  )
  if (environment === 'live' && limits.areRequired && unbounded !== undefined)
    return forNow(say('limit_missing', { currency: unbounded.currency, network: network.name }))
  const own = limits.spending.filter(
    (limit) => limit.network === network.id && (limit.environment ?? environment) === environment,
  )
  for (const currency of new Set([...paid.map((each) => each.currency), ...value.keys()])) {
    const since = (span: number) => journal.spentSince(gateId, currency, ownNow.getTime() - span)
    const over = overLimit(own, {
      currency,
      payoutUnits: paid.filter((each) => each.currency === currency).map((each) => each.amountUnits),
      addedUnits: value.get(currency) ?? 0n,
      lastHourUnits: since(hourMs),
      lastDayUnits: since(dayMs),
    })
    if (over !== null) return exceeding(over.limit, over.passes && attempt.kind !== 'cold')
  }
  return feeLimitObjection(journal, attempt, walletNetwork, limits, ownNow)
}

/** Which daily limit of fees an attempt would exceed. A payout's fee is part of what was approved. */
function feeLimitObjection(
  journal: Journal,
  attempt: Attempt,
  { network, assets }: WalletNetwork,
  { maxFeesPerDay }: SignerLimits,
  ownNow: Date,
): Refusal | null {
  const kind: FeeKind | null = feeKindOf(attempt.kind, attempt.plan)
  if (kind === null) return null
  const over = overFeeLimit(network.id, nativeOf(assets), kind, {
    limitUnits: ceilingOf(maxFeesPerDay, network.id),
    lastDayUnits: journal.feesSince(attempt.gateId, kind, ownNow.getTime() - dayMs),
    addedUnits: journal.addedFee(attempt.spendId, maxFeeOf(attempt.plan)),
  })
  if (over === null) return null
  // A move to the cold wallet can be planned again at any time. Until it is given up, payouts with a later nonce wait.
  return exceeding(over.limit, over.passes && attempt.kind !== 'cold')
}

function exceeding(limit: string, passes: boolean): Refusal {
  const reason = say('over_signers_limit', { limit })
  return passes ? forNow(sayAll(reason, say('signed_later'))) : forGood(reason)
}
