import type { Command } from 'commander'
import { listCold } from '../app/spends/cold/list-cold.ts'
import { listColdCoins } from '../app/spends/cold/list-cold-coins.ts'
import { listRefills } from '../app/spends/cold/list-refills.ts'
import { runOnApp, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

/** `wallet cold`: what is hot, on its way to the cold wallet or back, and there. */
export function addWalletCold(wallet: Command, tools: Tools): void {
  withJson(wallet.command('cold'))
    .description(
      'show by network what is hot, in transit and in your cold wallet, the coins that went there, and open refills',
    )
    .option('--network <network>', 'only this network, such as bitcoin')
    .addHelpText('after', '\nExample:\n  $ npx sluice wallet cold --network bitcoin')
    .action((options: { network?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const wanted = options.network?.toLowerCase() ?? null
          const reports = (await listCold(app)).filter(
            ({ gateId }) => wanted === null || gateId.startsWith(`${wanted}-`),
          )
          const gates: Shown[] = []
          for (const report of reports)
            gates.push({
              gate_id: report.gateId,
              destination: report.destination,
              first_address: report.firstAddress,
              cap: report.cap,
              keep: report.keep,
              currency: report.currency,
              holdings: report.holdings.map((each) => ({
                currency: each.currency,
                hot: each.hot,
                in_transit: each.inTransit,
                cold: each.cold,
                hot_value: each.hotValue,
                in_transit_value: each.inTransitValue,
                cold_value: each.coldValue,
              })),
              coins: (await listColdCoins(app, report.gateId)).map((coin) => ({
                tx_hash: coin.txHash,
                output_index: coin.outputIndex,
                amount: coin.amount,
                address: coin.address,
                index: coin.index,
              })),
              refills: (await listRefills(app, report.gateId)).map((refill) => ({
                refill_id: refill.id,
                status: refill.status,
                amount: refill.amount,
                network_fee: refill.fee,
                currency: refill.currency,
                fee_currency: refill.feeCurrency,
                tx_hash: refill.txHash,
                prepared_at: refill.preparedAt.toISOString(),
                prepared_by: refill.preparedBy,
                next: refill.next,
              })),
            })
          return { gates }
        },
        ({ gates }) =>
          gates.length === 0
            ? 'There is no cold wallet here. Set one under cold in SLUICE_CONFIG: see docs/operating/wallets.md'
            : gates.flatMap(linesOf).join('\n'),
      ),
    )
}

type Shown = {
  readonly gate_id: string
  readonly destination: string | null
  readonly first_address: string | null
  readonly cap: string | null
  readonly keep: string | null
  readonly currency: string | null
  readonly holdings: readonly {
    readonly currency: string
    readonly hot: string
    readonly in_transit: string
    readonly cold: string
    readonly hot_value: string | null
    readonly in_transit_value: string | null
    readonly cold_value: string | null
  }[]
  readonly coins: readonly {
    readonly tx_hash: string
    readonly output_index: number
    readonly amount: string
    readonly address: string
    readonly index: number | null
  }[]
  readonly refills: readonly {
    readonly refill_id: string
    readonly status: string
    readonly amount: string
    readonly network_fee: string
    readonly currency: string
    readonly fee_currency: string
    readonly tx_hash: string | null
    readonly prepared_at: string
    readonly prepared_by: string
    readonly next: string
  }[]
}

function linesOf({
  gate_id,
  destination,
  first_address,
  cap,
  keep,
  currency,
  holdings,
  coins,
  refills,
}: Shown) {
  return [
    destination === null
      ? `${gate_id}: no cold wallet is configured any more`
      : `${gate_id}: up to ${cap} ${currency} stay hot, and a move leaves ${keep} ${currency}; cold wallet ${destination}`,
    ...(first_address === destination || first_address === null
      ? []
      : [`  its first address is ${first_address}`]),
    ...holdings.flatMap((each) => [
      line('hot', each.hot, each.currency, each.hot_value, currency),
      line('in transit', each.in_transit, each.currency, each.in_transit_value, currency),
      line('cold', each.cold, each.currency, each.cold_value, currency),
    ]),
    ...coins.map(
      ({ tx_hash, output_index, amount, address }) =>
        `    ${amount} at ${address}  ${tx_hash}:${output_index}`,
    ),
    ...refills.flatMap((each) => [
      `  refill ${each.refill_id}: ${each.amount} ${each.currency} to the hot wallet, ${each.network_fee} ${each.fee_currency} to the network; ${each.status}, prepared ${each.prepared_at} by ${each.prepared_by}`,
      `    ${each.next}`,
    ]),
  ]
}

function line(
  where: string,
  amount: string,
  currency: string,
  value: string | null,
  fiat: string | null,
): string {
  const worth = value === null || fiat === null ? '' : `  (${value} ${fiat})`
  return `  ${where.padEnd(10)}  ${amount.padStart(24)} ${currency}${worth}`
}
