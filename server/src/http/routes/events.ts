import type { App } from '../../app/app.ts'
import { getEvent } from '../../app/events/get-event.ts'
import type { Handlers } from '../reply.ts'
import { ok, okPage } from '../reply.ts'
import { eventIdFrom, eventView } from '../views/event.ts'

export function events(app: App): Pick<Handlers, 'listEvents' | 'getEvent'> {
  return {
    listEvents: async ({ caller, query }) => {
      const page = await app.store.events.list(caller, { ...query, event: query.event ?? null })
      return okPage(page, query, eventView)
    },
    getEvent: async ({ caller, path }) =>
      ok(eventView(await getEvent(app, caller, eventIdFrom(path.eventID)))),
  }
}
