import { Argument, type Command } from 'commander'
import { answer, explaining, wantsJson } from '../answer.ts'
import { UsageError } from '../failure.ts'
import type { Tools } from '../tools.ts'
import { type ConnectionOptions, readConnection, withConnection } from './connection.ts'
import { openApi } from './run-on-api.ts'
import { withStage } from './stage.ts'
import { type Story, stories } from './stories.ts'

const nameWidth = Math.max(...stories.map(({ name }) => name.length))

/** `trigger`: makes a whole story happen on the simulated networks. */
export function addTrigger(program: Command, tools: Tools): void {
  withConnection(program.command('trigger'))
    .description('make a story happen on the simulated networks, with its real events')
    .addArgument(new Argument('[story]', 'which one').choices(stories.map(({ name }) => name)))
    .option('--list', 'describe the stories')
    .addHelpText('after', `\nStories:\n${described()}\n\nExample:\n  $ npx sluice trigger invoice.paid`)
    .action((name: string | undefined, options: ConnectionOptions & { list?: boolean }, command: Command) =>
      explaining(async () => {
        if (options.list === true) {
          const named = stories.map(({ name, description }) => ({ name, description }))
          return answer(command, { stories: named }, described())
        }
        const story = stories.find((each) => each.name === name)
        if (story === undefined) throw new UsageError(`Which story? One of:\n${described()}`)
        await play(tools, story, options, command)
      }),
    )
}

async function play(tools: Tools, story: Story, options: ConnectionOptions, command: Command): Promise<void> {
  const connection = await readConnection(tools, options)
  if (connection.environment === 'live')
    throw new UsageError('Stories happen on the simulated networks only. Use a test key.')
  const inJson = wantsJson(command)
  const say = (line: string) => (inJson ? process.stderr : process.stdout).write(`${line}\n`)
  const api = await openApi(connection)
  const { invoice, payoutId, told } = await withStage(api, say, async (stage) => ({
    ...(await story.play(stage)),
    told: [...stage.told],
  }))
  const dashboard = `${connection.url.replace('//127.0.0.1', '//localhost')}/dashboard`
  answer(
    command,
    {
      story: story.name,
      events: told,
      invoice_id: invoice?.id ?? null,
      payout_id: payoutId,
      checkout_url: invoice?.checkout_url ?? null,
      dashboard_url: dashboard,
    },
    [
      '',
      `Done: ${story.description}.`,
      ...(invoice?.checkout_url ? [`The payment page:  ${invoice.checkout_url}`] : []),
      `The dashboard:     ${dashboard}`,
      `All its events:    npx sluice events list --resource ${payoutId ?? invoice?.id ?? ''}`,
    ].join('\n'),
  )
}

function described(): string {
  return stories.map(({ name, description }) => `  ${name.padEnd(nameWidth)}  ${description}`).join('\n')
}
