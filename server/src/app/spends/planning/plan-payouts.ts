import type { Payout } from '../../../domain/payouts.ts'
import { say } from '../../../domain/reasons/reasons.ts'
import { feeOf } from '../../../domain/spends.ts'
import { type Gate, GateOutageError } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { TurnedNegative } from '../../payouts/judge-backing.ts'
import { type HotAccount, hotAccountOf } from '../hot-wallet/hot-account.ts'
import { minedCountOf } from '../hot-wallet/mined-count.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { askForNonces } from '../hot-wallet/nonce-accounts.ts'
import { halted, letAllWait } from '../settling/say-why.ts'
import { simulatePayouts } from '../simulating/simulate-payouts.ts'
import { simulateSweeps } from '../simulating/simulate-sweeps.ts'
import { checkCoins } from './check-coins.ts'
import { planAlone } from './plan-alone.ts'
import { planCoins } from './plan-coins.ts'
import { type Groundwork, planTransfers } from './plan-transfers.ts'
import { proveCoins } from './prove-coins.ts'

const maxTransfers = 50
// Setting coins aside brings up others, which may be missing too.
const maxCoinChecks = 5

/**
 * Plans transactions for the due payouts of a gate: pins coins or nonces to them for good and leaves the plans to the
 * signer. Asks the network first, then decides everything in one transaction. Safe to run in several processes at once:
 * only one plans. While nothing can be planned on the gate, its due payouts say why. Returns how many payouts and sweeps
 * were started.
 */
export async function planPayouts(app: App, gate: Gate): Promise<number> {
  const obstacle = await obstacleOf(app, gate)
  if (obstacle !== null) return letAllWait(app, gate.id, obstacle)
  try {
    return await plan(app, gate)
  } catch (error) {
    // Nothing was planned. The next round sees the new balance and lets the affected payouts wait.
    if (error instanceof TurnedNegative) return 0
    if (error instanceof GateOutageError)
      return letAllWait(
        app,
        gate.id,
        say('node_wrong', { network: gate.network.name, detail: error.message }),
      )
    throw error
  }
}

async function obstacleOf(app: App, gate: Gate): Promise<string | null> {
  const { name: network } = gate.network
  const chain = await app.store.followedChains.find(gate.id)
  if (chain !== null && chain.haltReason !== null) return halted(gate)
  if (!app.gates.isOnline(gate.id)) return say('gate_offline', { network })
  if (chain === null) return say('gate_not_followed', { network })
  if (!(await app.store.addressGrants.isLookedAt(gate.keychain))) return say('database_unchecked')
  if (await app.store.spendRestore.isBehind(gate.id)) return say('database_restored', { network })
  return gate.spending.kind !== 'coins' && hotAccountOf(gate) === null
    ? say('hot_wallet_unknown', { network })
    : null
}

async function plan(app: App, gate: Gate): Promise<number> {
  const { spending } = gate
  // A transaction planned now could neither be mined nor cancelled.
  const tooDear = (await gate.tooDear?.()) ?? null
  if (tooDear !== null) return letAllWait(app, gate.id, tooDear)
  if (spending.kind === 'coins') {
    const feeRate = await gate.feeRate()
    if (!(await coinsAreThere(app, gate, spending.maxInputs)))
      return letAllWait(app, gate.id, say('coins_checked', { network: gate.network.name }))
    return planAlone(app, gate, (tx) => planCoins(app, tx, gate, spending, feeRate))
  }
  const hot = hotAccountOf(gate)
  if (hot === null) return 0
  const due = await app.store.payouts.due(gate.id, maxTransfers)
  if (due.length === 0) return 0
  const groundwork = await ask(app, gate, hot, due)
  return planAlone(app, gate, (tx) => planTransfers(app, tx, gate, hot, groundwork))
}

/** Whether every coin that could be spent now is on the chain and can be proved; sets aside those that are not. */
async function coinsAreThere(app: App, gate: Gate, limit: number): Promise<boolean> {
  for (let checks = 0; checks < maxCoinChecks; checks++) {
    const coins = await app.store.holdings.coins(gate.id, gate.keychain, limit)
    if (!(await proveCoins(app, gate, coins))) continue
    const found = await checkCoins(app, gate, { limit })
    if (found !== 'some are missing') return found === 'all there'
  }
  return false
}

/** Asks the network everything that planning transfers needs. */
async function ask(app: App, gate: Gate, spending: HotAccount, due: readonly Payout[]): Promise<Groundwork> {
  const [feeRate, minedCount] = await Promise.all([gate.feeRate(), minedCountOf(gate, spending)])
  const nonces = await askForNonces(app, gate)
  const free = await app.store.holdings.freeHot(gate.id)
  const payouts = await simulatePayouts(app, gate, spending, due, { feeRate, free })
  const wanted = new Map<string, bigint>()
  const want = (currency: string, units: bigint) => wanted.set(currency, (wanted.get(currency) ?? 0n) + units)
  for (const { id, currency, amountUnits } of due) {
    const terms = payouts.get(id)
    if (terms === undefined || 'refused' in terms) continue
    want(currency, amountUnits)
    want(nativeAsset(gate).currency, feeOf(terms.budget, feeRate))
  }
  for (const [currency, units] of wanted) {
    const missing = units - (free.get(currency) ?? 0n) - (await app.store.spends.underWay(gate.id, currency))
    if (missing > 0n && !spending.depositsAreHot) wanted.set(currency, missing)
    else wanted.delete(currency)
  }
  return { feeRate, minedCount, nonces, payouts, sweeps: await simulateSweeps(app, gate, spending, wanted) }
}
