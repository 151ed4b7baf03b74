import { ServiceError } from '../../../domain/errors.ts'
import type { Payout } from '../../../domain/payouts.ts'
import type { App } from '../../app.ts'
import { noteAct } from '../../audit/note-act.ts'
import { payoutDetails } from '../../payouts/payout-details.ts'
import { giveUpSpend } from './give-up-spend.ts'
import type { GivingUp } from './prove-dead.ts'

const what = {
  name: 'payout',
  unproved: 'THIS PAYOUT CAN NEVER ARRIVE',
  danger: 'a merchant who was told that it failed and paid again will have paid twice',
}

/**
 * Ends a payout as failed and makes its funds available again, when its transaction can never be mined: a payout on its way,
 * or a completed one whose transaction a deep reorganisation has removed. Payouts in the same transaction end with it.
 */
export async function giveUpPayout(app: App, payoutId: string, given: GivingUp): Promise<Payout> {
  const payout = await app.store.payouts.find(null, payoutId)
  if (payout === null) throw new ServiceError('not_found', 'There is no such payout.')
  const spend = payout.spendId === null ? null : await app.store.spends.find(payout.spendId)
  const { status: was } = payout
  if (spend === null || (was !== 'processing' && was !== 'completed'))
    throw new ServiceError(
      'conflict',
      `Only a payout on its way, or a completed one that has left the chain, can be given up; this one is ${was}.`,
    )
  await giveUpSpend(app, spend, given, what, async (tx, payouts, reason) => {
    for (const each of payouts)
      await noteAct(tx, given.by, each.merchantId, {
        environment: each.environment,
        action: 'payout.given_up',
        subject: each.id,
        details: { was, spend: spend.id, reason, ...payoutDetails(each) },
      })
  })
  return (await app.store.payouts.find(null, payoutId)) ?? payout
}
