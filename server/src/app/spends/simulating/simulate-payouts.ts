import type { Payout } from '../../../domain/payouts.ts'
import { type Budget, feeOf } from '../../../domain/spends.ts'
import type { Gate, HotSpending } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { convertUnits } from '../../rates/convert-units.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { simulateTransfer, usualBudget } from './transfer-gas.ts'

const atOnce = 8

/** What the network says about a due payout: why it would refuse it, or what its transfer takes. */
export type Terms =
  | { readonly refused: string }
  | {
      readonly budget: Budget
      /** The most that costs, in the payout's own currency; null without a usable rate. */
      readonly costUnits: bigint | null
      /** False if the hot wallet has too little for it: then a simulation would only say that. */
      readonly isSimulated: boolean
    }

/**
 * Simulates each payout on networks where receivers or tokens may refuse, before anything is planned or signed. Returns the
 * result by payout id. No transaction is open meanwhile.
 */
export async function simulatePayouts(
  app: Pick<App, 'rates'>,
  gate: Gate,
  spending: HotSpending,
  due: readonly Payout[],
  { feeRate, free }: { feeRate: bigint; free: ReadonlyMap<string, bigint> },
): Promise<Map<string, Terms>> {
  const terms = new Map<string, Terms>()
  const waiting = [...due]
  const lane = async () => {
    for (let payout = waiting.shift(); payout !== undefined; payout = waiting.shift())
      terms.set(payout.id, await termsOf(app, gate, spending, payout, feeRate, free))
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return terms
}

async function termsOf(
  app: Pick<App, 'rates'>,
  gate: Gate,
  spending: HotSpending,
  { currency, destination, destinationTag: memo, amountUnits: units }: Payout,
  feeRate: bigint,
  free: ReadonlyMap<string, bigint>,
): Promise<Terms> {
  const asset = gate.assets.find((each) => each.currency === currency)
  // The operator may remove a token from a gate; other payouts must not wait for this one.
  if (asset === undefined) return { refused: `${gate.id} no longer carries ${currency}` }
  const native = nativeAsset(gate)
  const from = spending.hotAddress
  const isThere = from !== null && (free.get(currency) ?? 0n) >= units
  const simulated = isThere
    ? await simulateTransfer(gate, { from, to: destination, asset, units, memo })
    : null
  if (simulated !== null && 'refused' in simulated) return simulated
  const budget = simulated ?? (await usualBudget(gate, spending, asset, memo))
  const feeUnits = feeOf(budget, feeRate)
  const costUnits =
    currency === native.currency
      ? feeUnits
      : await convertUnits(app, gate.environment, { units: feeUnits, from: native, to: asset })
  return { budget, costUnits, isSimulated: simulated !== null || gate.simulateTransfer === undefined }
}
