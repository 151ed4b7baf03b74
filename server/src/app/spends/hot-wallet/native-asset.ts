import type { LedgerAsset } from '../../../domain/ledger.ts'
import { type Gate, type GateAsset, nativeOf } from '../../../gates/gate.ts'

/** The native asset of a gate's network, in which its fees are paid. */
export function nativeAsset(gate: Gate): GateAsset {
  return nativeOf(gate.assets)
}

export function assetOn(gate: Gate, currency: string): GateAsset {
  const asset = gate.assets.find((each) => each.currency === currency)
  if (asset === undefined) throw new Error(`${gate.id} does not have ${currency}.`)
  return asset
}

export function ledgerAsset(gate: Gate, { currency, decimals }: GateAsset): LedgerAsset {
  return { environment: gate.environment, network: gate.network.id, currency, decimals }
}
