import { type Budget, hotKey } from '../../../domain/spends.ts'
import type { Gate, GateAsset, SolanaSpending } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import type { HotWallet } from '../hot-wallet/hot-wallet.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { noNonce } from '../hot-wallet/nonce-accounts.ts'
import { transferPlan } from '../planning/transfer-plan.ts'
import { costOf, type Lying, type SweepDraft, startSweep } from './start-sweep.ts'

/**
 * Plans one transaction that empties several deposit addresses. On Solana the hot wallet pays its fee, so the addresses need
 * no SOL of their own.
 */
export function draftTogether(
  gate: Gate,
  spending: SolanaSpending,
  { address, price }: Pick<HotWallet, 'address' | 'price'>,
  asset: GateAsset,
  group: readonly Lying[],
): SweepDraft {
  const budget: Budget = spending.sweepBudget(asset, group.length)
  const sweep = transferPlan(gate, {
    from: { address, key: hotKey },
    to: { address, tag: null },
    asset,
    units: group.reduce((sum, { units }) => sum + units, 0n),
    sources: group.map(({ address: source, position, units }) => ({
      address: source,
      key: { chain: 'deposit', index: position },
      units,
    })),
    budget,
    price,
    payoutId: null,
  })
  return { sweep, gas: null }
}

/**
 * Starts sweeps of these addresses, as many of them in a transaction as it holds. Stops at one that is
 * too dear, or where no nonce account is free. Returns how many were started, and why it stopped; null where all were.
 */
export async function sweepTogether(
  app: Pick<App, 'now'>,
  tx: Store,
  gate: Gate,
  spending: SolanaSpending,
  hot: HotWallet,
  asset: GateAsset,
  chosen: readonly Lying[],
  whyTooDear: (costUnits: bigint) => string | null,
): Promise<{ started: number; stopped: string | null }> {
  const most = spending.maxSources(asset)
  let started = 0
  for (let at = 0; at < chosen.length; at += most) {
    if (hot.nonces?.length === 0) return { started, stopped: noNonce }
    const group = chosen.slice(at, at + most)
    const draft = draftTogether(gate, spending, hot, asset, group)
    const stopped = whyTooDear(costOf(draft))
    if (stopped !== null) return { started, stopped }
    const paymentIds = group.flatMap((each) => each.paymentIds)
    await startSweep(app, tx, gate, hot, draft, { address: hot.address, paymentIds })
    started++
  }
  return { started, stopped: null }
}

/** What is free of the native currency in the hot wallet. */
export function freeNative(gate: Gate, { units }: HotWallet): bigint {
  return units.get(nativeAsset(gate).currency) ?? 0n
}
