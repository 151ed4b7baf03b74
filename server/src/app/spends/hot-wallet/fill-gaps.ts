import { type AccountPlan, hotKey, maxFeeOf } from '../../../domain/spends.ts'
import { type Gate, GateOutageError } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { planInTurn } from '../planning/plan-alone.ts'
import { usingUp } from '../settling/cancel-refused.ts'
import { ownGasBudget } from '../simulating/transfer-gas.ts'
import { absorbHot } from './absorb-hot.ts'
import { type HotAccount, hotAccountOf } from './hot-account.ts'
import { claimAndInsert } from './hot-wallet.ts'
import { nativeAsset } from './native-asset.ts'

// A reorganisation frees a few nonces; the next run finds the rest.
const maxFilled = 20

/**
 * Fills nonces of hot wallets that are free on the chain although their spends have ended: until then, nothing after them
 * can be mined. A fill pays no one, and rules out any transaction signed for the nonce before. Checks gates where something
 * is on its way or due. Safe to run in several processes at once: a nonce is filled once. Returns how many fills were
 * planned. Skips a gate that does not answer until the next run.
 */
export async function fillGaps(app: App): Promise<number> {
  const gateIds = new Set([
    ...(await app.store.nonces.gatesWithOpen()),
    ...(await app.store.payouts.gatesWithDue()),
  ])
  let planned = 0
  for (const gateId of gateIds) {
    const gate = app.gates.find(gateId)
    if (gate === null || !app.gates.isOnline(gate.id)) continue
    const hot = hotAccountOf(gate)
    // Only transactions that are numbered leave gaps.
    if (hot?.kind !== 'account') continue
    try {
      planned += await fillGate(app, gate, hot)
    } catch (error) {
      if (!(error instanceof GateOutageError)) throw error
    }
  }
  return planned
}

async function fillGate(
  app: App,
  gate: Gate,
  hot: Extract<HotAccount, { kind: 'account' }>,
): Promise<number> {
  const address = hot.hotAddress
  const minedCount = await gate.nextNonce(address)
  if ((await gapFrom(app.store, gate, address, minedCount)) === null) return 0
  const [feeRate, budget] = [await gate.feeRate(), await ownGasBudget(gate, hot)]
  return planInTurn(app, gate, async (tx) => {
    await absorbHot(app, tx, gate, address)
    const units = await tx.holdings.lockHot(gate.id, [nativeAsset(gate).currency])
    const hot = { address, units, price: feeRate }
    for (let filled = 0; filled < maxFilled; filled++) {
      const nonce = await gapFrom(tx, gate, address, minedCount)
      if (nonce === null) return filled
      const plan = { ...usingUp(gate, { address, key: hotKey }, budget, feeRate), nonce } as AccountPlan
      // The waiting payouts report that filling it costs native currency.
      if ((units.get(plan.currency) ?? 0n) < maxFeeOf(plan)) return filled
      await claimAndInsert(app, tx, gate, hot, 'fill', plan)
      app.reports.filled(gate, nonce)
    }
    return maxFilled
  })
}

/** The lowest nonce that is free on the chain and belongs to no spend that may still use it; null when there is none. */
async function gapFrom(
  store: Store,
  gate: Gate,
  address: string,
  minedCount: bigint,
): Promise<bigint | null> {
  const next = await store.holdings.nextCount(gate.id, address)
  return store.nonces.unused(gate.id, address, minedCount, next)
}
