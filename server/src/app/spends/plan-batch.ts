import type { Payout } from '../../domain/payouts.ts'
import { type AccountPlan, claimsOf, hotKey, splitFee } from '../../domain/spends.ts'
import type { AccountSpending, Gate } from '../../gates/gate.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { claimAndInsert, type HotWallet } from './hot-wallet.ts'
import { nativeAsset } from './native-asset.ts'
import { raiseReserve, submitPayout } from './submit-payout.ts'
import type { Batch } from './try-batches.ts'

/**
 * Plans one transaction for these payouts, which the caller holds, by the contract that pays many at once. Those that their merchant
 * cannot pay the fee of are left out; with fewer than two nothing is planned. Payouts as they are then replace those in `held`; what
 * was planned is taken out of it. Returns how many were.
 */
export async function planBatch(
  app: App,
  tx: Store,
  gate: Gate,
  { multisend }: AccountSpending,
  hot: HotWallet,
  held: Map<string, Payout>,
  batch: Batch,
): Promise<number> {
  if (multisend === undefined) return 0
  let candidates = batch.payoutIds.flatMap((id) => held.get(id) ?? [])
  // Each round either plans or leaves at least one payout out.
  while (candidates.length > 1) {
    const plan = draft(hot, multisend.address, candidates, batch)
    if (!(await isThere(tx, gate, hot, plan))) return 0
    const share = splitFee(batch.costUnits, candidates.length)[0] ?? batch.costUnits
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

/** Whether the hot wallet has what it takes, and of a token the contract may take that much. */
async function isThere(tx: Store, gate: Gate, hot: HotWallet, plan: AccountPlan): Promise<boolean> {
  for (const [currency, units] of claimsOf(plan, nativeAsset(gate).currency))
    if (units > (hot.units.get(currency) ?? 0n)) return false
  if (plan.contractAddress === null) return true
  const { currency, to, units } = plan
  const allowed = await tx.allowances.of({
    gateId: gate.id,
    from: hot.address,
    spender: to.address,
    currency,
  })
  return units <= allowed.leftUnits
}

function draft(
  hot: HotWallet,
  contract: string,
  payouts: readonly Payout[],
  { asset, work }: Batch,
): AccountPlan {
  const { currency, contractAddress } = asset
  return {
    ...{ kind: 'account', from: { address: hot.address, key: hotKey }, nonce: 0n },
    ...{ to: { address: contract, tag: null }, currency, contractAddress },
    units: payouts.reduce((sum, { amountUnits }) => sum + amountUnits, 0n),
    ...{ ...work, gasPrice: hot.gasPrice, payoutId: null },
    outputs: payouts.map(({ id, destination, amountUnits }) => ({
      ...{ address: destination, units: amountUnits, payoutId: id },
    })),
  }
}
