import { ServiceError } from '../../../domain/errors.ts'
import type { Payout } from '../../../domain/payouts.ts'
import type { Spend } from '../../../domain/spends.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { type GivenUp, type GivingUp, proveDead } from './prove-dead.ts'
import { settleSpend } from './settle-spend.ts'
import { undoSpend } from './undo-spend.ts'

/**
 * Ends a spend whose transaction can never be mined: an open one, or one that was booked as done and that a reorganisation
 * has removed. `note` records who did it, in the same transaction. Returns why it is dead.
 */
export async function giveUpSpend(
  app: App,
  spend: Spend,
  given: GivingUp,
  what: GivenUp,
  note: (tx: Store, payouts: readonly Payout[], reason: string) => Promise<void>,
): Promise<string> {
  const gate = app.gates.find(spend.gateId)
  if (gate === null)
    throw new ServiceError(
      'gate_offline',
      `There is no gate ${spend.gateId} here to check its transaction. Configure it first.`,
    )
  const end = await proveDead(app, gate, spend, given, what)
  const noted = (tx: Store, payouts: readonly Payout[]) => note(tx, payouts, end.reason)
  await (spend.status === 'open' ? settleSpend : undoSpend)(app, gate, spend.id, end, noted)
  return end.reason
}
