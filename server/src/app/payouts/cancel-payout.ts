import { balanceDecimals } from '../../domain/assets.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { releasePostings } from '../../domain/payout-postings.ts'
import { type Payout, payoutTransitions } from '../../domain/payouts.ts'
import { nextState } from '../../domain/transitions.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { noSuchPayout } from './get-payout.ts'
import { payoutEvent } from './tell.ts'

/**
 * Cancels a payout that is not on its way yet and frees the funds it reserved. `refusedBy` names who turned it down,
 * where it was not the merchant's own program that took it back. Without an owner it is the operator who asks. What a person
 * does is written down.
 */
export async function cancelPayout(
  app: App,
  owner: (Pick<Caller, 'merchantId' | 'environment'> & Partial<Pick<Caller, 'person'>>) | null,
  id: string,
  refusedBy?: string,
): Promise<Payout> {
  return app.transaction(async (tx) => {
    const held = await tx.payouts.lock(owner, id)
    if (held === null) throw noSuchPayout()
    const { payout, now } = held
    const status = nextState(payoutTransitions, payout.status, 'cancel')
    if (status === null)
      throw new ServiceError('conflict', `A payout that is ${payout.status} cannot be cancelled any more.`)
    const reason =
      refusedBy === undefined ? 'The payout was cancelled.' : `The payout was refused by ${refusedBy}.`
    await tx.ledger.post([{ ...releasePostings(payout, reason), id: uuidv7(app.now()) }], (currency) =>
      balanceDecimals(app.assets, currency),
    )
    const cancelled = await tx.payouts.change(payout.status, {
      id,
      status,
      cancelledAt: now,
      waitingReason: null,
    })
    await tx.events.append(payoutEvent(app, 'payout.cancelled', cancelled))
    if (owner?.person)
      await noteAct(tx, owner.person, owner.merchantId, {
        ...{ environment: owner.environment, action: 'payout.cancelled', subject: id, details: { reason } },
      })
    return cancelled
  })
}
