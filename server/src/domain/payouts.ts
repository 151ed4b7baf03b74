import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import type { Environment } from './environment.ts'
import { divide } from './money.ts'
import type { GateId } from './networks/network.ts'
import type { TransitionTable } from './transitions.ts'

export const payoutStatuses = [
  'pending_approval',
  'approved',
  'processing',
  'completed',
  'failed',
  'cancelled',
] as const
export type PayoutStatus = (typeof payoutStatuses)[number]

/**
 * A person approves or cancels; the executor submits; the chain confirms, or proves that it never will. If a deep
 * reorganisation removes a confirmed payout for good, a person undoes it.
 */
export type PayoutTrigger = 'approve' | 'cancel' | 'submit' | 'confirm' | 'fail' | 'undo'

// Once submitted, funds may already be moving, so `processing` has no cancel.
export const payoutTransitions: TransitionTable<PayoutStatus, PayoutTrigger> = {
  pending_approval: { approve: 'approved', cancel: 'cancelled' },
  approved: { submit: 'processing', cancel: 'cancelled' },
  processing: { confirm: 'completed', fail: 'failed' },
  completed: { undo: 'failed' },
  failed: {},
  cancelled: {},
}

export type Payout = {
  readonly id: string
  readonly merchantId: string
  readonly environment: Environment
  readonly status: PayoutStatus
  readonly currency: string
  readonly network: string
  readonly gateId: GateId
  readonly decimals: number
  /** Exactly what the recipient gets. */
  readonly amountUnits: bigint
  /** The platform's fee; for a refund, the refund fee. */
  readonly feeUnits: bigint
  /** The reserve for the network until completion, then the actual network fee; in the payout's own currency. */
  readonly networkFeeUnits: bigint
  readonly reserveRaises: number
  readonly baseCurrency: string
  readonly amountInBaseCurrency: bigint | null
  readonly destination: string
  readonly destinationTag: string | null
  /** Whether the payout's creator has explicitly allowed a destination that a program controls. */
  readonly allowProgramAddress: boolean
  readonly description: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly idempotencyKey: string | null
  /** Who created it: `key:<id>`, `user:<id>` or `cli:<name>`. */
  readonly createdBy: string
  /** The refund that it pays, if any. */
  readonly refundId: string | null
  /** Why it is waiting at present. */
  readonly waitingReason: string | null
  readonly failureReason: string | null
  readonly spendId: string | null
  readonly txHash: string | null
  readonly approvedAt: Date | null
  readonly executableAt: Date | null
  readonly completedAt: Date | null
  readonly cancelledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const allBps = 10_000n

/** The platform's fee on a payout or refund, rounded up. It is charged on top: the recipient gets the whole amount. */
export function payoutFee(amountUnits: bigint, feeBps: number): bigint {
  return divide(amountUnits * BigInt(feeBps), allBps, 'up')
}

/** The largest amount that fits into these units together with the service's fee for it. */
export function mostPayable(units: bigint, feeBps: number): bigint {
  if (units <= 0n) return 0n
  const guess = (units * allBps) / (allBps + BigInt(feeBps))
  // The fee is rounded up to a unit, so the guess is at most one too much.
  return guess + payoutFee(guess, feeBps) <= units ? guess : guess - 1n
}

/** Everything the merchant is charged for a payout, as far as it is known. */
export function chargedUnits(payout: Pick<Payout, 'amountUnits' | 'feeUnits' | 'networkFeeUnits'>): bigint {
  return payout.amountUnits + payout.feeUnits + payout.networkFeeUnits
}

/** The reserve for the network that covers what it asks now: the present one as long as that does, otherwise a new estimate. */
export function coveringReserve(
  reservedUnits: bigint,
  now: { readonly askedUnits: bigint; readonly estimateUnits: bigint } | null,
): bigint {
  return now === null || now.askedUnits <= reservedUnits ? reservedUnits : now.estimateUnits
}

/**
 * Identifies exactly what an approval covers: this payout, this amount of this currency on this network, to this
 * destination and tag. The signer computes it again, so that nothing can change between approval and signature.
 */
export function approvalHash(
  payout: Pick<
    Payout,
    'id' | 'environment' | 'network' | 'currency' | 'amountUnits' | 'destination' | 'destinationTag'
  >,
): string {
  const { id, environment, network, currency, amountUnits, destination, destinationTag } = payout
  const covered = { id, environment, network, currency, amount_units: amountUnits.toString() }
  return createHash('sha256')
    .update(canonicalJson({ ...covered, destination, destination_tag: destinationTag }))
    .digest('hex')
}

export type RefundStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled'

/** A refund's status follows from the payout that pays it. */
export const refundStatusOf: Readonly<Record<PayoutStatus, RefundStatus>> = {
  pending_approval: 'pending',
  approved: 'pending',
  processing: 'processing',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}

export type Refund = {
  readonly id: string
  readonly invoiceId: string
  readonly idempotencyKey: string | null
  readonly createdAt: Date
  /** Holds all other details. */
  readonly payout: Payout
}
