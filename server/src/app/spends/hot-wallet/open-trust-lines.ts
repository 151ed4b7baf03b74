import { hotKey, maxFeeOf } from '../../../domain/spends.ts'
import { type Gate, type GateAsset, GateOutageError } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { accountPlan } from '../planning/account-plan.ts'
import { planInTurn } from '../planning/plan-alone.ts'
import { simulateTransfer } from '../simulating/transfer-gas.ts'
import { absorbHot } from './absorb-hot.ts'
import { hotObstacle } from './hot-obstacle.ts'
import { claimAndInsert } from './hot-wallet.ts'
import { nativeAsset } from './native-asset.ts'

// A trust line that the ledger did not make costs its fee: it is not tried again at once.
const againAfterMs = 3_600_000

/** What was found out about a trust line that is missing; null while it is on its way. */
export type MissingTrust = { readonly gate: Gate; readonly currency: string; readonly why: string | null }

/**
 * Plans the trust lines that hot wallets lack for the currencies of their gates, as far as their accounts can hold the reserve.
 * Returns those that are missing. Skips a gate that does not answer until the next run.
 */
export async function openTrustLines(app: App): Promise<readonly MissingTrust[]> {
  const missing: MissingTrust[] = []
  for (const gate of app.gates.list()) {
    if (gate.canHold === undefined || !app.gates.isOnline(gate.id)) continue
    try {
      for (const asset of gate.assets)
        if (asset.contractAddress !== null && !(await gate.canHold(asset)))
          missing.push({ gate, currency: asset.currency, why: await openTrustLine(app, gate, asset) })
    } catch (error) {
      if (!(error instanceof GateOutageError)) throw error
    }
  }
  return missing
}

/** Why a trust line cannot be made now; null where it is planned. */
async function openTrustLine(app: App, gate: Gate, asset: GateAsset): Promise<string | null> {
  const { spending } = gate
  if (spending.kind !== 'account' || spending.hotAddress === null) return 'the hot wallet is not known yet'
  const address = spending.hotAddress
  const issuer = spending.trustedFor?.(asset) ?? null
  if (issuer === null) return 'it has no issuer'
  const budget = await simulateTransfer(gate, { from: address, to: issuer, asset, units: 0n })
  if (budget === null || !('gasLimit' in budget))
    return budget !== null && 'refused' in budget ? budget.refused : 'the network cannot simulate it'
  const [price, minedCount] = [await gate.feeRate(), await gate.nextNonce(address)]
  const plan = accountPlan({
    from: { address, key: hotKey },
    to: { address: issuer, tag: null },
    asset,
    units: 0n,
    budget,
    gasPrice: price,
    payoutId: null,
  })
  let why: string | null = null
  await planInTurn(app, gate, async (tx) => {
    if (await tx.spends.hasRecent(gate.id, 'trust', asset.currency, againAfterMs)) return 0
    await absorbHot(app, tx, gate, address)
    const native = nativeAsset(gate).currency
    const units = await tx.holdings.lockHot(gate.id, [native, asset.currency])
    why = await hotObstacle(tx, gate, address, minedCount)
    if (why === null && (units.get(native) ?? 0n) < maxFeeOf(plan))
      why = `the hot wallet has too little ${native}`
    if (why !== null) return 0
    await claimAndInsert(app, tx, gate, { address, units, price }, 'trust', plan)
    return 1
  })
  return why
}
