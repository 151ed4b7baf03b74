import type { Command } from 'commander'
import type { App } from '../app/app.ts'
import { changeFees } from '../app/merchants/change-fees.ts'
import { changeSettings } from '../app/merchants/change-settings.ts'
import { openMerchant } from '../app/merchants/open-merchant.ts'
import { readSettings } from '../app/merchants/read-settings.ts'
import { ServiceError } from '../domain/errors.ts'
import { isUuid } from '../domain/ids.ts'
import type { Merchant } from '../store/merchants/merchants.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { readName } from './arguments.ts'
import { addBrandCommand } from './merchant-brand.ts'
import { addDestinationCommands } from './merchant-destinations.ts'
import { addPolicyCommand } from './merchant-policy.ts'
import { type SettingsOptions, settingsFrom, withMerchantSettings } from './merchant-settings.ts'
import type { Tools } from './tools.ts'

export function addMerchantCommands(program: Command, tools: Tools): void {
  const merchant = program.command('merchant').description('merchants: the shops that get paid')

  addBrandCommand(merchant, tools)
  addPolicyCommand(merchant, tools)
  addDestinationCommands(merchant, tools)

  withMerchantSettings(withName(withJson(merchant.command('create'))))
    .description('create a merchant')
    .requiredOption('--name <name>', 'the merchant’s name', readName)
    .addHelpText('after', '\nExample:\n  $ npx sluice merchant create --name "My shop"')
    .action((options: SettingsOptions & { name: string; as?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const { merchantId } = await openMerchant(app, actorFrom(options), {
            name: options.name,
            settings: settingsFrom(options),
          })
          return { merchant_id: merchantId }
        },
        ({ merchant_id }) =>
          `Merchant ${merchant_id} created.\nNext: npx sluice key create --merchant ${merchant_id} --environment test --permissions all`,
      ),
    )

  withMerchantSettings(withName(withJson(merchant.command('update'))))
    .description('change a merchant’s terms; existing invoices keep the terms they were created with')
    .argument('<id>', 'the merchant’s id')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx sluice merchant update MERCHANT_ID --fee-bps 50 --tolerance-bps 100',
    )
    .action((id: string, options: SettingsOptions & { as?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => merchantAnswer(await update(app, id, options)),
        (each) =>
          `${each.name}: base currency ${each.base_currency}, fee ${each.fee_bps} bps (payouts ${each.payout_fee_bps}, refunds ${each.refund_fee_bps}), tolerance ${each.tolerance_bps} bps.`,
      ),
    )

  withJson(merchant.command('list'))
    .description('list all merchants')
    .action((_options, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => ({
          merchants: (await app.store.merchants.list()).map(merchantAnswer),
        }),
        ({ merchants }) =>
          merchants.length === 0
            ? 'No merchants yet. Create one: npx sluice merchant create --name "My shop"'
            : merchants.map((each) => `${each.merchant_id}  ${each.created_at}  ${each.name}`).join('\n'),
      ),
    )
}

async function update(app: App, id: string, options: SettingsOptions & { as?: string }): Promise<Merchant> {
  if (!isUuid(id) || (await app.store.merchants.find(id)) === null)
    throw new ServiceError('not_found', `There is no merchant ${id}. See: npx sluice merchant list`)
  const { baseCurrency, toleranceBps, ...fees } = settingsFrom(options)
  const by = actorFrom(options)
  return app.transaction(async (tx) => {
    // All changes or none.
    const within: App = { ...app, store: tx, transaction: (work) => work(tx) }
    if (Object.keys(fees).length > 0) await changeFees(within, by, id, fees)
    await changeSettings(within, by, id, {
      ...(baseCurrency !== undefined && { baseCurrency }),
      ...(toleranceBps !== undefined && { toleranceBps }),
    })
    return (await readSettings(within, id)).merchant
  })
}

function merchantAnswer(merchant: Merchant) {
  const { id, name, baseCurrency, feeBps, payoutFeeBps, refundFeeBps, toleranceBps, createdAt } = merchant
  return {
    merchant_id: id,
    name,
    base_currency: baseCurrency,
    fee_bps: feeBps,
    payout_fee_bps: payoutFeeBps,
    refund_fee_bps: refundFeeBps,
    tolerance_bps: toleranceBps,
    created_at: createdAt.toISOString(),
  }
}
