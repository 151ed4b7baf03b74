import type { Caller } from '../../domain/caller.ts'
import type { WebhookEndpoint } from '../../store/webhooks/webhook-endpoints.ts'
import type { App } from '../app.ts'
import { noteTrustOf } from '../audit/note-act.ts'
import { noSuchEndpoint } from './create-endpoint.ts'

/** Deletes an endpoint and gives up its pending deliveries. */
export async function deleteEndpoint(app: App, caller: Caller, id: string): Promise<WebhookEndpoint> {
  return app.transaction(async (tx) => {
    const removed = await tx.webhookEndpoints.remove(caller, id)
    if (removed === null) throw noSuchEndpoint()
    await tx.webhookDeliveries.giveUp(removed.id)
    await noteTrustOf(tx, caller, {
      action: 'webhook.deleted',
      subject: removed.id,
      details: { url: removed.url },
    })
    return removed
  })
}
