import type { App } from '../../../app/app.ts'
import { createEndpoint, noSuchEndpoint } from '../../../app/webhooks/create-endpoint.ts'
import { deleteEndpoint } from '../../../app/webhooks/delete-endpoint.ts'
import { enableEndpoint } from '../../../app/webhooks/enable-endpoint.ts'
import { rotateSecret } from '../../../app/webhooks/rotate-secret.ts'
import { sendTest } from '../../../app/webhooks/send-test.ts'
import type { WebhookEndpoint } from '../../../store/webhooks/webhook-endpoints.ts'
import { created, type Handlers, ok, okPage } from '../../reply.ts'
import { eventView } from '../events/view.ts'
import { endpointView, endpointWithSecretView } from './webhook-endpoint-view.ts'

export function webhookEndpoints(
  app: App,
): Pick<
  Handlers,
  | 'createWebhookEndpoint'
  | 'listWebhookEndpoints'
  | 'getWebhookEndpoint'
  | 'deleteWebhookEndpoint'
  | 'rotateWebhookSecret'
  | 'enableWebhookEndpoint'
  | 'testWebhookEndpoint'
> {
  return {
    createWebhookEndpoint: async ({ caller, body }) => {
      const { url, events = null, description = null } = body
      return created(endpointWithSecretView(await createEndpoint(app, caller, { url, events, description })))
    },
    listWebhookEndpoints: async ({ caller, query }) =>
      okPage(await app.store.webhookEndpoints.list(caller, query), query, endpointView),
    getWebhookEndpoint: async ({ caller, path }) =>
      ok(endpointView(found(await app.store.webhookEndpoints.find(caller, path.endpointID)))),
    deleteWebhookEndpoint: async ({ caller, path }) =>
      ok(endpointView(await deleteEndpoint(app, caller, path.endpointID))),
    rotateWebhookSecret: async ({ caller, path }) =>
      ok(endpointWithSecretView(await rotateSecret(app, caller, path.endpointID))),
    enableWebhookEndpoint: async ({ caller, path }) =>
      ok(endpointView(await enableEndpoint(app, caller, path.endpointID))),
    testWebhookEndpoint: async ({ caller, path }) =>
      created(eventView(await sendTest(app, caller, path.endpointID))),
  }
}

function found(endpoint: WebhookEndpoint | null): WebhookEndpoint {
  if (endpoint === null) throw noSuchEndpoint()
  return endpoint
}
