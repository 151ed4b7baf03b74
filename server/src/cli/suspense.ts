import { type Command, Option } from 'commander'
import { releasePayment } from '../app/suspense/release-payment.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { formatDecimal } from '../domain/money.ts'
import { suspenseStatus } from '../domain/suspense.ts'
import type { HeldPayment } from '../store/invoices/suspense.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { readId, readName } from './arguments.ts'
import type { Tools } from './tools.ts'

const maxListed = 100

export function addSuspenseCommands(program: Command, tools: Tools): void {
  const suspense = program
    .command('suspense')
    .description('payments that could not be assigned to a merchant')

  withJson(suspense.command('list'))
    .description(`list the newest payments in suspense, at most ${maxListed}`)
    .addOption(
      new Option('--environment <environment>', 'the environment').choices([...environments]).default('live'),
    )
    .option('--tx-hash <hash>', 'only payments of this transaction', readName)
    .action((options: { environment: Environment; txHash?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const filter = { reason: null, invoiceId: null, txHash: options.txHash ?? null }
          const page = { limit: maxListed, offset: 0 }
          const { rows, total } = await app.store.suspense.listAll(options.environment, {
            ...filter,
            ...page,
          })
          return { total, payments: rows.map(paymentAnswer) }
        },
        ({ total, payments }) =>
          total === 0
            ? `No payments are in suspense in ${options.environment}.`
            : [
                ...payments.map(inWords),
                ...(total > payments.length ? [`… and ${total - payments.length} older ones.`] : []),
              ].join('\n'),
      ),
    )

  withName(withJson(suspense.command('release')))
    .description('credit a payment in suspense to a merchant, in full and permanently')
    .argument('<payment>', 'the payment’s id, from suspense list', readId)
    .requiredOption('--merchant <id>', 'the merchant to credit', readId)
    .requiredOption('--note <text>', 'why, for the merchant’s ledger and the audit log', readName)
    .action((paymentId: string, options: { merchant: string; note: string; as?: string }, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => {
          const wanted = { paymentId, merchantId: options.merchant, note: options.note }
          return paymentAnswer(await releasePayment(app, actorFrom(options), wanted))
        },
        (released) => `${inWords(released)}\nIt has been credited to merchant ${released.released_to}.`,
      ),
    )
}

function paymentAnswer(payment: HeldPayment) {
  const { release } = payment
  return {
    id: payment.id,
    environment: payment.environment,
    network: payment.network,
    currency: payment.currency,
    amount: formatDecimal(payment.units, payment.decimals),
    address: payment.address,
    address_tag: payment.tag,
    tx_hash: payment.txHash,
    reason: payment.reason,
    status: suspenseStatus(payment),
    merchant_id: payment.merchantId,
    invoice_id: payment.invoiceId,
    static_address_id: payment.staticAddressId,
    seen_at: payment.seenAt.toISOString(),
    released_to: release?.merchantId ?? null,
    released_by: release?.by ?? null,
    note: release?.note ?? null,
  }
}

function inWords(payment: ReturnType<typeof paymentAnswer>): string {
  const { id, amount, currency, network, reason, tx_hash, merchant_id, released_to } = payment
  const whose = merchant_id === null ? 'at an unassigned address' : `at an address of merchant ${merchant_id}`
  const status = released_to === null ? payment.status : `${payment.status} to ${released_to}`
  return `${id}  ${amount} ${currency} on ${network}, ${reason}, ${whose}: ${status} (${tx_hash})`
}
