import { type Command, Option } from 'commander'
import { approvePayout } from '../app/payouts/approve-payout.ts'
import { cancelPayout } from '../app/payouts/cancel-payout.ts'
import { giveUpPayout } from '../app/spends/settling/give-up-payout.ts'
import { formatDecimal } from '../domain/money.ts'
import { type Payout, type PayoutStatus, payoutStatuses } from '../domain/payouts.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { readId, readName } from './arguments.ts'
import type { Tools } from './tools.ts'

const maxListed = 100

export function addPayoutCommands(program: Command, tools: Tools): void {
  const payout = program
    .command('payout')
    .description('payouts: money on its way out, which a person approves')

  withJson(payout.command('list'))
    .description(`list the newest payouts of all merchants, at most ${maxListed}`)
    .addOption(new Option('--status <status>', 'only payouts with this status').choices([...payoutStatuses]))
    .action((options: { status?: PayoutStatus }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const payouts = await app.store.payouts.newest(options.status ?? null, maxListed)
          return { payouts: payouts.map(payoutAnswer) }
        },
        ({ payouts }) => (payouts.length === 0 ? 'No payouts.' : payouts.map(inWords).join('\n')),
      ),
    )

  withName(withJson(payout.command('approve')))
    .description('approve a payout; if the merchant’s policy forbids it, it stays pending and says why')
    .argument('<id>', 'the payout’s id, from payout list', readId)
    .action((id: string, options: { as?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const by = actorFrom(options)
          return payoutAnswer(await approvePayout(app, null, id, { approver: by.actor, by }))
        },
        (each) =>
          each.status === 'pending_approval'
            ? `${inWords(each)}\nIt is not approved: ${each.waiting_reason}`
            : `${inWords(each)}\nIt is sent at ${each.executable_at} at the earliest.`,
      ),
    )

  withName(withJson(payout.command('reject')))
    .description('reject a payout that is not on its way yet; its reserved amount becomes available again')
    .argument('<id>', 'the payout’s id, from payout list', readId)
    .option('--reason <text>', 'why, for the ledger and the audit log', readName)
    .action((id: string, options: { as?: string; reason?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const person = actorFrom(options)
          const rejection = { by: person.actor, person, ...(options.reason && { reason: options.reason }) }
          return payoutAnswer(await cancelPayout(app, null, id, rejection))
        },
        inWords,
      ),
    )

  withName(withJson(payout.command('give-up')))
    .description('fail a payout, on its way or completed, whose transaction can never be mined')
    .argument('<id>', 'the payout’s id, from payout list', readId)
    .option('--never-mined <spend>', 'state that no transaction of this spend will ever be mined', readId)
    .addHelpText(
      'after',
      '\nFor a payout that lost a coin in a reorganisation. If the chain proves that its transaction is dead, leave' +
        '\n--never-mined out; a running service then also ends a payout on its way on its own. Otherwise the command says what' +
        '\nto check first: if the transaction is mined after all, the money has left although the payout failed. A completed' +
        '\npayout is undone only if a reorganisation has removed its transaction from the chain for good.',
    )
    .action((id: string, options: { as?: string; neverMined?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const given = { by: actorFrom(options), deadSpendId: options.neverMined ?? null }
          return payoutAnswer(await giveUpPayout(app, id, given))
        },
        (each) =>
          `${inWords(each)}\nIt has failed: ${each.failure_reason}\nEverything charged for it is available again.`,
      ),
    )
}

function payoutAnswer(payout: Payout) {
  return {
    payout_id: payout.id,
    merchant_id: payout.merchantId,
    environment: payout.environment,
    status: payout.status,
    currency: payout.currency,
    network: payout.network,
    amount: formatDecimal(payout.amountUnits, payout.decimals),
    destination: payout.destination,
    destination_tag: payout.destinationTag,
    refund_id: payout.refundId,
    created_by: payout.createdBy,
    spend_id: payout.spendId,
    waiting_reason: payout.waitingReason,
    failure_reason: payout.failureReason,
    executable_at: payout.executableAt?.toISOString() ?? null,
    created_at: payout.createdAt.toISOString(),
  }
}

function inWords(each: ReturnType<typeof payoutAnswer>): string {
  const tag = each.destination_tag === null ? '' : ` tag ${each.destination_tag}`
  const what = `${each.amount} ${each.currency} on ${each.network} to ${each.destination}${tag}`
  return `${each.payout_id}  ${each.environment}  ${each.status.padEnd(16)}  ${what}`
}
