import {
  type ConsolidationCosts,
  type ConsolidationPolicy,
  chooseToConsolidate,
  inputCost,
} from '../../../domain/coin-consolidation.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import type { CoinPlan } from '../../../domain/spends.ts'
import type { CoinSpending, Gate } from '../../../gates/gate.ts'
import { changeCounter } from '../../../store/spends/holdings.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { checkCoins } from './check-coins.ts'
import { planAlone } from './plan-alone.ts'
import { proveCoins } from './prove-coins.ts'

/**
 * Plans a transaction that consolidates the smallest coins of a gate into one, if fees are low enough, there are enough
 * small coins, no consolidation is running and no payout is due. Leaves the coins that payouts will need which wait for
 * approval or their time. Returns whether one was planned.
 */
export async function consolidateCoins(app: App, gate: Gate, policy: ConsolidationPolicy): Promise<boolean> {
  const { spending } = gate
  if (spending.kind !== 'coins' || !app.gates.isOnline(gate.id)) return false
  const feeRate = await gate.feeRate()
  if (feeRate > policy.belowRate || (await checkCoins(app, gate)) !== 'all there') return false
  const { smallest } = await app.store.holdings.smallestCoins(
    gate.id,
    gate.keychain,
    0n,
    mostCoins(spending, policy),
  )
  if (!(await proveCoins(app, gate, smallest))) return false
  return (await planAlone(app, gate, (tx) => planConsolidation(app, tx, gate, spending, policy, feeRate))) > 0
}

async function planConsolidation(
  app: App,
  tx: Store,
  gate: Gate,
  spending: CoinSpending,
  policy: ConsolidationPolicy,
  feeRate: bigint,
): Promise<number> {
  if (await tx.spends.isConsolidating(gate.id)) return 0
  const waiting = await tx.payouts.waitingOn(gate.id)
  if (waiting.isDue) return 0
  const anyChange = spending.changeAddress(0)
  const costs: ConsolidationCosts = {
    feeRate,
    sizeOf: (inputs) => spending.sizeOf(inputs, [anyChange]),
    dustUnits: spending.dustUnits,
  }
  const cost = inputCost(costs)
  const limit = mostCoins(spending, policy)
  const small = await tx.holdings.smallestCoins(gate.id, gate.keychain, cost, limit)
  if (small.count <= policy.coins) return 0
  const largest = await tx.holdings.coins(gate.id, gate.keychain, spending.maxInputs)
  const lying = { ...small, largest: largest.filter(({ units }) => units > cost) }
  const choice = chooseToConsolidate(lying, policy, costs, waiting.units)
  if (choice === null) return 0

  const { inputs, feeUnits, changeUnits } = choice
  const id = uuidv7(app.now())
  const index = Number(await tx.holdings.takeCount(gate.id, changeCounter))
  const output = { address: spending.changeAddress(index), units: changeUnits, payoutId: null }
  const plan: CoinPlan = {
    kind: 'coins',
    inputs,
    outputs: [output],
    feeUnits,
    change: { outputIndex: 0, index },
  }
  const feeCurrency = nativeAsset(gate).currency
  await tx.spends.insert({
    id,
    gateId: gate.id,
    kind: 'consolidation',
    plan,
    feeCurrency,
    afterSpendId: null,
  })
  if (!(await tx.holdings.pinCoins(gate.id, inputs, id)))
    throw new Error('A coin was pinned by another spend although this process plans alone.')
  return 1
}

function mostCoins(spending: CoinSpending, policy: ConsolidationPolicy): number {
  return Math.min(policy.maxInputs, spending.maxInputs)
}
