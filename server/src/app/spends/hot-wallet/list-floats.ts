import { formatDecimal } from '../../../domain/money.ts'
import type { App } from '../../app.ts'

/** An amount of a currency on a gate, as a decimal. */
export type Held = { readonly gateId: string; readonly currency: string; readonly amount: string }

/** The operator's float, and the unclaimed balances of hot wallets, on the gates that this process knows. */
export async function listFloats(
  app: Pick<App, 'store' | 'gates'>,
): Promise<{ readonly float: readonly Held[]; readonly free: readonly Held[] }> {
  const float: Held[] = []
  const free: Held[] = []
  for (const { gateId, currency, floatUnits, freeUnits } of await app.store.floats.list()) {
    const decimals = app.gates.find(gateId)?.assets.find((asset) => asset.currency === currency)?.decimals
    if (decimals === undefined) continue
    const held = (units: bigint): Held => ({ gateId, currency, amount: formatDecimal(units, decimals) })
    if (floatUnits !== null) float.push(held(floatUnits))
    if (freeUnits !== null) free.push(held(freeUnits))
  }
  return { float, free }
}
