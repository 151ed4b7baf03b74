import type { EventNames, WebhookEndpoint } from '@sluice/sdk/contract'
import type { Command } from 'commander'
import type { Tools } from '../tools.ts'
import { type ConnectionOptions, withConnection } from './connection.ts'
import { runOnApi } from './run-on-api.ts'

/** Registers an endpoint with a key. */
export function createWithKey(
  tools: Tools,
  command: Command,
  options: ConnectionOptions & { readonly address: string; readonly events: string[] | null },
): Promise<void> {
  return runOnApi(
    tools,
    command,
    options,
    async ({ sluice }) => {
      const events = options.events as EventNames | null
      const made = await sluice.webhookEndpoints.create({
        url: options.address,
        ...(events !== null && { events }),
      })
      return { endpoint_id: made.id, url: made.url, secret: made.secret }
    },
    ({ endpoint_id, secret }) =>
      `Endpoint ${endpoint_id} created. Store its secret now, it is not shown again:\n${secret}`,
  )
}

/** Lists the endpoints of a key's merchant. */
export function listWithKey(tools: Tools, command: Command, options: ConnectionOptions): Promise<void> {
  return runOnApi(
    tools,
    command,
    options,
    async ({ sluice }) => ({
      endpoints: (await sluice.webhookEndpoints.list({ limit: 100 })).data.map(fieldsOf),
    }),
    ({ endpoints }) =>
      endpoints.length === 0
        ? 'No endpoints yet. Create one: npx sluice webhook create --help'
        : endpoints
            .map(({ endpoint_id, url, status, disabled_reason }) =>
              [endpoint_id, status, url, disabled_reason ?? ''].join('  ').trimEnd(),
            )
            .join('\n'),
  )
}

/** Adds `webhook test` and `webhook delete`, which exist over the API only. */
export function addKeyWebhookCommands(webhook: Command, tools: Tools): void {
  withConnection(webhook.command('test'))
    .description('send a webhook.test to an endpoint, over the API with a key')
    .argument('<id>', 'the endpoint’s id')
    .action((id: string, options: ConnectionOptions, command: Command) =>
      runOnApi(
        tools,
        command,
        options,
        async ({ sluice }) => ({ event_id: (await sluice.webhookEndpoints.test(id)).id }),
        ({ event_id }) => `Sent ${event_id}. See how it went: npx sluice events get ${event_id}`,
      ),
    )
  withConnection(webhook.command('delete'))
    .description('stop sending to an endpoint, over the API with a key')
    .argument('<id>', 'the endpoint’s id')
    .action((id: string, options: ConnectionOptions, command: Command) =>
      runOnApi(
        tools,
        command,
        options,
        async ({ sluice }) => fieldsOf(await sluice.webhookEndpoints.delete(id)),
        ({ endpoint_id }) => `Endpoint ${endpoint_id} is deleted.`,
      ),
    )
}

function fieldsOf({ id, url, events, status, disabled_reason, created_at }: WebhookEndpoint) {
  return { endpoint_id: id, url, events, status, disabled_reason, created_at }
}
