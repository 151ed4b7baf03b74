import { type Command, InvalidArgumentError } from 'commander'
import { maxGap } from '../domain/rescan.ts'
import { answer, explaining, withJson } from './answer.ts'
import type { Reconciled, Tools } from './tools.ts'

type Options = { accept: string[]; skipAddresses?: number }

export function addWalletReconcile(wallet: Command, tools: Tools): void {
  withJson(wallet.command('reconcile'))
    .description('make the signer’s journal and the database agree, after one was restored from a backup')
    .option(
      '--accept <hash>',
      'a transaction to accept although its payouts are lost; may be repeated',
      (hash: string, before: string[]) => [...before, hash],
      [] as string[],
    )
    .option(
      '--skip-addresses <count>',
      'how many deposit addresses may have been handed out since the backup, if the journal does not say',
      readCount,
    )
    .addHelpText(
      'after',
      '\nStop the service first, and reconcile before you start it again. Exit code 1 if anything is left unresolved.',
    )
    .action((options: Options, command: Command) =>
      explaining(async () => {
        const settings = tools.readSettings()
        const found = await tools.withApp(settings, tools.createLog(settings, 'warn'), (app) =>
          tools.wallet.reconcile(app, settings, {
            accepted: options.accept,
            skipAddresses: options.skipAddresses ?? null,
          }),
        )
        const { transactions, addresses } = found
        if ([...transactions, ...addresses].some(({ outcome }) => outcome === 'unresolved'))
          process.exitCode = 1
        answer(command, { transactions: transactions.map(shown), addresses }, inWords(found))
      }),
    )
}

function readCount(text: string): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) > maxGap)
    throw new InvalidArgumentError(`It must be a number from 0 to ${maxGap}.`)
  return Number(text)
}

function shown({ hash, gateId, kind, payoutIds, outcome, reason }: Reconciled['transactions'][number]) {
  return { tx_hash: hash, gate_id: gateId, kind, payout_ids: payoutIds, outcome, reason }
}

function inWords({ transactions, addresses }: Reconciled): string {
  const said = {
    journaled: 'added to the journal',
    restored: 'restored',
    lost: 'restored without its payouts: settle it with the merchant',
    unresolved: 'NOT RESOLVED',
  }
  const lines = [
    ...transactions.map(({ hash, gateId, kind, outcome, reason }) => ({
      line: `${gateId}  ${kind}  ${hash}  ${said[outcome]}`,
      reason,
    })),
    ...addresses.map(({ keychain, outcome, skipped, reason }) => ({
      line: `${keychain}  deposit addresses  ${outcome === 'skipped' ? `${skipped} skipped` : said[outcome]}`,
      reason,
    })),
  ]
  if (lines.length === 0) return 'The journal and the database agree.'
  return lines.flatMap(({ line, reason }) => (reason === null ? [line] : [line, `  ${reason}`])).join('\n')
}
