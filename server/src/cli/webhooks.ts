import { type Command, InvalidArgumentError, Option } from 'commander'
import { createEndpoint } from '../app/webhooks/create-endpoint.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { ServiceError } from '../domain/errors.ts'
import { eventNames } from '../domain/events.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { readId } from './arguments.ts'
import type { Tools } from './tools.ts'

const maxListed = 100

export function addWebhookCommands(program: Command, tools: Tools): void {
  const webhook = program
    .command('webhook')
    .description('webhook endpoints: the URLs that get a merchant’s events')

  withName(of(withJson(webhook.command('create'))))
    .description('register an endpoint and show its secret once')
    .requiredOption('--url <address>', 'the URL to send events to')
    .option('--events <list>', 'comma-separated event names (default: all)', readEvents)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx sluice webhook create --merchant ID --environment test --url http://127.0.0.1:3000/hook',
    )
    .action(
      (
        options: { merchant: string; environment: Environment; url: string; events?: string[]; as?: string },
        command: Command,
      ) =>
        runOnApp(
          tools,
          command,
          async (app) => {
            const { merchant: merchantId, environment, url, events = null } = options
            if ((await app.store.merchants.find(merchantId)) === null)
              throw new ServiceError(
                'not_found',
                `There is no merchant ${merchantId}. See: npx sluice merchant list`,
              )
            const person = actorFrom(options)
            const made = await createEndpoint(
              app,
              { actor: person.actor, merchantId, environment, person },
              { url, events, description: null },
            )
            return { endpoint_id: made.id, url: made.url, secret: made.secret }
          },
          ({ endpoint_id, secret }) =>
            `Endpoint ${endpoint_id} created. Store its secret now, it is not shown again:\n${secret}`,
        ),
    )

  of(withJson(webhook.command('list')))
    .description('list a merchant’s endpoints without their secrets')
    .action((options: { merchant: string; environment: Environment }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const owner = { merchantId: options.merchant, environment: options.environment }
          const { rows } = await app.store.webhookEndpoints.list(owner, { limit: maxListed, offset: 0 })
          return {
            endpoints: rows.map(({ id, url, events, status, disabledReason, createdAt }) => ({
              endpoint_id: id,
              url,
              events,
              status,
              disabled_reason: disabledReason,
              created_at: createdAt.toISOString(),
            })),
          }
        },
        ({ endpoints }) =>
          endpoints.length === 0
            ? 'No endpoints yet. Create one: npx sluice webhook create --help'
            : endpoints
                .map(({ endpoint_id, url, status, disabled_reason }) =>
                  [endpoint_id, status, url, disabled_reason ?? ''].join('  ').trimEnd(),
                )
                .join('\n'),
      ),
    )
}

function of(command: Command): Command {
  return command
    .requiredOption('--merchant <id>', 'the merchant', readId)
    .addOption(
      new Option('--environment <name>', 'the environment').choices([...environments]).makeOptionMandatory(),
    )
}

function readEvents(text: string): string[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const unknown = names.filter((name) => !(eventNames as readonly string[]).includes(name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `Unknown event: ${unknown.join(', ')}. Known events: ${eventNames.join(', ')}`,
    )
  return names
}
