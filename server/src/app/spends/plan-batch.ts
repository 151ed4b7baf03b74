import type { Payout } from '../../domain/payouts.ts'
import { type AccountPlan, hotKey, maxFeeOf, splitFee, type Work } from '../../domain/spends.ts'
import type { AccountSpending, Gate } from '../../gates/gate.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { claimAndInsert, type HotWallet } from './hot-wallet.ts'
import { nativeAsset } from './native-asset.ts'
import { raiseReserve, submitPayout } from './submit-payout.ts'

/**
 * Plans one transaction for these payouts of the network's own coin, which the caller holds, by the contract that pays many at
 * once. Those that their merchant cannot pay the fee of are left out; with fewer than two nothing is planned. Payouts as they
 * are then replace those in `held`; what was planned is taken out of it. Returns how many were.
 */
export async function planBatch(
  app: App,
  tx: Store,
  gate: Gate,
  { multisend }: AccountSpending,
  hot: HotWallet,
  held: Map<string, Payout>,
  ids: readonly string[],
  work: Work,
): Promise<number> {
  if (multisend === undefined) return 0
  let candidates = ids.flatMap((id) => held.get(id) ?? [])
  // Each round either plans or leaves at least one payout out.
  while (candidates.length > 1) {
    const plan = draft(gate, hot, multisend.address, candidates, work)
    const free = hot.units.get(plan.currency) ?? 0n
    if (free < plan.units + maxFeeOf(plan)) return 0
    const share = splitFee(maxFeeOf(plan), candidates.length)[0] ?? maxFeeOf(plan)
    const reserved: Payout[] = []
    for (const payout of candidates) {
      const raised = await raiseReserve(app, tx, payout, share)
      if (raised === null) continue
      held.set(raised.id, raised)
      reserved.push(raised)
    }
    if (reserved.length === candidates.length) {
      const spendId = await claimAndInsert(app, tx, gate, hot, 'payout', plan)
      for (const payout of reserved) {
        await submitPayout(app, tx, payout, spendId)
        held.delete(payout.id)
      }
      return reserved.length
    }
    candidates = reserved
  }
  return 0
}

function draft(
  gate: Gate,
  hot: HotWallet,
  contract: string,
  payouts: readonly Payout[],
  work: Work,
): AccountPlan {
  return {
    ...{ kind: 'account', from: { address: hot.address, key: hotKey }, nonce: 0n },
    ...{ to: { address: contract, tag: null }, currency: nativeAsset(gate).currency, contractAddress: null },
    units: payouts.reduce((sum, { amountUnits }) => sum + amountUnits, 0n),
    ...{ ...work, gasPrice: hot.gasPrice, payoutId: null },
    outputs: payouts.map(({ id, destination, amountUnits }) => ({
      ...{ address: destination, units: amountUnits, payoutId: id },
    })),
  }
}
