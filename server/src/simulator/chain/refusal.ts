export type SimulationRefusalReason =
  /** A mined transaction spent the coin, or used the number, already. */
  | 'coin_spent'
  /** A waiting transaction uses the same and pays as much. */
  | 'fee_too_low'
  | 'mempool_full'
  /** The chain is not that long: the first block cannot be replaced. */
  | 'too_deep'
  /** A transaction to drop is unknown, or in a block that is not replaced. */
  | 'not_replaced'
  /** It spends an output that nothing pays. */
  | 'missing_coin'
  /** The account has used this number already. */
  | 'nonce_too_low'
  | 'insufficient_balance'
  /** More paid out than put in, a coin twice, more inputs or outputs than allowed. */
  | 'malformed'
  /** The network was told to reject it for good. */
  | 'ruled_out'
  /** What is in the chain cannot be ruled out. */
  | 'already_mined'

/** The rules of a simulated chain do not allow it; nothing was changed. */
export class SimulationRefusal extends Error {
  override readonly name = 'SimulationRefusal'
  readonly reason: SimulationRefusalReason

  constructor(reason: SimulationRefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}
