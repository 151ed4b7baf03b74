import { type Command, InvalidArgumentError } from 'commander'
import { answer, explaining, wantsJson } from '../answer.ts'
import { UsageError } from '../failure.ts'
import type { Tools } from '../tools.ts'
import { type ConnectionOptions, readConnection, withConnection } from './connection.ts'
import { eventLine, readEventNames, readPosition } from './event-lines.ts'
import { forward, isAccepted, listenSecret } from './forward.ts'
import { untilInterrupted } from './interrupt.ts'
import { readSecret, readTargetUrl } from './listen.ts'
import { openApi, runOnApi } from './run-on-api.ts'
import { sayCuts } from './say-cuts.ts'

type TailOptions = ConnectionOptions & { readonly after?: string; readonly events?: string[] }
type ListOptions = ConnectionOptions & {
  readonly event?: string
  readonly resource?: string
  readonly limit: number
}
type ResendOptions = ConnectionOptions & {
  readonly endpoint?: string
  readonly forward?: string
  readonly secret?: string
}

/** `events`: what happened to the merchant's resources. */
export function addEventCommands(program: Command, tools: Tools): void {
  const events = program.command('events').description('events: what happened, over the API with a key')

  withConnection(events.command('tail'))
    .description('print every event while it happens')
    .option(
      '--after <position>',
      'begin behind this position; 0 is before the first (default: now)',
      readPosition,
    )
    .option('--events <list>', 'comma-separated event names (default: all)', readEventNames)
    .action((options: TailOptions, command: Command) =>
      explaining(async () => {
        const api = await openApi(await readConnection(tools, options))
        const { after = null, events: names = null } = options
        const inJson = wantsJson(command)
        await untilInterrupted(async (signal) => {
          for await (const told of api.follow({ after, events: names, signal })) {
            if (told.kind !== 'event') sayCuts(told, (line) => process.stderr.write(`${line}\n`))
            else process.stdout.write(`${inJson ? JSON.stringify(told.event) : eventLine(told.event)}\n`)
          }
        })
      }),
    )

  withConnection(events.command('list'))
    .description('list events, newest first')
    .option('--event <name>', 'only events of this name')
    .option('--resource <id>', 'only events about this invoice, payout or refund')
    .option('--limit <count>', 'how many, at most 100', readLimit, 20)
    .action((options: ListOptions, command: Command) =>
      runOnApi(
        tools,
        command,
        options,
        async ({ sluice }) => {
          const { data } = await sluice.events.list({
            limit: options.limit,
            ...(options.event !== undefined && { event: options.event }),
            ...(options.resource !== undefined && { resource_id: options.resource }),
          })
          return { events: data }
        },
        ({ events: all }) =>
          all.length === 0
            ? 'No events yet. Make some: npx sluice trigger invoice.paid'
            : all.map((event) => `${event.id}  ${eventLine(event)}`).join('\n'),
      ),
    )

  withConnection(events.command('get'))
    .description('show an event with its deliveries')
    .argument('<id>', 'the event’s id, evt_…')
    .action((id: string, options: ConnectionOptions, command: Command) =>
      runOnApi(
        tools,
        command,
        options,
        ({ sluice }) => sluice.events.get(id),
        (event) => JSON.stringify(event, null, 2),
      ),
    )

  withConnection(events.command('resend'))
    .description('send an event again: to its endpoints, to one of them, or to a URL on your machine')
    .argument('<id>', 'the event’s id, evt_…')
    .option('--endpoint <id>', 'only to this endpoint')
    .option('--forward <url>', 'to this URL from here, as listen sends it', readTargetUrl)
    .option('--secret <whsec>', 'with --forward: sign with this secret, not the one of listen', readSecret)
    .action((id: string, options: ResendOptions, command: Command) =>
      explaining(async () => {
        if (options.forward === undefined && options.secret !== undefined)
          throw new UsageError('--secret goes with --forward: an endpoint has a secret of its own.')
        if (options.forward === undefined) return resendToEndpoints(tools, id, options, command)
        if (options.endpoint !== undefined) throw new UsageError('Say either --endpoint or --forward.')
        const connection = await readConnection(tools, options)
        const { sluice } = await openApi(connection)
        const event = await sluice.events.get(id)
        const sender = await tools.openWebhookSender(options.forward)
        const secret = options.secret ?? listenSecret(connection.key)
        const answered = await forward(sender, secret, event, new Date()).finally(() => sender.close())
        const { status, durationMs, error } = answered
        if (!isAccepted(answered)) process.exitCode = 1
        answer(
          command,
          { event_id: event.id, status, ms: durationMs, error },
          `${eventLine(event)}  → ${status ?? error}  ${durationMs} ms`,
        )
      }),
    )
}

async function resendToEndpoints(
  tools: Tools,
  id: string,
  options: ResendOptions,
  command: Command,
): Promise<void> {
  const { sluice } = await openApi(await readConnection(tools, options))
  const to = options.endpoint === undefined ? {} : { endpoint_id: options.endpoint }
  const { deliveries } = await sluice.events.redeliver(id, to)
  const pending = deliveries.filter(({ status }) => status === 'pending')
  if (pending.length === 0)
    throw new UsageError(
      'No enabled endpoint has had this event, so none was sent it again. Name one with --endpoint, or use --forward.',
    )
  answer(
    command,
    { event_id: id, endpoint_ids: pending.map(({ endpoint_id }) => endpoint_id) },
    `Sent again to ${pending.map(({ endpoint_id }) => `endpoint ${endpoint_id}`).join(', ')}. See: npx sluice events get ${id}`,
  )
}

/** Reads `--limit`. */
export function readLimit(text: string): number {
  if (!/^[1-9]\d?$|^100$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 to 100.')
  return Number(text)
}
