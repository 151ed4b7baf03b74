import { balanceDecimals } from '../../domain/assets.ts'
import type { Actor } from '../../domain/audit-log.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { uuidv7 } from '../../domain/ids.ts'
import { releasePostings } from '../../domain/payout-postings.ts'
import { type Payout, payoutTransitions } from '../../domain/payouts.ts'
import { say } from '../../domain/reasons/reasons.ts'
import { nextState } from '../../domain/transitions.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { noSuchPayout } from './get-payout.ts'
import { payoutDetails } from './payout-details.ts'
import { payoutEvent } from './tell.ts'

/** Who rejects a payout, and why. */
export type Rejection = {
  readonly by: string
  readonly reason?: string
  /** The person, for the audit log; omitted where an API key rejects in the test environment. */
  readonly person?: Actor
}

/**
 * Cancels a payout that is not on its way yet and frees the funds it reserved. With a `rejection`, an approver rejects it;
 * without one, its creator withdraws it. A null owner means the operator. Acts of people go to the audit log.
 */
export async function cancelPayout(
  app: App,
  owner: (Pick<Caller, 'merchantId' | 'environment'> & Partial<Pick<Caller, 'person'>>) | null,
  id: string,
  rejection?: Rejection,
): Promise<Payout> {
  return app.transaction(async (tx) => {
    const held = await tx.payouts.lock(owner, id)
    if (held === null) throw noSuchPayout()
    const { payout, now } = held
    const status = nextState(payoutTransitions, payout.status, 'cancel')
    if (status === null)
      throw new ServiceError('conflict', `A payout that is ${payout.status} can no longer be cancelled.`)
    const reason = rejection === undefined ? say('ledger_payout_cancelled') : inWords(rejection)
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
    const person = rejection === undefined ? owner?.person : rejection.person
    if (person != null)
      await noteAct(tx, person, payout.merchantId, {
        environment: payout.environment,
        subject: id,
        action: rejection === undefined ? 'payout.cancelled' : 'payout.rejected',
        details: { reason: rejection?.reason ?? null, ...payoutDetails(payout) },
      })
    return cancelled
  })
}

function inWords({ by, reason }: Rejection): string {
  // The id of a user tells a reader of the ledger nothing; the audit log has their name.
  if (by.startsWith('user:'))
    return reason === undefined ? say('ledger_rejected') : say('ledger_rejected_because', { note: reason })
  return reason === undefined
    ? say('ledger_rejected_by', { actor: by })
    : say('ledger_rejected_by_because', { actor: by, note: reason })
}
