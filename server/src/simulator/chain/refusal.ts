export type SimulationRefusalReason =
  /** A mined transaction has already spent the coin, or used the nonce. */
  | 'coin_spent'
  /** A waiting transaction uses the same and pays at least as much. */
  | 'fee_too_low'
  | 'mempool_full'
  /** The chain is not that long: the first block cannot be replaced. */
  | 'too_deep'
  /** A transaction to drop is unknown, or in a block that is not replaced. */
  | 'not_replaced'
  /** It spends an output that does not exist. */
  | 'missing_coin'
  /** The account has already used this nonce. */
  | 'nonce_too_low'
  | 'insufficient_balance'
  /** It pays more than it spends, spends a coin twice, or has too many inputs or outputs. */
  | 'malformed'
  /** The network was told to reject it for good. */
  | 'ruled_out'
  /** A mined transaction cannot be ruled out. */
  | 'already_mined'

/**
 * The rules of a simulated chain do not allow it. Nothing was changed, except that refusing an account's transaction as
 * `ruled_out` uses up its nonce.
 */
export class SimulationRefusal extends Error {
  override readonly name = 'SimulationRefusal'
  readonly reason: SimulationRefusalReason

  constructor(reason: SimulationRefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}
