import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RescanProgress } from '../app/rescan/read-chain.ts'
import { type RescanReport, rescanChain } from '../app/rescan/rescan-chain.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { formatDecimal } from '../domain/money.ts'
import { defaultGap, maxGap } from '../domain/rescan.ts'
import { runOnApp, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

type Options = { network: string; environment: Environment; fromHeight: bigint; gap: number }

// One progress line per second is enough.
const sayEveryMs = 1_000

/** `wallet rescan`: finds the coins of a wallet whose database was lost. */
export function addWalletRescan(wallet: Command, tools: Tools): void {
  withJson(wallet.command('rescan'))
    .description('read old blocks again and recover our coins that this database does not know')
    .requiredOption('--network <network>', 'bitcoin or litecoin, on your own node')
    .addOption(
      new Option('--environment <name>', 'the environment').choices([...environments]).default('live'),
    )
    .requiredOption(
      '--from-height <height>',
      'the first block to read; no payment of yours may be older',
      readHeight,
    )
    .option(
      '--gap <count>',
      'how many addresses in a row may have been handed out and never paid',
      readGap,
      defaultGap,
    )
    .addHelpText(
      'after',
      `
For a wallet restored from its words on an empty database. Run it before the service takes new invoices. If it is stopped
or killed, run it again: it continues where it was. Once it is done, running it again changes nothing.
See docs/operating/bitcoin.md.

Example:
  $ npx sluice wallet rescan --network litecoin --environment test --from-height 2400000`,
    )
    .action((options: Options, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) =>
          shown(await rescanChain(app, { ...options, network: options.network.toLowerCase() }, teller())),
        inWords,
      ),
    )
}

/** Reports progress on standard error, at once and then at most once a second. */
function teller(): (progress: RescanProgress) => void {
  let saidMs = Number.NEGATIVE_INFINITY
  return ({ height, fromHeight, toHeight, found }) => {
    const nowMs = performance.now()
    if (nowMs - saidMs < sayEveryMs && height < toHeight) return
    saidMs = nowMs
    const [done, all] = [height - fromHeight + 1n, toHeight - fromHeight + 1n]
    process.stderr.write(
      `block ${height} of ${toHeight}: ${done} of ${all} blocks read, ${found} outputs found\n`,
    )
  }
}

function shown(report: RescanReport) {
  const amount = (units: bigint) => formatDecimal(units, report.decimals)
  return {
    gate_id: report.gateId,
    currency: report.currency,
    from_height: Number(report.fromHeight),
    to_height: Number(report.toHeight),
    found: report.found,
    spent: report.spent,
    recovered: report.taken.count,
    recovered_amount: amount(report.taken.units),
    being_spent: report.beingSpent.count,
    being_spent_amount: amount(report.beingSpent.units),
    next_deposit_position: report.nextDeposit,
    next_change_position: report.nextChange,
    addresses_given_again: report.givenAgain,
  }
}

function inWords(each: ReturnType<typeof shown>): string {
  const { gate_id, currency, from_height, to_height } = each
  const lines = [
    `${gate_id}: read blocks ${from_height} to ${to_height}; found ${each.found} outputs, ${each.spent} of them spent.`,
    each.recovered === 0
      ? 'There is nothing new to recover.'
      : `Recovered ${each.recovered} coins, ${each.recovered_amount} ${currency}, booked to suspense. See: npx sluice wallet coins`,
  ]
  if (each.being_spent > 0)
    lines.push(
      `${each.being_spent} coins, ${each.being_spent_amount} ${currency}, are being spent by transactions that wait in the mempool, ` +
        'and were left alone. Run this again when those are mined or dropped.',
    )
  if (each.addresses_given_again > 0)
    lines.push(
      `${each.addresses_given_again} ADDRESSES WERE HANDED OUT TWICE before this: a payer who was shown one long ago may still pay to it. ` +
        'Check the invoices and static addresses that use them.',
    )
  return lines.join('\n')
}

function readHeight(text: string): bigint {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.')
  return BigInt(text)
}

function readGap(text: string): number {
  const gap = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (gap < 1 || gap > maxGap)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxGap}.`)
  return gap
}
