import type { Payout } from '../../../domain/payouts.ts'
import { say } from '../../../domain/reasons/reasons.ts'
import { type Budget, claimsOf, hotKey } from '../../../domain/spends.ts'
import type { Gate, GateAsset } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { openTill } from '../../payouts/judge-backing.ts'
import { inTraceOfPayout } from '../../tracing/in-trace-of.ts'
import { absorbHot } from '../hot-wallet/absorb-hot.ts'
import type { HotAccount } from '../hot-wallet/hot-account.ts'
import { hotObstacle } from '../hot-wallet/hot-obstacle.ts'
import { claimAndInsert, type HotWallet } from '../hot-wallet/hot-wallet.ts'
import { assetOn, nativeAsset } from '../hot-wallet/native-asset.ts'
import { createNonces, freeNonces, type NonceGroundwork, noNonce } from '../hot-wallet/nonce-accounts.ts'
import type { Terms } from '../simulating/simulate-payouts.ts'
import type { SweepSimulations } from '../simulating/simulate-sweeps.ts'
import { sweepForPayouts } from '../sweeping/sweep-for-payouts.ts'
import { leaveUnbacked, letWait, raiseReserve, submitPayout } from './submit-payout.ts'
import { type HotPlan, transferPlan } from './transfer-plan.ts'

/** The network's answers from before the transaction began. */
export type Groundwork = {
  readonly feeRate: bigint
  /** How many transactions of the hot wallet are mined; null where they are not numbered. */
  readonly minedCount: bigint | null
  /** Null where transactions hold no nonce accounts. */
  readonly nonces: NonceGroundwork | null
  /** By payout; only these payouts are planned. */
  readonly payouts: ReadonlyMap<string, Terms>
  readonly sweeps: SweepSimulations
}

/**
 * Plans a transfer from the hot wallet for each due payout that it can pay, inside the caller's transaction, and sweeps
 * deposits for those that it cannot. Returns how many payouts and sweeps were started.
 */
export async function planTransfers(
  app: App,
  tx: Store,
  gate: Gate,
  spending: HotAccount,
  chain: Groundwork,
): Promise<number> {
  const due = await tx.payouts.claimOf([...chain.payouts.keys()])
  if (due.length === 0) return 0
  const native = nativeAsset(gate)
  const till = await openTill(app, tx, due)
  await absorbHot(app, tx, gate, spending.hotAddress)
  const units = await tx.holdings.lockHot(gate.id, [native.currency, ...due.map(({ currency }) => currency)])
  const nonces = await freeNonces(tx, gate, chain.nonces)
  const hot: HotWallet = {
    address: spending.hotAddress,
    units,
    price: chain.feeRate,
    ...(nonces && { nonces }),
  }
  const obstacle = await hotObstacle(tx, gate, hot.address, chain.minedCount)
  if (obstacle !== null) {
    for (const payout of due) await letWait(app, tx, payout, obstacle)
    return 0
  }

  let moved = 0
  const backed = await leaveUnbacked(app, tx, till, due)
  const missing = new Map<string, { units: bigint; payouts: Payout[] }>()
  for (const payout of backed) {
    const terms = chain.payouts.get(payout.id)
    if (terms === undefined) continue
    if ('refused' in terms) {
      await letWait(app, tx, payout, say('would_fail', { detail: terms.refused }))
      continue
    }
    const plan = draft(gate, hot, payout, terms.budget)
    const reserved = await reserve(app, tx, payout, terms.costUnits)
    if (reserved === null) continue
    const short = shortage(hot, plan, native)
    if (short !== null) {
      const known = missing.get(short.currency) ?? { units: 0n, payouts: [] }
      missing.set(short.currency, { units: known.units + short.units, payouts: [...known.payouts, payout] })
      continue
    }
    // The funds arrived a moment ago: the next round simulates it first.
    if (!terms.isSimulated) continue
    if (nonces?.length === 0) {
      await letWait(app, tx, payout, noNonce)
      continue
    }
    await send(app, tx, gate, hot, reserved, plan)
    moved++
  }
  for (const [currency, { units: wanted, payouts }] of missing) {
    const swept = await sweepForPayouts(
      app,
      tx,
      gate,
      spending,
      hot,
      assetOn(gate, currency),
      wanted,
      chain.sweeps,
    )
    moved += swept.started
    for (const payout of payouts) await letWait(app, tx, payout, swept.reason)
  }
  if (chain.nonces !== null && nonces?.length === 0)
    moved += await createNonces(app, tx, gate, hot, chain.nonces)
  await till.close()
  return moved
}

function draft(gate: Gate, hot: HotWallet, payout: Payout, budget: Budget): HotPlan {
  return transferPlan(gate, {
    from: { address: hot.address, key: hotKey },
    to: { address: payout.destination, tag: payout.destinationTag },
    asset: assetOn(gate, payout.currency),
    units: payout.amountUnits,
    budget,
    price: hot.price,
    payoutId: payout.id,
  })
}

function shortage(
  { units }: HotWallet,
  plan: HotPlan,
  native: GateAsset,
): { currency: string; units: bigint } | null {
  for (const [currency, claimed] of claimsOf(plan, native.currency)) {
    const missing = claimed - (units.get(currency) ?? 0n)
    if (missing > 0n) return { currency, units: missing }
  }
  return null
}

async function send(
  app: App,
  tx: Store,
  gate: Gate,
  hot: HotWallet,
  payout: Payout,
  plan: HotPlan,
): Promise<void> {
  const spendId = await claimAndInsert(app, tx, gate, hot, 'payout', plan)
  await inTraceOfPayout(app, tx, payout.id, 'submit payout', () => submitPayout(app, tx, payout, spendId))
}

async function reserve(app: App, tx: Store, payout: Payout, cost: bigint | null): Promise<Payout | null> {
  if (cost !== null) return raiseReserve(app, tx, payout, cost)
  await letWait(app, tx, payout, say('no_rate', { currency: payout.currency }))
  return null
}
