import type { Caller } from '../../domain/caller.ts'
import { uuidv7 } from '../../domain/ids.ts'
import type { Event } from '../../store/webhooks/events.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { enabledEndpoint } from './redeliver.ts'

/** Sends `webhook.test` to one endpoint, regardless of its subscribed events, so that its owner can see it work. */
export async function sendTest(app: App, caller: Caller, endpointId: string): Promise<Event> {
  const id = uuidv7(app.now())
  await app.transaction(async (tx) => {
    const endpoint = await enabledEndpoint({ store: tx }, caller, endpointId)
    const { merchantId, environment } = caller
    const data = {
      endpoint_id: endpoint.id,
      message: 'This is a test. Verify its signature and answer with 2xx.',
    }
    await tx.events.append({ id, merchantId, environment, event: 'webhook.test', data, resourceId: null })
    await tx.webhookDeliveries.askAgain(id, [endpoint.id])
    const details = { event_id: id, url: endpoint.url }
    await noteActOf(tx, caller, { action: 'webhook.tested', subject: endpoint.id, details })
  })
  const event = await app.store.events.find(caller, id)
  if (event === null) throw new Error('The test event was not appended.')
  return event
}
