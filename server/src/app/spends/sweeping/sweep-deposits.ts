import { type Gate, type GateAsset, GateOutageError } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { convertUnits } from '../../rates/convert-units.ts'
import { absorbHot } from '../hot-wallet/absorb-hot.ts'
import { freeFloat } from '../hot-wallet/free-float.ts'
import { type HotAccount, hotAccountOf } from '../hot-wallet/hot-account.ts'
import { hotObstacle } from '../hot-wallet/hot-obstacle.ts'
import type { HotWallet } from '../hot-wallet/hot-wallet.ts'
import { minedCountOf } from '../hot-wallet/mined-count.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { askForNonces, freeNonces } from '../hot-wallet/nonce-accounts.ts'
import { planAlone } from '../planning/plan-alone.ts'
import {
  maxDeposits,
  maxSweeps,
  type SweepSimulations,
  simulateSweeps,
} from '../simulating/simulate-sweeps.ts'
import { costOf, draftSweep, gasToBring, type Lying, lyingOn, startSweep } from './start-sweep.ts'
import { draftTogether, freeNative, sweepTogether } from './sweep-together.ts'

const wholeBps = 10_000n

/** The value of the deposits, in native currency, by currency and address. */
type Worth = ReadonlyMap<string, bigint>

/**
 * Sweeps deposits into the hot wallets of all real account networks, as long as that costs little compared with their value,
 * so that payouts need not wait for sweeps. The operator's float alone pays for it, never merchants' money. Returns how many
 * sweeps were started. Skips a gate that does not answer until the next run.
 */
export async function sweepDeposits(app: App): Promise<number> {
  let started = 0
  for (const gate of app.gates.list()) {
    // Sandbox funds have no value, so their deposits stay where they are until a payout needs them.
    if (gate.simulated !== null || app.spending.sweepMaxCostBps === 0 || !app.gates.isOnline(gate.id))
      continue
    const hot = hotAccountOf(gate)
    if (hot === null || hot.depositsAreHot) continue
    try {
      started += await sweepGate(app, gate, hot)
    } catch (error) {
      if (!(error instanceof GateOutageError)) throw error
    }
  }
  return started
}

async function sweepGate(app: App, gate: Gate, hot: HotAccount): Promise<number> {
  const { hotAddress } = hot
  const lying = new Map<string, bigint>()
  for (const { currency } of gate.assets) {
    const deposits = await app.store.holdings.deposits(gate.id, gate.keychain, currency, maxDeposits)
    if (deposits.length > 0)
      lying.set(
        currency,
        deposits.reduce((sum, { units }) => sum + units, 0n),
      )
  }
  if (lying.size === 0) return 0
  const [feeRate, minedCount] = await Promise.all([gate.feeRate(), minedCountOf(gate, hot)])
  const nonces = await askForNonces(app, gate)
  const simulations = await simulateSweeps(app, gate, hot, lying)
  const worth = await worthOf(app, gate)
  return planAlone(app, gate, async (tx) => {
    await absorbHot(app, tx, gate, hotAddress)
    const units = await tx.holdings.lockHot(gate.id, [nativeAsset(gate).currency])
    if ((await hotObstacle(tx, gate, hotAddress, minedCount)) !== null) return 0
    const free = await freeNonces(tx, gate, nonces)
    const wallet = { address: hotAddress, units, price: feeRate, ...(free && { nonces: free }) }
    return start(app, tx, gate, wallet, simulations, worth)
  })
}

async function worthOf(app: App, gate: Gate): Promise<Worth> {
  const native = nativeAsset(gate)
  const worth = new Map<string, bigint>()
  for (const asset of gate.assets)
    for (const { address, units } of await lyingOf(app.store, gate, asset)) {
      const value =
        asset.contractAddress === null
          ? units
          : await convertUnits(app, gate.environment, { units, from: asset, to: native })
      // Without a rate, the value is unknown, and the deposit is not swept.
      if (value !== null) worth.set(`${asset.currency} ${address}`, value)
    }
  return worth
}

async function start(
  app: App,
  tx: Store,
  gate: Gate,
  hot: HotWallet,
  simulations: SweepSimulations,
  worth: Worth,
): Promise<number> {
  const native = nativeAsset(gate).currency
  let affordable = await freeFloat(tx, gate)
  let started = 0
  const isWorth = (asset: GateAsset, { address }: Lying, cost: bigint) =>
    cost * wholeBps <=
    (worth.get(`${asset.currency} ${address}`) ?? 0n) * BigInt(app.spending.sweepMaxCostBps)
  for (const asset of gate.assets) {
    const all = await lyingOf(tx, gate, asset)
    const { spending } = gate
    if (spending.kind === 'solana') {
      const chosen = all.filter((lying) => {
        const budget = simulations.of(asset.currency, lying.address)
        if (budget === null || 'refused' in budget) return false
        return isWorth(asset, lying, costOf(draftTogether(gate, spending, hot, asset, [lying])))
      })
      const affordableNow = (cost: bigint) => {
        if (cost > affordable || freeNative(gate, hot) < cost) return 'the float is too low'
        affordable -= cost
        return null
      }
      const most = chosen.slice(0, maxSweeps - started)
      started += (await sweepTogether(app, tx, gate, spending, hot, asset, most, affordableNow)).started
      continue
    }
    const left = await tx.unswept.gasLeft(
      gate.id,
      all.map(({ address }) => address),
    )
    for (const lying of all) {
      const budget = simulations.of(asset.currency, lying.address)
      if (started === maxSweeps) break
      if (budget === null || 'refused' in budget) continue
      const leftUnits = left.get(lying.address) ?? 0n
      const draft = draftSweep(gate, hot, asset, lying, { budget, ownGasBudget: simulations.own, leftUnits })
      if (draft === null) continue
      const cost = costOf(draft)
      if (
        !isWorth(asset, lying, cost) ||
        cost > affordable ||
        (hot.units.get(native) ?? 0n) < gasToBring(draft)
      )
        continue
      await startSweep(app, tx, gate, hot, draft, lying)
      affordable -= cost
      started++
    }
  }
  return started
}

async function lyingOf(store: Store, gate: Gate, { currency }: GateAsset): Promise<Lying[]> {
  return lyingOn(await store.holdings.deposits(gate.id, gate.keychain, currency, maxDeposits))
}
