import type { Caller } from '../../domain/caller.ts'
import type { PastEvent } from '../../store/reports/history.ts'
import type { Store } from '../../store/store.ts'
import type { Announcement } from './happening.ts'

/** The events of these resources with their webhooks, oldest first. */
export async function announcements(
  { history }: Store,
  caller: Caller,
  resourceIds: readonly string[],
): Promise<Announcement[]> {
  const events = await history.events(caller, resourceIds)
  const deliveries = Map.groupBy(
    await history.deliveries(events.map(({ id }) => id)),
    ({ eventId }) => eventId,
  )
  return aboutPayments(events).map((event) => ({ ...event, deliveries: deliveries.get(event.id) ?? [] }))
}

/** A late deposit is told right after its credit, which names the payment. */
function aboutPayments(events: readonly PastEvent[]): PastEvent[] {
  const credited = new Map<string, string | null>()
  return events.map((event) => {
    if (event.event === 'balance.credited') credited.set(event.resourceId, event.paymentId)
    return event.event === 'invoice.late_deposit'
      ? { ...event, paymentId: credited.get(event.resourceId) ?? null }
      : event
  })
}
