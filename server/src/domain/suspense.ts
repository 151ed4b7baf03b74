/** Why a payment is nobody's for now. */
export type SuspenseReason =
  | 'dust'
  | 'missing_tag'
  | 'unknown_tag'
  | 'wrong_currency'
  | 'wrong_network'
  | 'unassigned_address'
  /** Sent to the hot wallet itself: the operator's, to pay networks from. */
  | 'operator_float'
  /** Found where an earlier database had been paid, or had sent its change: nobody knows whose it is. */
  | 'recovered'

/** Reasons that ask for a person: the operator's own coins are where they belong. */
export type HeldReason = Exclude<SuspenseReason, 'operator_float'>

/**
 * `pending`: not deep enough in the chain yet. `held`: it is, and belongs to nobody. `released`: the operator gave it to a
 * merchant. `gone`: the chain does not have it any more.
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
