import { type Command, Option } from 'commander'
import { listCoins } from '../app/spends/planning/list-coins.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { gateId } from '../domain/networks/network.ts'
import { runOnApp, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

const said = {
  waiting: 'unconfirmed',
  confirming: 'confirming',
  unproven: 'not provable',
  spendable: 'spendable',
  pinned: 'being spent',
}

/** `wallet coins`: our coins (UTXOs) on a Bitcoin-like network. */
export function addWalletCoins(wallet: Command, tools: Tools): void {
  withJson(wallet.command('coins'))
    .description('list our coins (UTXOs) on a network, largest first, and their totals')
    .requiredOption('--network <network>', 'a Bitcoin-like network, such as bitcoin')
    .addOption(
      new Option('--environment <name>', 'the environment').choices([...environments]).default('live'),
    )
    .addHelpText('after', '\nExample:\n  $ npx sluice wallet coins --network litecoin --environment test')
    .action((options: { network: string; environment: Environment }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const id = gateId(options.network.toLowerCase(), options.environment)
          const { currency, coins, totals } = await listCoins(app, id)
          return {
            gate_id: id,
            currency,
            totals,
            coins: coins.map((coin) => ({
              tx_hash: coin.txHash,
              output_index: coin.outputIndex,
              amount: coin.amount,
              address: coin.address,
              change: coin.isChange,
              confirmations: coin.confirmations,
              state: coin.state,
            })),
          }
        },
        ({ gate_id, currency, coins, totals }) =>
          [
            `${gate_id}: ${coins.length} coins`,
            ...coins.map(
              ({ tx_hash, output_index, amount, address, change, state }) =>
                `  ${amount.padStart(16)} ${currency}  ${said[state].padEnd(15)}  ${address}${change ? ' (change)' : ''}  ${tx_hash}:${output_index}`,
            ),
            ...Object.entries(totals)
              .filter(([, amount]) => amount !== '0')
              .map(([state, amount]) => `${amount} ${currency} ${said[state as keyof typeof said]}`),
          ].join('\n'),
      ),
    )
}
