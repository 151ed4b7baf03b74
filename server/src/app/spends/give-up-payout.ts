import { ServiceError } from '../../domain/errors.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { App } from '../app.ts'
import { type GivingUp, proveDead } from './prove-dead.ts'
import { settleSpend } from './settle-spend.ts'

const what = {
  name: 'payout',
  unproved: 'THIS PAYOUT CAN NEVER ARRIVE',
  danger: 'whoever was told that it failed will have paid twice',
}

/** Ends a payout that is on its way as failed, with everything released, when its transaction can never be mined. */
export async function giveUpPayout(app: App, payoutId: string, given: GivingUp): Promise<Payout> {
  const payout = await app.store.payouts.find(null, payoutId)
  if (payout === null) throw new ServiceError('not_found', 'There is no such payout.')
  const spend = payout.spendId === null ? null : await app.store.spends.find(payout.spendId)
  if (payout.status !== 'processing' || spend === null)
    throw new ServiceError(
      'conflict',
      `Only a payout on its way can be given up; this one is ${payout.status}.`,
    )
  const gate = app.gates.find(spend.gateId)
  if (gate === null)
    throw new ServiceError(
      'gate_offline',
      `There is no gate ${spend.gateId} here to ask what has become of it.`,
    )
  const reason = await proveDead(app, gate, spend, given, what)
  await settleSpend(app, gate, spend.id, { status: 'dead', reason })
  return (await app.store.payouts.find(null, payoutId)) ?? payout
}
