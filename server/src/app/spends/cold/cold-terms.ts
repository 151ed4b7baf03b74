import type { ColdPolicy } from '../../../domain/cold-wallets.ts'
import { ceilingOf } from '../../../domain/spending-limits.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { usableRate } from '../../rates/price.ts'

/** What came of an attempt to move funds; `noRate` names a currency whose value is unknown. */
export type ColdOutcome =
  | 'moved'
  | 'nothing'
  | 'no float'
  | { readonly noRate: string }
  | { readonly refused: string }

/** Whether a move may be planned in this transaction: none is open, no payout is due, and the day's fees allow it. */
export async function mayMove(
  app: Pick<App, 'spending'>,
  tx: Store,
  gate: Gate,
  feeUnits: bigint,
): Promise<boolean> {
  if ((await tx.coldMoves.isBlocked(gate.id)) || (await tx.payouts.waitingOn(gate.id)).isDue) return false
  const limit = ceilingOf(app.spending.maxFeesPerDay, gate.network.id)
  return (
    feeUnits <= ceilingOf(app.spending.maxFees, gate.network.id) &&
    (await tx.coldMoves.feesOfDay(gate.id)) + feeUnits <= limit
  )
}

/** The rate of each of these currencies in the policy's fiat currency; or the first that has no usable one. */
export async function ratesOf(
  app: Pick<App, 'rates'>,
  gate: Gate,
  { currency }: ColdPolicy,
  held: readonly string[],
): Promise<ReadonlyMap<string, bigint> | { readonly noRate: string }> {
  const rates = new Map<string, bigint>()
  for (const each of held) {
    const rate = await usableRate(app, gate.environment, each, currency)
    if (rate === null) return { noRate: each }
    rates.set(each, rate.rate)
  }
  return rates
}

// A move whose fee is more than this part of it waits until there is more to move, or fees fall.
const leastTimesFee = 100n

/** Whether a move is worth its fee. */
export function isWorthwhile(units: bigint, feeUnits: bigint): boolean {
  return units >= feeUnits * leastTimesFee
}
