import type { ColdPolicy } from '../../../domain/cold-wallets.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { hotAccountOf } from '../hot-wallet/hot-account.ts'
import type { ColdOutcome } from './cold-terms.ts'
import { moveCoins } from './move-coins.ts'
import { moveFromAccount } from './move-from-account.ts'

/**
 * Plans a transaction that moves funds to the operator's cold wallet if the gate's hot wallet is worth more than its cap.
 * Payouts come first: nothing is planned while one is due, and what waiting payouts need stays. One move at a time. Without
 * a usable rate for everything in the hot wallet its value is unknown, and nothing is moved.
 */
export async function moveToCold(app: App, gate: Gate, policy: ColdPolicy): Promise<ColdOutcome> {
  if (!app.gates.isOnline(gate.id)) return 'nothing'
  if ((await app.store.coldMoves.isBlocked(gate.id)) || (await app.store.payouts.waitingOn(gate.id)).isDue)
    return 'nothing'
  if (gate.spending.kind === 'coins') return moveCoins(app, gate, gate.spending, policy)
  const hot = hotAccountOf(gate)
  return hot === null ? 'nothing' : moveFromAccount(app, gate, hot, policy)
}
