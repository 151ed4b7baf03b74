import { ceilingOf } from '../../../domain/spending-limits.ts'
import {
  type AccountPlan,
  feeOf,
  type GasBudget,
  hotKey,
  isClearlyMore,
  maxFeeOf,
  type Spend,
} from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { convertUnits } from '../../rates/convert-units.ts'
import { absorbHot } from '../hot-wallet/absorb-hot.ts'
import { freeFloat } from '../hot-wallet/free-float.ts'
import { hotAccountOf } from '../hot-wallet/hot-account.ts'
import { hotObstacle } from '../hot-wallet/hot-obstacle.ts'
import { claimAndInsert, type HotWallet } from '../hot-wallet/hot-wallet.ts'
import { assetOn, nativeAsset } from '../hot-wallet/native-asset.ts'
import { accountPlan } from '../planning/account-plan.ts'
import { planAlone } from '../planning/plan-alone.ts'
import { ownGasBudget } from '../simulating/transfer-gas.ts'
import { worth } from './start-sweep.ts'

const wholeBps = 10_000n

/** What is known about the network before the transaction begins. */
type Ground = {
  readonly feeRate: bigint
  readonly minedCount: bigint
  readonly budget: GasBudget
  /** Whether a due payout waits for funds: then cost matters less. */
  readonly isWaitedFor: boolean
}

/**
 * Plans another attempt of a sweep that waits too long, at the current gas price and with the same nonce. A native sweep
 * delivers that much less; for a token, the address first gets the gas it lacks. While that would cost more than the signer
 * allows, or too much for the deposit's value, the sweep waits and the operator is told.
 */
export async function raiseSweep(app: App, gate: Gate, seen: Spend): Promise<void> {
  const hot = hotAccountOf(gate)
  const plan = seen.transactions.at(-1)?.plan
  if (plan?.kind !== 'account' || hot?.kind !== 'account') return
  const feeRate = await gate.feeRate()
  const raised = { ...plan, gasPrice: feeRate }
  if (!isClearlyMore(maxFeeOf(plan), maxFeeOf(raised))) return
  const { hotAddress } = hot
  const ground: Ground = {
    feeRate,
    minedCount: await gate.nextNonce(hotAddress),
    budget: await ownGasBudget(gate, hot),
    isWaitedFor: gate.simulated !== null || (await app.store.payouts.waitingOn(gate.id)).isDue,
  }
  const tooDear = await objection(app, gate, plan, maxFeeOf(raised), ground)
  if (tooDear !== null) return app.reports.raiseWaits(gate, seen.id, tooDear)
  await planAlone(app, gate, (tx) => planRaise(app, tx, gate, seen, raised, hotAddress, ground))
}

/** Why it is not worth its cost; null when it is. The same bounds as for starting a sweep. */
async function objection(
  app: App,
  gate: Gate,
  plan: AccountPlan,
  feeUnits: bigint,
  { feeRate, budget, isWaitedFor }: Ground,
): Promise<string | null> {
  if (feeUnits > ceilingOf(app.spending.maxFees, gate.network.id))
    return 'It costs more than the signer allows.'
  const native = nativeAsset(gate)
  const isNative = plan.contractAddress === null
  if (isNative && plan.units + maxFeeOf(plan) <= feeUnits * worth)
    return 'It costs too much compared with the deposit.'
  if (isWaitedFor) return null
  const value = isNative
    ? plan.units + maxFeeOf(plan)
    : await convertUnits(app, gate.environment, {
        units: plan.units,
        from: assetOn(gate, plan.currency),
        to: native,
      })
  const cost = feeUnits + (isNative ? 0n : feeOf(budget, feeRate))
  return cost * wholeBps > (value ?? 0n) * BigInt(app.spending.sweepMaxCostBps)
    ? 'It costs too much compared with the deposit, and no payout waits for it.'
    : null
}

async function planRaise(
  app: App,
  tx: Store,
  gate: Gate,
  seen: Spend,
  raised: AccountPlan,
  hotAddress: string,
  ground: Ground,
): Promise<number> {
  const spend = await tx.spends.lock(seen.id)
  const last = spend.transactions.at(-1)
  if (spend.status !== 'open' || last === undefined || spend.transactions.length !== seen.transactions.length)
    return 0
  const extraUnits = maxFeeOf(raised) - last.maxFeeUnits
  const isNative = raised.contractAddress === null
  // Beyond the float, the money belongs to merchants: spend it only for their payouts.
  if (!ground.isWaitedFor && (await freeFloat(tx, gate)) < extraUnits) return 0
  if (!isNative && !(await bringGas(app, tx, gate, seen, raised, extraUnits, hotAddress, ground))) return 0
  const plan = isNative ? { ...raised, units: raised.units - extraUnits } : raised
  await tx.spends.addAttempt(spend.id, spend.transactions.length + 1, plan)
  if (isNative) await tx.spends.noteMoved(spend.id, plan.units)
  return 1
}

/** Plans a transfer of the gas that the address lacks for the dearer attempt, which waits for it; false if not possible. */
async function bringGas(
  app: App,
  tx: Store,
  gate: Gate,
  { id }: Spend,
  { from }: AccountPlan,
  extraUnits: bigint,
  hotAddress: string,
  { feeRate, minedCount, budget }: Ground,
): Promise<boolean> {
  const native = nativeAsset(gate)
  // Excludes what the attempts so far may take.
  const left = (await tx.unswept.gasLeft(gate.id, [from.address])).get(from.address) ?? 0n
  const missing = extraUnits - (left > 0n ? left : 0n)
  if (missing <= 0n) return true
  await absorbHot(app, tx, gate, hotAddress)
  const units = await tx.holdings.lockHot(gate.id, [native.currency])
  const hot: HotWallet = { address: hotAddress, units, price: feeRate }
  if ((await hotObstacle(tx, gate, hotAddress, minedCount)) !== null) return false
  const gas = accountPlan({
    from: { address: hotAddress, key: hotKey },
    to: { address: from.address, tag: null },
    asset: native,
    units: missing,
    budget,
    gasPrice: feeRate,
    payoutId: null,
  })
  if ((units.get(native.currency) ?? 0n) < missing + maxFeeOf(gas)) {
    app.reports.raiseWaits(gate, id, `The hot wallet is short of ${native.currency} for its gas.`)
    return false
  }
  await tx.spends.letFollow(id, await claimAndInsert(app, tx, gate, hot, 'gas', gas))
  return true
}
