import type { Caller } from '../../domain/caller.ts'
import type { WebhookEndpoint } from '../../store/webhooks/webhook-endpoints.ts'
import type { App } from '../app.ts'
import { noteTrustOf } from '../audit/note-act.ts'
import { noSuchEndpoint } from './create-endpoint.ts'

/** Enables an endpoint again. */
export async function enableEndpoint(app: App, caller: Caller, id: string): Promise<WebhookEndpoint> {
  return app.transaction(async (tx) => {
    const endpoint = await tx.webhookEndpoints.enable(caller, id)
    if (endpoint === null) throw noSuchEndpoint()
    const details = { url: endpoint.url }
    await noteTrustOf(tx, caller, { action: 'webhook.enabled', subject: endpoint.id, details })
    return endpoint
  })
}
