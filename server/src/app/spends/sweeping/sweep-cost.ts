import { feeOf } from '../../../domain/spends.ts'
import type { Gate, GateAsset, HotSpending } from '../../../gates/gate.ts'
import { ownGasBudget, usualGasBudget } from '../simulating/transfer-gas.ts'

/** The most that sweeping an address costs. Where it pays its own gas, an address with tokens is given some first. */
export async function sweepCost(
  gate: Gate,
  spending: HotSpending,
  asset: GateAsset,
  feeRate: bigint,
): Promise<bigint> {
  if (spending.kind === 'solana') return feeOf(spending.sweepBudget(asset, 1), feeRate)
  const own = feeOf(await ownGasBudget(gate, spending), feeRate)
  if (asset.contractAddress === null) return own
  return own + feeOf(await usualGasBudget(gate, spending, asset), feeRate)
}
