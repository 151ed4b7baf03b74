import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { convertUnits } from '../rates/convert-units.ts'
import { nativeAsset } from './native-asset.ts'

/** By currency: what the network takes, in it; null without a usable rate. */
export type NetworkCosts = ReadonlyMap<string, bigint | null>

/**
 * What an amount of the network's own coin is in each currency of the gate, rounded up: the same number in that coin
 * itself, converted at present rates in its tokens. Asked before a transaction begins, as rates may have to be read.
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
