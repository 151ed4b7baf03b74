/** Why a payment belongs to no merchant for now. */
export type SuspenseReason =
  | 'dust'
  | 'missing_tag'
  | 'unknown_tag'
  | 'wrong_currency'
  | 'wrong_network'
  | 'unassigned_address'
  /** Sent to the hot wallet itself: the operator's own funds, for network fees. */
  | 'operator_float'
  /** Found at a deposit or change address of an earlier database: its owner is unknown. */
  | 'recovered'

/** Reasons that need a decision by a person. The operator's own funds need none. */
export type HeldReason = Exclude<SuspenseReason, 'operator_float'>

/**
 * `pending`: not deep enough in the chain yet. `held`: deep enough, without an owner. `released`: the operator credited it
 * to a merchant. `gone`: no longer in the chain or the mempool.
 */
export type SuspenseStatus = 'pending' | 'held' | 'released' | 'gone'

export function suspenseStatus(payment: {
  readonly isWaiting: boolean
  readonly blockHeight: bigint | null
  readonly isBooked: boolean
  readonly release: object | null
}): SuspenseStatus {
  if (!payment.isWaiting && payment.blockHeight === null) return 'gone'
  if (!payment.isBooked) return 'pending'
  return payment.release === null ? 'held' : 'released'
}
