import type { Caller } from '../../domain/caller.ts'
import type { Store } from '../../store/store.ts'
import type { Announcement } from './happening.ts'

/** The events of these resources with their webhooks, oldest first. */
export async function announcements(
  { history }: Store,
  caller: Caller,
  resourceIds: readonly string[],
): Promise<Announcement[]> {
  const events = await history.events(caller, resourceIds)
  const deliveries = await history.deliveries(events.map(({ id }) => id))
  return events.map((event) => ({
    ...event,
    deliveries: deliveries.filter(({ eventId }) => eventId === event.id),
  }))
}
