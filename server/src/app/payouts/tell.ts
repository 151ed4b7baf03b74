import type { EventName } from '../../domain/events.ts'
import { uuidv7 } from '../../domain/ids.ts'
import type { Payout, Refund } from '../../domain/payouts.ts'
import type { NewEvent } from '../../store/events.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'

type Tools = Pick<App, 'now' | 'present'>

/** The event that something happened to a payout, which is given as it is after that. */
export function payoutEvent(app: Tools, event: EventName & `payout.${string}`, payout: Payout): NewEvent {
  const { merchantId, environment, id } = payout
  return {
    id: uuidv7(app.now()),
    merchantId,
    environment,
    event,
    data: app.present.payout(payout),
    resourceId: id,
  }
}

/** The same of a refund, whose payout is given as it is after that. */
function refundEvent(app: Tools, event: EventName & `refund.${string}`, refund: Refund): NewEvent {
  const { merchantId, environment } = refund.payout
  return {
    id: uuidv7(app.now()),
    merchantId,
    environment,
    event,
    data: app.present.refund(refund),
    resourceId: refund.id,
  }
}

/** Tells that a payout has ended, and the refund that it carries out, if it does. */
export async function tellEnd(
  app: Tools,
  tx: Store,
  payout: Payout,
  refund: Refund | undefined,
): Promise<void> {
  const isDone = payout.status === 'completed'
  await tx.events.append(payoutEvent(app, isDone ? 'payout.completed' : 'payout.failed', payout))
  if (refund !== undefined)
    await tx.events.append(
      refundEvent(app, isDone ? 'refund.completed' : 'refund.failed', { ...refund, payout }),
    )
}
