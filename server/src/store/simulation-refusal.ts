export type SimulationRefusalReason =
  /** A mined transaction spent the coin already. */
  | 'coin_spent'
  /** A waiting transaction spends the coin and pays as much. */
  | 'fee_too_low'
  | 'mempool_full'
  /** The chain is not that long: the first block cannot be replaced. */
  | 'too_deep'
  /** A transaction to drop is unknown, or in a block that is not replaced. */
  | 'not_replaced'

/** The rules of a simulated chain do not allow it; nothing was changed. */
export class SimulationRefusal extends Error {
  override readonly name = 'SimulationRefusal'
  readonly reason: SimulationRefusalReason

  constructor(reason: SimulationRefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}
