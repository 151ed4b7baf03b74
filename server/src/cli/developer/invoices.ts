import type { Invoice, InvoiceStatus } from '@sluice/sdk/contract'
import type { Command } from 'commander'
import { UsageError } from '../failure.ts'
import type { Tools } from '../tools.ts'
import { type ConnectionOptions, withConnection } from './connection.ts'
import { readLimit } from './events.ts'
import { runOnApi } from './run-on-api.ts'

type CreateOptions = ConnectionOptions & {
  readonly amount?: string
  readonly fiat?: string
  readonly currency?: string
  readonly network?: string
  readonly description?: string
  readonly externalId?: string
}
type ListOptions = ConnectionOptions & {
  readonly status?: string
  readonly limit: number
}

/** `invoice`: what a merchant's backend does with invoices. */
export function addInvoiceCommands(program: Command, tools: Tools): void {
  const invoice = program
    .command('invoice')
    .description('invoices: amounts that payers owe, over the API with a key')

  withConnection(invoice.command('create'))
    .description('create an invoice and show where to pay it')
    .option('--amount <amount>', 'how much of the currency, such as 0.01')
    .option('--fiat <price>', 'how much in fiat money, such as 49.90USD')
    .option('--currency <code>', 'what is paid, such as BTC (default: the payer chooses)')
    .option('--network <name>', 'on which network, where a currency is on several')
    .option('--description <text>', 'what the payer reads')
    .option('--external-id <id>', 'your own number for it')
    .addHelpText(
      'after',
      `
Examples:
  $ npx sluice invoice create --currency BTC --amount 0.001
  $ npx sluice invoice create --fiat 49.90USD`,
    )
    .action((options: CreateOptions, command: Command) =>
      runOnApi(
        tools,
        command,
        options,
        ({ sluice }) => sluice.invoices.create(newInvoiceFrom(options)),
        (made) => `${invoiceLine(made)}\nPay it at ${made.checkout_url ?? made.deposit_address ?? ''}`,
      ),
    )

  withConnection(invoice.command('get'))
    .description('show an invoice with its payments')
    .argument('<id>', 'the invoice’s id')
    .action((id: string, options: ConnectionOptions, command: Command) =>
      runOnApi(
        tools,
        command,
        options,
        ({ sluice }) => sluice.invoices.get(id),
        (found) => JSON.stringify(found, null, 2),
      ),
    )

  withConnection(invoice.command('list'))
    .description('list invoices, newest first')
    .option('--status <status>', 'only those in this status')
    .option('--limit <count>', 'how many, at most 100', readLimit, 20)
    .action((options: ListOptions, command: Command) =>
      runOnApi(
        tools,
        command,
        options,
        async ({ sluice }) => {
          const { data } = await sluice.invoices.list({
            limit: options.limit,
            // The service says which there are.
            ...(options.status !== undefined && { status: options.status as InvoiceStatus }),
          })
          return { invoices: data }
        },
        ({ invoices }) =>
          invoices.length === 0
            ? 'No invoices yet. Create one: npx sluice invoice create --help'
            : invoices.map(invoiceLine).join('\n'),
      ),
    )

  withConnection(invoice.command('cancel'))
    .description('cancel an unpaid invoice')
    .argument('<id>', 'the invoice’s id')
    .action((id: string, options: ConnectionOptions, command: Command) =>
      runOnApi(tools, command, options, ({ sluice }) => sluice.invoices.cancel(id), invoiceLine),
    )
}

function newInvoiceFrom(options: CreateOptions) {
  const { amount, fiat, currency, network, description, externalId } = options
  if ((amount === undefined) === (fiat === undefined))
    throw new UsageError('How much? Say either --amount or --fiat.')
  const price = fiat === undefined ? null : /^([\d.]+) ?([A-Za-z]{3})$/.exec(fiat)
  if (fiat !== undefined && price === null) throw new UsageError('--fiat is like 49.90USD.')
  return {
    ...(amount !== undefined && { amount }),
    ...(price !== null && { amount_fiat: price[1] as string, fiat_currency: price[2] as string }),
    ...(currency !== undefined && { currency }),
    ...(network !== undefined && { network }),
    ...(description !== undefined && { description }),
    ...(externalId !== undefined && { external_id: externalId }),
  }
}

function invoiceLine(invoice: Invoice): string {
  const amount =
    invoice.amount === null
      ? `${invoice.amount_fiat ?? ''} ${invoice.fiat_currency ?? ''}`
      : `${invoice.amount} ${invoice.currency ?? ''}`
  return [invoice.id, invoice.status, amount.trim(), invoice.description ?? ''].join('  ').trimEnd()
}
