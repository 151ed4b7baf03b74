import { divide, formatDecimal } from '../../../domain/money.ts'
import { type Gate, GateOutageError, type HotSpending } from '../../../gates/gate.ts'
import type { FloatRow } from '../../../store/spends/floats.ts'
import type { App } from '../../app.ts'
import { sweepCost } from '../sweeping/sweep-cost.ts'
import { type HotAccount, hotAccountOf } from './hot-account.ts'
import { nativeAsset } from './native-asset.ts'

// The float counts as enough again only with a clear margin, since fees go up and down all day.
const clearly = { times: 5n, of: 4n }

/**
 * Tells the operator when a gate's float no longer covers the configured number of sweeps at current fees, and when it does
 * again: once per change, whichever process sees it. Skips a gate that does not answer until the next run.
 */
export async function watchFloat(app: App): Promise<void> {
  const floats = await app.store.floats.list()
  for (const gate of app.gates.list()) {
    const hot = hotAccountOf(gate)
    if (hot === null || hot.depositsAreHot) continue
    const units = await floatOf(app, gate, floats)
    if (units === null) continue
    try {
      await judge(app, gate, hot, units)
    } catch (error) {
      if (!(error instanceof GateOutageError)) throw error
    }
  }
}

async function judge(app: App, gate: Gate, hot: HotAccount, units: bigint): Promise<void> {
  const needed = await neededFloat(app, gate, hot)
  if (units < needed) {
    if (!(await app.store.floats.noteLow(gate.id))) return
    const { currency, decimals } = nativeAsset(gate)
    const said = (amount: bigint) => `${formatDecimal(amount, decimals)} ${currency}`
    app.reports.floatLow(gate, { float: said(units), needed: said(needed), hotAddress: hot.hotAddress })
  } else if (units >= divide(needed * clearly.times, clearly.of, 'up')) {
    if (await app.store.floats.noteEnough(gate.id)) app.reports.floatEnough(gate)
  }
}

/** The float that a gate should have at current fees. */
export async function neededFloat(app: Pick<App, 'spending'>, gate: Gate, hot: HotAccount): Promise<bigint> {
  return (await dearestSweep(gate, hot, await gate.feeRate())) * BigInt(app.spending.floatSweeps)
}

async function dearestSweep(gate: Gate, spending: HotSpending, feeRate: bigint): Promise<bigint> {
  let most = 0n
  for (const asset of gate.assets) {
    const cost = await sweepCost(gate, spending, asset, feeRate)
    if (cost > most) most = cost
  }
  return most
}

/** The gate's float; null where none is needed yet. The sandbox funds it when it is first needed. */
async function floatOf(app: App, gate: Gate, floats: readonly FloatRow[]): Promise<bigint | null> {
  const { currency } = nativeAsset(gate)
  const known = floats.find((row) => row.gateId === gate.id && row.currency === currency)?.floatUnits ?? null
  if (known !== null) return known
  return gate.simulated === null && (await app.store.floats.hasUnswept(gate.id)) ? 0n : null
}
