import { type CoinChoice, chooseCoins } from '../../../domain/coin-selection.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import type { Payout } from '../../../domain/payouts.ts'
import { say } from '../../../domain/reasons/reasons.ts'
import { type Coin, type CoinPlan, splitFee } from '../../../domain/spends.ts'
import type { CoinSpending, Gate } from '../../../gates/gate.ts'
import { changeCounter } from '../../../store/spends/holdings.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { openTill } from '../../payouts/judge-backing.ts'
import { inTraceOfPayout } from '../../tracing/in-trace-of.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { leaveUnbacked, letWait, raiseReserve, submitPayout } from './submit-payout.ts'

/**
 * Plans one transaction for as many due payouts of a coin network as it can hold, inside the caller's transaction. Returns
 * how many payouts it includes. A payout that cannot be paid now waits with a reason, and does not hold up others.
 */
export async function planCoins(
  app: App,
  tx: Store,
  gate: Gate,
  spending: CoinSpending,
  feeRate: bigint,
): Promise<number> {
  // Leave one output free for change.
  const due = await tx.payouts.claimDue(gate.id, spending.maxOutputs - 1)
  if (due.length === 0) return 0
  const till = await openTill(app, tx, due)
  const backed = await leaveUnbacked(app, tx, till, due)
  const { keychain } = gate
  const coins = await tx.holdings.coins(gate.id, keychain, spending.maxInputs)
  for (const payouts of together(gate, backed)) {
    const planned = await planOne(app, tx, gate, spending, feeRate, coins, payouts)
    if (planned === 0) continue
    await till.close()
    return planned
  }
  return 0
}

/** Plans one transaction for as many of these payouts as the coins cover; returns how many. */
async function planOne(
  app: App,
  tx: Store,
  gate: Gate,
  spending: CoinSpending,
  feeRate: bigint,
  coins: readonly Coin[],
  payouts: readonly Payout[],
): Promise<number> {
  let candidates = payouts
  // Each round either plans or drops at least one payout.
  while (candidates.length > 0) {
    const { fitting, choice } = await fit(app, tx, gate, coins, candidates, spending, feeRate)
    if (choice === null) return 0
    const reserved: Payout[] = []
    for (const payout of fitting) {
      const raised = await raiseReserve(app, tx, payout, share(choice.feeUnits, fitting.length))
      if (raised !== null) reserved.push(raised)
    }
    if (reserved.length === fitting.length) {
      await spend(app, tx, gate, spending, reserved, choice)
      return reserved.length
    }
    candidates = reserved
  }
  return 0
}

async function spend(
  app: App,
  tx: Store,
  gate: Gate,
  spending: CoinSpending,
  payouts: readonly Payout[],
  choice: CoinChoice<Coin>,
): Promise<void> {
  const spendId = uuidv7(app.now())
  const plan = await planOf(app, tx, gate, spending, payouts, choice)
  const feeCurrency = nativeAsset(gate).currency
  await tx.spends.insert({
    id: spendId,
    gateId: gate.id,
    kind: 'payout',
    plan,
    feeCurrency,
    afterSpendId: null,
  })
  if (!(await tx.holdings.pinCoins(gate.id, choice.inputs, spendId)))
    throw new Error('A coin was pinned by another spend although this process plans alone.')
  for (const payout of payouts)
    await inTraceOfPayout(app, tx, payout.id, 'submit payout', () => submitPayout(app, tx, payout, spendId))
}

/** As many of the payouts, in order, as the coins cover. The others wait. */
async function fit(
  app: Pick<App, 'reports'>,
  tx: Store,
  gate: Gate,
  coins: readonly Coin[],
  payouts: readonly Payout[],
  spending: CoinSpending,
  feeRate: bigint,
): Promise<{ fitting: readonly Payout[]; choice: CoinChoice<Coin> | null }> {
  const all = choose(coins, payouts, spending, feeRate)
  if (all !== null) return { fitting: payouts, choice: all }
  const isUnproven = await tx.previousTransactions.hasUnavailable(gate.id)
  let left = coins.reduce((total, { units }) => total + units, 0n)
  const fitting: Payout[] = []
  let choice: CoinChoice<Coin> | null = null
  for (const payout of payouts) {
    const wider = payout.amountUnits <= left ? choose(coins, [...fitting, payout], spending, feeRate) : null
    if (wider === null) {
      await letWait(app, tx, payout, say(isUnproven ? 'coins_unproven' : 'coins_short'))
      continue
    }
    fitting.push(payout)
    left -= payout.amountUnits
    choice = wider
  }
  return { fitting, choice }
}

// In the sandbox a merchant can make a transaction fail: it must not contain another merchant's payout.
function together(gate: Gate, due: readonly Payout[]): Iterable<readonly Payout[]> {
  return gate.simulated === null ? [due] : Map.groupBy(due, ({ merchantId }) => merchantId).values()
}

function choose(
  coins: readonly Coin[],
  payouts: readonly Payout[],
  spending: CoinSpending,
  feeRate: bigint,
): CoinChoice<Coin> | null {
  const addresses = payouts.map(({ destination }) => destination)
  const change = spending.changeAddress(0)
  return chooseCoins(coins, {
    units: payouts.reduce((total, { amountUnits }) => total + amountUnits, 0n),
    feeRate,
    sizeOf: (inputs, withChange) => spending.sizeOf(inputs, withChange ? [...addresses, change] : addresses),
    dustUnits: spending.dustUnits,
    maxInputs: spending.maxInputs,
  })
}

/** The largest share of a fee that one of `count` payouts bears. */
function share(feeUnits: bigint, count: number): bigint {
  return splitFee(feeUnits, count)[0] ?? feeUnits
}

/** The plan, with its outputs in random order so that our change cannot be told apart. */
async function planOf(
  app: Pick<App, 'random'>,
  tx: Store,
  gate: Gate,
  spending: CoinSpending,
  payouts: readonly Payout[],
  { inputs, feeUnits, changeUnits }: CoinChoice<Coin>,
): Promise<CoinPlan> {
  const outputs: CoinPlan['outputs'][number][] = payouts.map(({ id, destination, amountUnits }) => ({
    address: destination,
    units: amountUnits,
    payoutId: id,
  }))
  let index = 0
  if (changeUnits !== null) {
    index = Number(await tx.holdings.takeCount(gate.id, changeCounter))
    outputs.push({ address: spending.changeAddress(index), units: changeUnits, payoutId: null })
  }
  const order = new Map(outputs.map((output) => [output, app.random(6).readUIntBE(0, 6)]))
  outputs.sort((a, b) => (order.get(a) as number) - (order.get(b) as number))
  const outputIndex = outputs.findIndex(({ payoutId }) => payoutId === null)
  return {
    kind: 'coins',
    inputs,
    outputs,
    change: outputIndex === -1 ? null : { outputIndex, index },
    feeUnits,
  }
}
