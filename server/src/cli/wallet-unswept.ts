import type { Command } from 'commander'
import { listUnswept } from '../app/spends/sweeping/list-unswept.ts'
import { runOnApp, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

/** `wallet unswept`: balances on the deposit addresses of account-based networks. */
export function addWalletUnswept(wallet: Command, tools: Tools): void {
  withJson(wallet.command('unswept'))
    .description(
      'show the balances on deposit addresses, what sweeping them would cost now, and the float that pays for it',
    )
    .option('--network <network>', 'only this account-based network, such as ethereum')
    .addHelpText('after', '\nExample:\n  $ npx sluice wallet unswept --network polygon')
    .action((options: { network?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => ({
          gates: (await listUnswept(app, options.network?.toLowerCase() ?? null)).map((list) => ({
            gate_id: list.gateId,
            gas_currency: list.gasCurrency,
            unswept: list.unswept,
            gas: list.gas,
            float: list.float,
          })),
        }),
        ({ gates }) =>
          gates.length === 0
            ? 'There is no such account-based network here. See: npx sluice gate list'
            : gates
                .flatMap(({ gate_id, gas_currency, unswept, gas, float }) => [
                  `${gate_id}: ${unswept.length === 0 ? 'nothing to sweep' : `sweeping it all costs ${inCoin(gas, gas_currency)}`}; the float has ${float} ${gas_currency}`,
                  ...unswept.map(
                    ({ currency, amount, addresses, gas: each }) =>
                      `  ${amount.padStart(24)} ${currency.padEnd(6)} on ${addresses} ${addresses === 1 ? 'address' : 'addresses'}: ${inCoin(each, gas_currency)}`,
                  ),
                ])
                .join('\n'),
      ),
    )
}

function inCoin(amount: string | null, currency: string): string {
  return amount === null ? 'an unknown amount (the node does not answer)' : `${amount} ${currency}`
}
