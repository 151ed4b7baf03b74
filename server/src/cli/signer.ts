import { type Command, Option } from 'commander'
import { type Environment, environments } from '../domain/environment.ts'
import { answer, explaining, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

/** `signer`: the settings to which this machine's signer holds. */
export function addSignerCommands(program: Command, tools: Tools): void {
  const signer = program
    .command('signer')
    .description('this machine’s signer; run these on the signer’s machine')

  withJson(signer.command('settings'))
    .description('show which of the operator’s settings are in force, and which still wait')
    .addOption(new Option('--environment <name>', 'live or test').choices([...environments]).default('live'))
    .action(({ environment }: { environment: Environment }, command: Command) =>
      explaining(async () => {
        const known = await tools.signer.settings(tools.readSettings(), environment)
        const in_force = Object.fromEntries(known.inForce.map(({ name, shown }) => [name, shown]))
        const waiting = known.waiting.map(({ name, change, from }) => ({
          setting: name,
          change,
          from: from.toISOString(),
        }))
        const data = { path: known.path, in_force, waiting, config_differs: known.isChanged }
        answer(command, data, inWords(data))
      }),
    )
}

function inWords(data: {
  readonly in_force: Readonly<Record<string, string>>
  readonly waiting: readonly { readonly setting: string; readonly change: string; readonly from: string }[]
  readonly config_differs: boolean
}): string {
  return [
    'In force:',
    ...Object.entries(data.in_force).map(([name, shown]) => `  ${name}: ${shown}`),
    ...(data.waiting.length === 0 ? ['Nothing waits.'] : ['Waiting:']),
    ...data.waiting.map(({ setting, change, from }) => `  ${setting}: ${change}, from ${from} on`),
    ...(data.config_differs
      ? [
          'SLUICE_CONFIG has other settings than the signer found at its last start. Restart it to apply them.',
        ]
      : []),
  ].join('\n')
}
