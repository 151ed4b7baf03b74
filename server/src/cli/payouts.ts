import { type Command, Option } from 'commander'
import { approvePayout } from '../app/payouts/approve-payout.ts'
import { cancelPayout } from '../app/payouts/cancel-payout.ts'
import { giveUpPayout } from '../app/spends/give-up-payout.ts'
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
    .description('payouts: money on its way out, which a person lets go')

  withJson(payout.command('list'))
    .description(`list the newest payouts of all merchants, at most ${maxListed}`)
    .addOption(new Option('--status <status>', 'only those').choices([...payoutStatuses]))
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
    .description('let a payout go; over the merchant’s policy it stays, and says why')
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
            : `${inWords(each)}\nIt is carried out from ${each.executable_at} on.`,
      ),
    )

  withName(withJson(payout.command('reject')))
    .description('refuse a payout that is not on its way yet; what it reserved is available again')
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
    .description('end a payout as failed whose transaction can never be mined, on its way or completed')
    .argument('<id>', 'the payout’s id, from payout list', readId)
    .option('--never-mined <spend>', 'state that no transaction of this spend will ever be mined', readId)
    .addHelpText(
      'after',
      '\nFor a payout whose coin was reorganised away. Where the chain proves that its transaction is dead, nothing has to be' +
        '\nstated; a running service ends one on its way by itself too. Where it does not, the command says what to make sure of' +
        '\nfirst: if the transaction is mined after all, the money has left although the payout failed. A completed payout is' +
        '\ntaken back only where a reorganisation has taken its transaction from the chain for good.',
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
          `${inWords(each)}\nIt has failed: ${each.failure_reason}\nEverything that was charged for it is available again.`,
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
