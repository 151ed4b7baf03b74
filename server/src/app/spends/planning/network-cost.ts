import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { convertUnits } from '../../rates/convert-units.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'

/** The network fee, in each currency; null without a usable rate. */
export type NetworkCosts = ReadonlyMap<string, bigint | null>

/**
 * Converts an amount of native currency to each currency of the gate at current rates, rounded up; in the native currency it
 * stays the same. Call it before a transaction begins, as it may have to read rates.
 */
export async function costsIn(app: Pick<App, 'rates'>, gate: Gate, feeUnits: bigint): Promise<NetworkCosts> {
  const native = nativeAsset(gate)
  const costs = new Map<string, bigint | null>()
  for (const asset of gate.assets) {
    costs.set(
      asset.currency,
      asset.currency === native.currency
        ? feeUnits
        : await convertUnits(app, gate.environment, { units: feeUnits, from: native, to: asset }),
    )
  }
  return costs
}
