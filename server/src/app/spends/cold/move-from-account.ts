import { type ColdMove, type ColdPolicy, chooseMove, type HotHolding } from '../../../domain/cold-wallets.ts'
import { type Budget, feeOf, hotKey, maxFeeOf } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { convertUnits } from '../../rates/convert-units.ts'
import { absorbHot } from '../hot-wallet/absorb-hot.ts'
import { floatPays } from '../hot-wallet/free-float.ts'
import type { HotAccount } from '../hot-wallet/hot-account.ts'
import { hotObstacle } from '../hot-wallet/hot-obstacle.ts'
import { claimAndInsert } from '../hot-wallet/hot-wallet.ts'
import { minedCountOf } from '../hot-wallet/mined-count.ts'
import { assetOn, nativeAsset } from '../hot-wallet/native-asset.ts'
import { askForNonces, freeNonces } from '../hot-wallet/nonce-accounts.ts'
import { neededFloat } from '../hot-wallet/watch-float.ts'
import { planAlone } from '../planning/plan-alone.ts'
import { transferPlan } from '../planning/transfer-plan.ts'
import { simulateTransfer, usualBudget } from '../simulating/transfer-gas.ts'
import { type ColdOutcome, isWorthwhile, mayMove, ratesOf } from './cold-terms.ts'

/** What a move always leaves in the hot wallet, in native currency. */
type Gas = {
  /** For sweeps, as the operator's float should cover them. */
  readonly reserveUnits: bigint
  /** For one transfer, at most. */
  readonly transferUnits: bigint
}

/** Moves the currency with the largest excess from the hot wallet to the cold wallet. */
export async function moveFromAccount(
  app: App,
  gate: Gate,
  hot: HotAccount,
  policy: ColdPolicy,
): Promise<ColdOutcome> {
  const held = [...(await app.store.holdings.freeHot(gate.id))].filter(([, units]) => units > 0n)
  const rates = await ratesOf(
    app,
    gate,
    policy,
    held.map(([currency]) => currency),
  )
  if ('noRate' in rates) return rates
  // Most looks find nothing to move, and need not ask the node.
  const noGas = { reserveUnits: 0n, transferUnits: 0n }
  if (chooseMove(await holdingsOf(app.store, gate, new Map(held), rates, noGas), policy) === null)
    return 'nothing'
  const [feeRate, minedCount] = await Promise.all([gate.feeRate(), minedCountOf(gate, hot)])
  const nonces = await askForNonces(app, gate)
  const gas = await gasOf(app, gate, hot, feeRate)
  const wanted = chooseMove(await holdingsOf(app.store, gate, new Map(held), rates, gas), policy)
  const to = policy.wallet.addressAt(null)
  if (wanted === null || to === null) return 'nothing'

  const asset = assetOn(gate, wanted.currency)
  const call = { from: hot.hotAddress, to, asset, units: wanted.units }
  const budget: Budget | { refused: string } =
    (await simulateTransfer(gate, call)) ?? (await usualBudget(gate, hot, asset))
  if ('refused' in budget) return budget
  const fee = feeOf(budget, feeRate)
  const native = nativeAsset(gate)
  const cost =
    asset.contractAddress === null
      ? fee
      : await convertUnits(app, gate.environment, { units: fee, from: native, to: asset })
  if (cost === null) return { noRate: native.currency }

  let isFloatShort = false
  const planned = await planAlone(app, gate, async (tx) => {
    await absorbHot(app, tx, gate, hot.hotAddress)
    const units = await tx.holdings.lockHot(gate.id, [native.currency, wanted.currency])
    if ((await hotObstacle(tx, gate, hot.hotAddress, minedCount)) !== null) return 0
    const move = await sameMove(tx, gate, units, rates, gas, policy, wanted)
    if (move === null || !isWorthwhile(move.units, cost) || !(await mayMove(app, tx, gate, fee))) return 0
    const free = await freeNonces(tx, gate, nonces)
    if (free?.length === 0) return 0
    const plan = transferPlan(gate, {
      from: { address: hot.hotAddress, key: hotKey },
      to: { address: to, tag: null },
      asset,
      units: move.units,
      budget,
      price: feeRate,
      payoutId: null,
    })
    if ((units.get(native.currency) ?? 0n) < maxFeeOf(plan)) return 0
    isFloatShort = !(await floatPays(tx, gate, maxFeeOf(plan)))
    if (isFloatShort) return 0
    const wallet = { address: hot.hotAddress, units, price: feeRate, ...(free && { nonces: free }) }
    await claimAndInsert(app, tx, gate, wallet, 'cold', plan)
    return 1
  })
  if (isFloatShort) return 'no float'
  return planned > 0 ? 'moved' : 'nothing'
}

/** The move again, from what the hot wallet has now; null when it is another one. Never more than was simulated. */
async function sameMove(
  tx: Store,
  gate: Gate,
  units: ReadonlyMap<string, bigint>,
  rates: ReadonlyMap<string, bigint>,
  gas: Gas,
  policy: ColdPolicy,
  wanted: ColdMove,
): Promise<ColdMove | null> {
  const now = chooseMove(await holdingsOf(tx, gate, units, rates, gas), policy)
  if (now === null || now.currency !== wanted.currency) return null
  return now.units < wanted.units ? now : wanted
}

/** The hot wallet's currencies that have a rate, and what payouts and gas claim of each. */
async function holdingsOf(
  store: Store,
  gate: Gate,
  units: ReadonlyMap<string, bigint>,
  rates: ReadonlyMap<string, bigint>,
  gas: Gas,
): Promise<HotHolding[]> {
  const native = nativeAsset(gate).currency
  const waiting = await store.payouts.waitingBy(gate.id)
  const count = waiting.reduce((sum, each) => sum + each.count, 0n)
  // The float, which is the operator's own money for gas, and the gas of this transfer and of one for each waiting payout.
  const ofGas =
    most(await store.floats.of(gate.id, native), gas.reserveUnits) + gas.transferUnits * (count + 1n)
  return [...units].flatMap(([currency, held]) => {
    const rate = rates.get(currency)
    if (rate === undefined) return []
    const ofPayouts = waiting.find((each) => each.currency === currency)?.units ?? 0n
    const claimedUnits = ofPayouts + (currency === native ? ofGas : 0n)
    return [{ currency, decimals: assetOn(gate, currency).decimals, units: held, claimedUnits, rate }]
  })
}

async function gasOf(app: App, gate: Gate, hot: HotAccount, feeRate: bigint): Promise<Gas> {
  let transferUnits = 0n
  for (const asset of gate.assets) {
    const fee = feeOf(await usualBudget(gate, hot, asset), feeRate)
    if (fee > transferUnits) transferUnits = fee
  }
  return { reserveUnits: await neededFloat(app, gate, hot), transferUnits }
}

function most(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}
