import type { Command } from 'commander'
import { giveUpMove } from '../app/spends/settling/give-up-move.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { readId } from './arguments.ts'
import type { Tools } from './tools.ts'

/** `wallet give-up`: ends a consolidation, a refill or a move to the cold wallet whose transaction can never be mined. */
export function addGiveUpCommand(wallet: Command, tools: Tools): void {
  withName(withJson(wallet.command('give-up')))
    .description(
      'free the funds of a consolidation, a refill or a move to the cold wallet whose transaction can never be mined',
    )
    .argument('<spend>', 'the spend id, from the log, or the refill id', readId)
    .option('--never-mined <spend>', 'state that no transaction of this spend will ever be mined', readId)
    .addHelpText(
      'after',
      '\nFor a transaction that lost a coin in a reorganisation. If the chain proves that its transaction is dead, leave' +
        '\n--never-mined out; a running service then also ends it on its own.',
    )
    .action((id: string, options: { as?: string; neverMined?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const given = { by: actorFrom(options), deadSpendId: options.neverMined ?? null }
          const { gateId, reason } = await giveUpMove(app, id, given)
          return { spend_id: id, gate_id: gateId, reason }
        },
        ({ spend_id, gate_id, reason }) =>
          `${spend_id} of ${gate_id} was given up: ${reason}\nIts funds are free again.`,
      ),
    )
}
