import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../app/app.ts'
import { resumeChain } from '../app/chain/resume-chain.ts'
import { ServiceError } from '../domain/errors.ts'
import { runOnApp, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

export function addGateCommands(program: Command, tools: Tools): void {
  const gate = program.command('gate').description('gates: the networks that are followed')

  withJson(gate.command('list'))
    .description('list the gates, how far each is followed, and whether one is halted')
    .action((_options, command: Command) => runOnApp(tools, command, listGates, inWords))

  withJson(gate.command('resume'))
    .description('follow a halted gate again, from a block that both branches have')
    .argument('<gate>', 'the gate’s id, such as bitcoin-live')
    .requiredOption('--from-height <height>', 'the newest block you know to be on both branches', readHeight)
    .addHelpText(
      'after',
      '\nA gate halts when its chain is reorganised deeper than allowed. Find out why, and where the branches part, first.' +
        '\nEverything above that height is then taken from the node anew: payments that are gone are reversed.',
    )
    .action((id: string, options: { fromHeight: bigint }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const found = app.gates.find(id)
          if (found === null)
            throw new ServiceError('not_found', `There is no gate ${id}. See: npx sluice gate list`)
          const { height, hash } = await resumeChain(app, found, options.fromHeight)
          return { gate_id: id, height: Number(height), hash }
        },
        ({ gate_id, height }) => `${gate_id} is followed again, up to height ${height}.`,
      ),
    )
}

async function listGates(app: App) {
  const chains = await app.store.followedChains.list()
  return {
    gates: chains.map(({ gateId, height, hash, scannedAt, haltReason }) => ({
      gate_id: gateId,
      height: Number(height),
      hash,
      scanned_at: scannedAt.toISOString(),
      halt_reason: haltReason,
    })),
  }
}

function inWords({ gates }: Awaited<ReturnType<typeof listGates>>): string {
  if (gates.length === 0) return 'No gate is followed yet. Start the service: npx sluice start'
  return gates
    .map(({ gate_id, height, halt_reason }) => {
      const state = halt_reason === null ? 'followed' : `HALTED: ${halt_reason}`
      return `${gate_id.padEnd(16)}  height ${String(height).padStart(9)}  ${state}`
    })
    .join('\n')
}

function readHeight(text: string): bigint {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return BigInt(text)
}
