import type { EventName } from '../../domain/events.ts'
import { uuidv7 } from '../../domain/ids.ts'
import type { Payout, Refund } from '../../domain/payouts.ts'
import type { Store } from '../../store/store.ts'
import type { NewEvent } from '../../store/webhooks/events.ts'
import type { App } from '../app.ts'
import { inTraceOfPayout } from '../tracing/in-trace-of.ts'

type Tools = Pick<App, 'now' | 'present'>

/** An event about a payout, with the payout as it is after the change. */
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

/** An event about a refund, with its payout as it is after the change. */
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

/** Appends the events for the end of a payout and of its refund, if it has one. */
export async function tellEnd(
  app: Tools & Pick<App, 'tracer'>,
  tx: Store,
  payout: Payout,
  refund: Refund | undefined,
): Promise<void> {
  const isDone = payout.status === 'completed'
  await inTraceOfPayout(app, tx, payout.id, 'settle payout', async () => {
    await tx.events.append(payoutEvent(app, isDone ? 'payout.completed' : 'payout.failed', payout))
    if (refund !== undefined)
      await tx.events.append(
        refundEvent(app, isDone ? 'refund.completed' : 'refund.failed', { ...refund, payout }),
      )
  })
}
