import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { costsIn } from './network-cost.ts'
import { planAlone } from './plan-alone.ts'
import { planCoins } from './plan-coins.ts'
import { planTransfers } from './plan-transfers.ts'

/**
 * Plans transactions for the due payouts of a gate: pins coins or numbers to them for good and leaves the plans for the
 * signer. What the network says is asked first; then everything is decided in one transaction. Any number of processes
 * may try at once: one plans. Returns how much was set in motion.
 */
export async function planPayouts(app: App, gate: Gate): Promise<number> {
  if (!app.gates.isOnline(gate.id)) return 0
  const feeRate = await gate.feeRate()
  const { spending } = gate
  if (spending.kind === 'coins')
    return planAlone(app, gate, (tx) => planCoins(app, tx, gate, spending, feeRate))
  if (spending.hotAddress === null) return 0
  const minedCount = await gate.nextNonce(spending.hotAddress)
  const costs = await costsIn(app, gate, (asset) => spending.gasOf(asset) * feeRate)
  return planAlone(app, gate, (tx) => planTransfers(app, tx, gate, spending, { feeRate, minedCount, costs }))
}
