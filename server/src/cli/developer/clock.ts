import type { TestClock, TestClockMove } from '@sluice/sdk/contract'
import type { Command } from 'commander'
import { answer, explaining } from '../answer.ts'
import { UsageError } from '../failure.ts'
import type { Tools } from '../tools.ts'
import { type ConnectionOptions, readConnection, withConnection } from './connection.ts'
import { openApi } from './run-on-api.ts'

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const
const durationPattern = /^([1-9]\d{0,8})([smhd])$/

/** `clock`: the time in a merchant's test environment. */
export function addClock(program: Command, tools: Tools): void {
  const clock = withConnection(program.command('clock')).description(
    'show the time in your test environment, or move it forward',
  )
  clock
    .addHelpText('after', '\nExamples:\n  $ npx sluice clock\n  $ npx sluice clock advance 1h')
    .action((options: ConnectionOptions, command: Command) =>
      onClock(tools, command, options, (api) => api.sluice.test.getClock(), shown),
    )
  withConnection(clock.command('advance'))
    .description('move time forward: windows end, cooling-off ends, webhooks are retried')
    .argument('<duration>', 'how far, such as 90s, 30m, 1h or 7d; or a time, such as 2026-12-24T18:00:00Z')
    .addHelpText('after', '\nOnly your own test environment moves, and never back.')
    .action((by: string, _options: ConnectionOptions, command: Command) =>
      onClock(
        tools,
        command,
        command.optsWithGlobals<ConnectionOptions>(),
        (api) => api.sluice.test.advanceClock(advanceFrom(by)),
        (move) => `${shown(move)}\n${dueIn(move)}`,
      ),
    )
}

async function onClock<T extends object>(
  tools: Tools,
  command: Command,
  options: ConnectionOptions,
  work: (api: Awaited<ReturnType<typeof openApi>>) => Promise<T>,
  say: (data: T) => string,
): Promise<void> {
  await explaining(async () => {
    const connection = await readConnection(tools, options)
    if (connection.environment === 'live')
      throw new UsageError('Only the test environment has a clock that can be moved. Use a test key.')
    const data = await work(await openApi(connection))
    answer(command, data, say(data))
  })
}

function advanceFrom(text: string): { advance_seconds: number } | { advance_to: string } {
  const [, count, unit] = durationPattern.exec(text) ?? []
  if (count !== undefined && unit !== undefined)
    return { advance_seconds: Number(count) * unitSeconds[unit as keyof typeof unitSeconds] }
  if (/^\d{4}-/.test(text)) return { advance_to: text }
  throw new UsageError(
    `How far? A duration such as 90s, 30m, 1h or 7d, or a time such as 2026-12-24T18:00:00Z.`,
  )
}

function shown({ now, ahead_seconds: ahead }: TestClock): string {
  return ahead === 0 ? `${now}  (the real time)` : `${now}  (${durationOf(ahead)} ahead of the real time)`
}

function dueIn({ due }: TestClockMove): string {
  const counts = [
    [due.invoices, 'window of an invoice', 'windows of invoices'],
    [due.payouts, 'payout cooled off', 'payouts cooled off'],
    [due.webhook_deliveries, 'webhook to retry', 'webhooks to retry'],
  ] as const
  const said = counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)
  return said.length === 0 ? 'Nothing was due by then.' : `Due by then: ${said.join(', ')}.`
}

/** `1 d 2 h 5 min`, without the parts that are zero. */
function durationOf(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
