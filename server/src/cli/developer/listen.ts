import type { Event } from '@sluice/sdk/contract'
import { type Command, InvalidArgumentError } from 'commander'
import { isLoopbackHost } from '../../domain/ip-address.ts'
import { isWebhookSecret } from '../../domain/webhooks.ts'
import { explaining, wantsJson } from '../answer.ts'
import { UsageError } from '../failure.ts'
import type { Tools } from '../tools.ts'
import { type Connection, type ConnectionOptions, readConnection, withConnection } from './connection.ts'
import { eventLine, readEventNames, subjectOf } from './event-lines.ts'
import { forward, isAccepted, listenSecret } from './forward.ts'
import { untilInterrupted } from './interrupt.ts'
import { openApi } from './run-on-api.ts'
import { sayCuts } from './say-cuts.ts'

type ListenOptions = ConnectionOptions & {
  readonly forward: string
  readonly events?: string[]
  readonly secret?: string
  readonly live?: boolean
}

/** `listen`: sends a developer's own machine every event, as a webhook would. */
export function addListen(program: Command, tools: Tools): void {
  withConnection(program.command('listen'))
    .description('send every event to a URL on your machine, signed as a webhook, while it happens')
    .requiredOption('--forward <url>', 'where your own server receives webhooks', readTargetUrl)
    .option('--events <list>', 'comma-separated event names (default: all)', readEventNames)
    .option('--secret <whsec>', 'sign with this secret (default: one derived from your key)', readSecret)
    .option('--live', 'allow a live key: the events are those of real payments')
    .addHelpText(
      'after',
      `
The signing secret is derived from your key (HKDF-SHA-256), so it is the same each time; it does not reveal the key.
Events that happen while the connection is cut are sent when it is back. Nothing is sent twice by itself: send one
again with npx sluice events resend EVENT --forward URL.

Example:
  $ npx sluice listen --forward http://localhost:3000/hooks --events invoice.paid,invoice.deposit_reversed`,
    )
    .action((options: ListenOptions, command: Command) =>
      explaining(async () => {
        const connection = await readConnection(tools, options)
        if (connection.environment === 'live' && options.live !== true)
          throw new UsageError(
            'This is a live key: its events are about real payments. Use a test key, or say --live if you mean it.',
          )
        await listen(tools, connection, options, wantsJson(command))
      }),
    )
}

async function listen(
  tools: Tools,
  connection: Connection,
  options: ListenOptions,
  inJson: boolean,
): Promise<void> {
  const secret = options.secret ?? listenSecret(connection.key)
  // Standard output is for events alone where a machine reads it.
  const say = (line: string) => (inJson ? process.stderr : process.stdout).write(`${line}\n`)
  const api = await openApi(connection)
  const sender = await tools.openWebhookSender(options.forward)
  const counts = { accepted: 0, refused: 0 }
  try {
    await untilInterrupted(async (signal) => {
      // A server that takes its time is not waited for.
      signal.addEventListener('abort', () => sender.close())
      for await (const told of api.follow({ after: null, events: options.events ?? null, signal })) {
        if (told.kind === 'connected' && told.cutMs === null) sayBeginning(connection, options, secret, say)
        if (told.kind !== 'event') sayCuts(told, say)
        else if (await pass(told.event)) counts.accepted++
        else counts.refused++
      }
    })
  } finally {
    sender.close()
  }
  const all = counts.accepted + counts.refused
  say(
    `\n${all === 1 ? '1 event' : `${all} events`} sent on: ${counts.accepted} accepted, ${counts.refused} not.`,
  )

  async function pass(event: Event): Promise<boolean> {
    const answered = await forward(sender, secret, event, new Date())
    const { status, durationMs, error } = answered
    if (inJson)
      process.stdout.write(
        `${JSON.stringify({
          event_id: event.id,
          event: event.event,
          position: event.position,
          created_at: event.created_at,
          resource_id: subjectOf(event),
          status,
          ms: durationMs,
          error,
        })}\n`,
      )
    else say(`${eventLine(event)}  → ${status ?? error}  ${durationMs} ms`)
    const isDone = isAccepted(answered)
    if (!isDone && !inJson)
      say(`          send it again: npx sluice events resend ${event.id} --forward ${options.forward}`)
    return isDone
  }
}

function sayBeginning(
  connection: Connection,
  options: ListenOptions,
  secret: string,
  say: (line: string) => void,
): void {
  const which = connection.isDemo
    ? 'the demo merchant’s test events'
    : `your ${connection.environment} events`
  say(`Sending ${which} from ${connection.url} to ${options.forward} (Ctrl-C ends it).`)
  const { hostname } = new URL(options.forward)
  if (!isLoopbackHost(hostname.replace(/^\[(.*)\]$/, '$1')))
    say(`Note: ${hostname} is not this machine. What your events say goes there over the network.`)
  say(
    `Signing secret: ${secret}${options.secret === undefined ? '  (from your key, the same each time)' : ''}`,
  )
}

/** Reads `--forward`. */
export function readTargetUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('It must be an http or https URL, such as http://localhost:3000/hooks.')
  return url.href
}

/** Reads `--secret`. */
export function readSecret(text: string): string {
  if (!isWebhookSecret(text))
    throw new InvalidArgumentError('A secret is whsec_ and 24 to 64 bytes in base64.')
  return text
}
