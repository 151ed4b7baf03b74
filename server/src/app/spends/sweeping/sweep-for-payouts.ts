import { say, sayAll } from '../../../domain/reasons/reasons.ts'
import type { Gate, GateAsset, HotSpending, SolanaSpending } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { type HotWallet, inWords } from '../hot-wallet/hot-wallet.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { maxDeposits, maxSweeps, type SweepSimulations } from '../simulating/simulate-sweeps.ts'
import { costOf, draftSweep, gasToBring, type Lying, lyingOn, startSweep, worth } from './start-sweep.ts'
import { draftTogether, freeNative, sweepTogether } from './sweep-together.ts'

const sweeping = say('sweeping')

/**
 * Starts sweeps of deposit addresses until they, together with the running ones, cover the missing amount. Returns how many
 * were started, and the reason for the payouts that wait for them.
 */
export async function sweepForPayouts(
  app: App,
  tx: Store,
  gate: Gate,
  spending: HotSpending,
  hot: HotWallet,
  asset: GateAsset,
  missingUnits: bigint,
  simulations: SweepSimulations,
): Promise<{ started: number; reason: string }> {
  const native = nativeAsset(gate)
  let missing = missingUnits - (await tx.spends.underWay(gate.id, asset.currency))
  if (missing <= 0n) return { started: 0, reason: sweeping }
  if (spending.depositsAreHot) return { started: 0, reason: shortOf(hot, asset, missing) }

  const all = lyingOn(await tx.holdings.deposits(gate.id, gate.keychain, asset.currency, maxDeposits))
  if (spending.kind === 'solana')
    return sweepSolana(app, tx, gate, spending, hot, asset, missing, all, simulations)
  const left = await tx.unswept.gasLeft(
    gate.id,
    all.map(({ address }) => address),
  )
  let started = 0
  let refused = ''
  for (const lying of all) {
    if (missing <= 0n || started === maxSweeps) break
    const budget = simulations.of(asset.currency, lying.address)
    if (budget === null) continue
    if ('refused' in budget) {
      refused = say('deposit_stuck', { address: lying.address, detail: budget.refused })
      continue
    }
    const leftUnits = left.get(lying.address) ?? 0n
    const draft = draftSweep(gate, hot, asset, lying, { budget, ownGasBudget: simulations.own, leftUnits })
    if (draft === null) continue
    if (asset.contractAddress === null && lying.units <= costOf(draft) * worth) continue
    const gas = gasToBring(draft)
    if ((hot.units.get(native.currency) ?? 0n) < gas) return { started, reason: shortOf(hot, native, gas) }
    await startSweep(app, tx, gate, hot, draft, lying)
    missing -= draft.sweep.units
    started++
  }
  return { started, reason: missing <= 0n ? sweeping : sayAll(shortOf(hot, asset, missing), refused) }
}

/** The same on Solana, where a transaction empties several addresses. */
async function sweepSolana(
  app: App,
  tx: Store,
  gate: Gate,
  spending: SolanaSpending,
  hot: HotWallet,
  asset: GateAsset,
  missingUnits: bigint,
  all: readonly Lying[],
  simulations: SweepSimulations,
): Promise<{ started: number; reason: string }> {
  const chosen: Lying[] = []
  let missing = missingUnits
  let refused = ''
  for (const lying of all) {
    if (missing <= 0n || chosen.length === maxSweeps) break
    const budget = simulations.of(asset.currency, lying.address)
    if (budget === null) continue
    if ('refused' in budget) {
      refused = say('deposit_stuck', { address: lying.address, detail: budget.refused })
      continue
    }
    const alone = costOf(draftTogether(gate, spending, hot, asset, [lying]))
    if (asset.contractAddress === null && lying.units <= alone * worth) continue
    chosen.push(lying)
    missing -= lying.units
  }
  const { started, stopped } = await sweepTogether(app, tx, gate, spending, hot, asset, chosen, (cost) =>
    freeNative(gate, hot) < cost ? shortOf(hot, nativeAsset(gate), cost) : null,
  )
  const reason = stopped ?? (missing <= 0n ? sweeping : sayAll(shortOf(hot, asset, missing), refused))
  return { started, reason }
}

function shortOf(hot: HotWallet, asset: GateAsset, units: bigint): string {
  return say('hot_short', { amount: inWords(asset, units), address: hot.address })
}
