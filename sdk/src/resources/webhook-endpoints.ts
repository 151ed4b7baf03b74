import type { Answer, Call, CallOptions, QueryOf, Rows } from '../call.ts'
import type {
  Event,
  NewlyMadeWebhookEndpoint,
  NewWebhookEndpoint,
  WebhookEndpoint,
} from '../contract.generated.ts'
import { allRows, largestPage } from '../pages.ts'

export type WebhookEndpoints = {
  /** Registers a URL that events are sent to. The `secret` is returned only once. */
  create(endpoint: NewWebhookEndpoint, options?: CallOptions): Promise<NewlyMadeWebhookEndpoint>
  get(id: string, options?: CallOptions): Promise<WebhookEndpoint>
  /** Stops sending to it; returns the deleted endpoint. */
  delete(id: string, options?: CallOptions): Promise<WebhookEndpoint>
  /** Creates a new `secret`, returned only once. The old one also signs for 24 more hours. */
  rotateSecret(id: string, options?: CallOptions): Promise<NewlyMadeWebhookEndpoint>
  /** Resumes sending to a disabled endpoint. */
  enable(id: string, options?: CallOptions): Promise<WebhookEndpoint>
  /** Sends `webhook.test` to it; returns the event, whose deliveries show the result. */
  test(id: string, options?: CallOptions): Promise<Event>
  /** One page of endpoints, newest first. */
  list(
    query?: QueryOf<'listWebhookEndpoints'>,
    options?: CallOptions,
  ): Promise<Answer<'listWebhookEndpoints'>>
  /** Every endpoint, newest first. */
  all(query?: QueryOf<'listWebhookEndpoints'>, options?: CallOptions): Rows<WebhookEndpoint>
}

export function webhookEndpointsOf(request: Call): WebhookEndpoints {
  const at = (id: string, call: CallOptions) => ({ ...call, path: { endpointID: id } })
  const list: WebhookEndpoints['list'] = (query = {}, call = {}) =>
    request('listWebhookEndpoints', { ...call, query })
  return {
    create: async (endpoint, call = {}) =>
      (await request('createWebhookEndpoint', { ...call, body: endpoint })).data,
    get: async (id, call = {}) => (await request('getWebhookEndpoint', at(id, call))).data,
    delete: async (id, call = {}) => (await request('deleteWebhookEndpoint', at(id, call))).data,
    rotateSecret: async (id, call = {}) => (await request('rotateWebhookSecret', at(id, call))).data,
    enable: async (id, call = {}) => (await request('enableWebhookEndpoint', at(id, call))).data,
    test: async (id, call = {}) => (await request('testWebhookEndpoint', at(id, call))).data,
    list,
    all: (query = {}, call = {}) =>
      allRows(query.offset ?? 0, (offset) =>
        list({ ...query, limit: query.limit ?? largestPage, offset }, call),
      ),
  }
}
