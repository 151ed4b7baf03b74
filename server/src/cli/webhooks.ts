import { type Command, Option } from 'commander'
import { createEndpoint } from '../app/webhooks/create-endpoint.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { ServiceError } from '../domain/errors.ts'
import { actorFrom, withName } from './acting.ts'
import { explaining, runOnApp } from './answer.ts'
import { readId } from './arguments.ts'
import { type ConnectionOptions, withConnection } from './developer/connection.ts'
import { readEventNames } from './developer/event-lines.ts'
import { addKeyWebhookCommands, createWithKey, listWithKey } from './developer/webhooks.ts'
import { UsageError } from './failure.ts'
import type { Tools } from './tools.ts'

const maxListed = 100

type Owner = { readonly merchantId: string; readonly environment: Environment }
type OwnerOptions = { readonly merchant?: string; readonly environment?: Environment }
type CreateOptions = ConnectionOptions & OwnerOptions & { readonly events?: string[]; readonly as?: string }

const twoWays = `
A developer has a key and calls the API (--url, --key). An operator names --merchant and --environment instead: the
command then works on the installation itself, without a key, and --url may name the endpoint.`

/**
 * Webhook endpoints, in one tree for both who use it: with `--merchant` a command works on this installation, as an
 * operator's commands do; without it, it calls the API with a key.
 */
export function addWebhookCommands(program: Command, tools: Tools): void {
  const webhook = program
    .command('webhook')
    .description('webhook endpoints: the URLs that get a merchant’s events')

  withName(of(withConnection(webhook.command('create'))))
    .description('register an endpoint and show its secret once')
    .argument('[address]', 'the URL to send events to')
    .option('--events <list>', 'comma-separated event names (default: all)', readEventNames)
    .addHelpText(
      'after',
      `${twoWays}

Examples:
  $ npx sluice webhook create https://shop.example.com/hooks --events invoice.paid
  $ npx sluice webhook create --merchant ID --environment test --url http://127.0.0.1:3000/hook`,
    )
    .action((address: string | undefined, options: CreateOptions, command: Command) =>
      explaining(async () => {
        const owner = ownerFrom(options)
        const target = address ?? (owner === null ? undefined : options.url)
        if (target === undefined) throw new UsageError('Where to? Name the URL that receives events.')
        const { events = null } = options
        if (owner === null) await createWithKey(tools, command, { ...options, address: target, events })
        else await createAsOperator(tools, command, options, { owner, url: target, events })
      }),
    )

  of(withConnection(webhook.command('list')))
    .description('list endpoints without their secrets')
    .addHelpText('after', twoWays)
    .action((options: ConnectionOptions & OwnerOptions, command: Command) =>
      explaining(async () => {
        const owner = ownerFrom(options)
        if (owner === null) await listWithKey(tools, command, options)
        else await listAsOperator(tools, command, owner)
      }),
    )

  addKeyWebhookCommands(webhook, tools)
}

async function createAsOperator(
  tools: Tools,
  command: Command,
  options: { as?: string },
  wanted: { owner: Owner; url: string; events: string[] | null },
): Promise<void> {
  const { owner, url, events } = wanted
  await runOnApp(
    tools,
    command,
    async (app) => {
      if ((await app.store.merchants.find(owner.merchantId)) === null)
        throw new ServiceError(
          'not_found',
          `There is no merchant ${owner.merchantId}. See: npx sluice merchant list`,
        )
      const person = actorFrom(options)
      const made = await createEndpoint(
        app,
        { ...owner, actor: person.actor, person },
        { url, events, description: null },
      )
      return { endpoint_id: made.id, url: made.url, secret: made.secret }
    },
    ({ endpoint_id, secret }) =>
      `Endpoint ${endpoint_id} created. Store its secret now, it is not shown again:\n${secret}`,
  )
}

async function listAsOperator(tools: Tools, command: Command, owner: Owner): Promise<void> {
  await runOnApp(
    tools,
    command,
    async (app) => {
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
  )
}

function of(command: Command): Command {
  return command
    .option('--merchant <id>', 'on this installation: the merchant', readId)
    .addOption(
      new Option('--environment <name>', 'on this installation: the environment').choices([...environments]),
    )
}

/** Null: the command goes over the API. */
function ownerFrom(options: OwnerOptions & ConnectionOptions): Owner | null {
  const { merchant: merchantId, environment } = options
  if (merchantId === undefined && environment === undefined) return null
  if (merchantId === undefined || environment === undefined)
    throw new UsageError('--merchant and --environment go together.')
  if (options.key !== undefined) throw new UsageError('Say either --merchant or --key.')
  return { merchantId, environment }
}
