import { balanceDecimals } from '../../domain/assets.ts'
import type { Actor } from '../../domain/audit-log.ts'
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

/** Who turns a payout down, and why. */
export type Rejection = {
  readonly by: string
  readonly reason?: string
  /** The person, for the audit log; left out where a program does it in the test environment. */
  readonly person?: Actor
}

/**
 * Cancels a payout that is not on its way yet and frees the funds it reserved. With a `rejection` somebody turned it down;
 * without one whoever asked for it takes it back. Without an owner it is the operator who asks. What a person does is
 * written down.
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
      throw new ServiceError('conflict', `A payout that is ${payout.status} cannot be cancelled any more.`)
    const reason = rejection === undefined ? 'The payout was cancelled.' : inWords(rejection)
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
        details: { reason: rejection?.reason ?? null },
      })
    return cancelled
  })
}

function inWords({ by, reason }: Rejection): string {
  return `The payout was refused by ${by}${reason === undefined ? '.' : `: ${reason}`}`
}
