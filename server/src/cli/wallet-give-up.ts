import type { Command } from 'commander'
import { giveUpConsolidation } from '../app/spends/give-up-consolidation.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { readId } from './arguments.ts'
import type { Tools } from './tools.ts'

/** `wallet give-up`: the end of a join whose transaction can never be mined. */
export function addGiveUpCommand(wallet: Command, tools: Tools): void {
  withName(withJson(wallet.command('give-up')))
    .description('free the coins of a join whose transaction can never be mined')
    .argument('<spend>', 'the join’s id, which the log names as its spend', readId)
    .option('--never-mined <spend>', 'state that no transaction of this spend will ever be mined', readId)
    .addHelpText(
      'after',
      '\nFor a join one of whose coins was reorganised away. Where the chain proves that its transaction is dead, nothing has to' +
        '\nbe stated; a running service ends it by itself too.',
    )
    .action((id: string, options: { as?: string; neverMined?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const given = { by: actorFrom(options), deadSpendId: options.neverMined ?? null }
          const { gateId, reason } = await giveUpConsolidation(app, id, given)
          return { spend_id: id, gate_id: gateId, reason }
        },
        ({ spend_id, gate_id, reason }) =>
          `${spend_id} of ${gate_id} is given up: ${reason}\nIts coins are free again.`,
      ),
    )
}
