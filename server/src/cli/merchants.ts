import { type Command, InvalidArgumentError } from 'commander'
import { createMerchant } from '../app/merchants/create-merchant.ts'
import { runOnApp, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

const maxNameLength = 255

export function addMerchantCommands(program: Command, tools: Tools): void {
  const merchant = program.command('merchant').description('merchants: who is paid')

  withJson(merchant.command('create'))
    .description('make a merchant')
    .requiredOption('--name <name>', 'what the merchant is called', readName)
    .addHelpText('after', '\nExample:\n  $ npx sluice merchant create --name "My shop"')
    .action((options: { name: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => ({ merchant_id: (await createMerchant(app, options)).merchantId }),
        ({ merchant_id }) =>
          `Merchant ${merchant_id} is made.\nNext: npx sluice key create --merchant ${merchant_id} --environment test --permissions all`,
      ),
    )

  withJson(merchant.command('list'))
    .description('list all merchants')
    .action((_options, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => ({
          merchants: (await app.store.merchants.list()).map(({ id, name, baseCurrency, createdAt }) => ({
            merchant_id: id,
            name,
            base_currency: baseCurrency,
            created_at: createdAt.toISOString(),
          })),
        }),
        ({ merchants }) =>
          merchants.length === 0
            ? 'No merchants yet. Make one: npx sluice merchant create --name "My shop"'
            : merchants.map((each) => `${each.merchant_id}  ${each.created_at}  ${each.name}`).join('\n'),
      ),
    )
}

export function readName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  if (text.length > maxNameLength)
    throw new InvalidArgumentError(`It must have at most ${maxNameLength} characters.`)
  if (text.includes('\0')) throw new InvalidArgumentError('It must not contain NUL.')
  return text
}
