import type { Payout } from '../../domain/payouts.ts'
import { feeOf } from '../../domain/spends.ts'
import type { AccountSpending, Gate } from '../../gates/gate.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { TurnedNegative } from '../payouts/judge-backing.ts'
import { nativeAsset } from './native-asset.ts'
import { planAlone } from './plan-alone.ts'
import { planCoins } from './plan-coins.ts'
import { type Groundwork, planTransfers } from './plan-transfers.ts'
import { tryBatches } from './try-batches.ts'
import { tryPayouts } from './try-payouts.ts'
import { trySweeps } from './try-sweeps.ts'

const maxTransfers = 50

/**
 * Plans transactions for the due payouts of a gate: pins coins or numbers to them for good and leaves the plans for the
 * signer. What the network says is asked first; then everything is decided in one transaction. Any number of processes
 * may try at once: one plans. Returns how much was set in motion.
 */
export async function planPayouts(app: App, gate: Gate): Promise<number> {
  if (!app.gates.isOnline(gate.id)) return 0
  const { spending } = gate
  if (spending.kind === 'coins') {
    const feeRate = await gate.feeRate()
    return plan((tx) => planCoins(app, tx, gate, spending, feeRate))
  }
  if (spending.hotAddress === null) return 0
  const due = await app.store.payouts.due(gate.id, maxTransfers)
  if (due.length === 0) return 0
  const groundwork = await ask(app, gate, spending, spending.hotAddress, due)
  return plan((tx) => planTransfers(app, tx, gate, spending, groundwork))

  async function plan(work: (tx: Store) => Promise<number>): Promise<number> {
    try {
      return await planAlone(app, gate, work)
    } catch (error) {
      // Nothing was planned: the next round sees what has happened, and whoever it concerns waits.
      if (error instanceof TurnedNegative) return 0
      throw error
    }
  }
}

/** Everything that planning transfers must know of the network. */
async function ask(
  app: App,
  gate: Gate,
  spending: AccountSpending,
  hotAddress: string,
  due: readonly Payout[],
): Promise<Groundwork> {
  const [feeRate, minedCount] = await Promise.all([gate.feeRate(), gate.nextNonce(hotAddress)])
  const free = await app.store.holdings.freeHot(gate.id)
  const payouts = await tryPayouts(app, gate, spending, due, { feeRate, free })
  const wanted = new Map<string, bigint>()
  const want = (currency: string, units: bigint) => wanted.set(currency, (wanted.get(currency) ?? 0n) + units)
  for (const { id, currency, amountUnits } of due) {
    const terms = payouts.get(id)
    if (terms === undefined || 'refused' in terms) continue
    want(currency, amountUnits)
    want(nativeAsset(gate).currency, feeOf(terms.work, feeRate))
  }
  for (const [currency, units] of wanted) {
    const missing = units - (free.get(currency) ?? 0n) - (await app.store.spends.underWay(gate.id, currency))
    if (missing > 0n && !spending.depositsAreHot) wanted.set(currency, missing)
    else wanted.delete(currency)
  }
  const batches = await tryBatches(app, gate, spending, due, payouts, { feeRate, free })
  return { feeRate, minedCount, payouts, batches, sweeps: await trySweeps(app, gate, spending, wanted) }
}
