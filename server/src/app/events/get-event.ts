import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Event } from '../../store/webhooks/events.ts'
import type { App } from '../app.ts'

/** One event of the caller. The error for another merchant's event is the same as for one that does not exist. */
export async function getEvent(app: App, caller: Caller, id: string): Promise<Event> {
  const event = await app.store.events.find(caller, id)
  if (event === null) throw new ServiceError('not_found', 'There is no such event.')
  return event
}
