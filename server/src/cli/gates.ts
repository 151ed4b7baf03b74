import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../app/app.ts'
import { resumeChain } from '../app/chain/resume-chain.ts'
import { standingOf } from '../app/operator/list-gates.ts'
import { ServiceError } from '../domain/errors.ts'
import { healthOf } from '../domain/gate-health.ts'
import { runOnApp, withJson } from './answer.ts'
import { addGateTry } from './gate-try.ts'
import type { Tools } from './tools.ts'

export function addGateCommands(program: Command, tools: Tools): void {
  const gate = program.command('gate').alias('gates').description('gates: the networks that Sluice follows')

  withJson(gate.command('list', { isDefault: true }))
    .description('list the gates, how far each is followed, and why one is offline or halted')
    .action((_options, command: Command) => runOnApp(tools, command, listGates, inWords))

  withJson(gate.command('resume'))
    .description('follow a halted gate again, from a block on both branches')
    .argument('<gate>', 'the gate’s id, such as bitcoin-live')
    .requiredOption('--from-height <height>', 'the newest block you know to be on both branches', readHeight)
    .addHelpText(
      'after',
      '\nA gate halts when its chain is reorganised deeper than allowed. First find out why, and where the branches part.' +
        '\nSluice then reads everything above that height from the node again, and reverses payments that are gone.',
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

  addGateTry(gate, tools)
}

async function listGates(app: App) {
  const [chains, progress] = await Promise.all([
    app.store.followedChains.list(),
    app.store.gateProgress.list(),
  ])
  const followed = chains.map((chain) => {
    // The simulated chain is the database itself, which has just answered.
    const health =
      chain.chain === 'simulated' ? { online: true as const } : healthOf(progress.get(chain.gateId) ?? null)
    const { status, haltReason, offlineReason } = standingOf(health, chain)
    return {
      gate_id: chain.gateId,
      status,
      height: Number(chain.height) as number | null,
      hash: chain.hash as string | null,
      scanned_at: chain.scannedAt.toISOString() as string | null,
      halt_reason: haltReason,
      offline_reason: offlineReason,
    }
  })
  const known = new Set(chains.map(({ gateId }) => gateId))
  const others = [...progress].flatMap(([gateId, each]) => {
    if (known.has(gateId)) return []
    const { status, haltReason, offlineReason } = standingOf(healthOf(each), undefined)
    return [
      {
        gate_id: gateId,
        status,
        height: null,
        hash: null,
        scanned_at: null,
        halt_reason: haltReason,
        offline_reason: offlineReason,
      },
    ]
  })
  return { gates: [...followed, ...others] }
}

const stateWords = {
  online: 'followed',
  offline: 'OFFLINE',
  halted: 'HALTED',
  not_followed: 'NOT FOLLOWED YET',
}

function inWords({ gates }: Awaited<ReturnType<typeof listGates>>): string {
  if (gates.length === 0) return 'No gate is followed yet. Start the service: npx sluice start'
  return gates
    .map(({ gate_id, status, height, halt_reason, offline_reason }) => {
      const reason = halt_reason ?? offline_reason
      const state = reason === null ? stateWords[status] : `${stateWords[status]}: ${reason}`
      return `${gate_id.padEnd(16)}  height ${String(height ?? '-').padStart(9)}  ${state}`
    })
    .join('\n')
}

function readHeight(text: string): bigint {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return BigInt(text)
}
