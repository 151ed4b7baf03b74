import { type Invoice, SluiceError } from '@sluice/sdk'
import {
  ConfigService,
  type CreatePaymentErrorResult,
  type CreatePaymentResult,
  type CreateRefundResult,
  LanguageCode,
  type Order,
  Payment,
  PaymentMethodHandler,
  type RequestContext,
  TransactionalConnection,
  UserInputError,
} from '@vendure/core'
import { decimalOfMinor } from '../../shared/decimals.ts'
import { endInvoice, isInvoiceFor, openInvoice, standingOf } from '../../shared/invoices.ts'
import { type Price, priceOf } from '../../shared/prices.ts'
import { destinationOf, refundOnce } from '../../shared/refunds.ts'
import { type Connection, dashboardPage } from '../../shared/settings.ts'
import { lockPayments } from './lock-payments.ts'
import { ours } from './states.ts'

/** The order's custom field with the address that a refund goes to. */
export const refundAddressField = 'sluiceRefundAddress'

/** Sluice as a payment method of Vendure: a payment is an invoice, and its refund one of Sluice's. */
export function sluiceHandler(connection: Connection): PaymentMethodHandler {
  const { sluice } = connection
  let database: TransactionalConnection
  let config: ConfigService

  /** Vendure counts in steps of its money strategy, two decimals for every currency unless that says otherwise. */
  const priceIn = (minor: number, order: Order): Price =>
    priceOf(decimalOfMinor(minor, config.entityOptions.moneyStrategy.precision ?? 2), order.currencyCode)

  /** The payment's invoice. It must be ours, for this order, at this price. */
  const invoiceOf = async (order: Order, payment: Payment): Promise<Invoice> => {
    const invoice = await sluice.invoices.get(payment.transactionId)
    const expected = { externalId: order.code, price: priceIn(payment.amount, order) }
    if (!isInvoiceFor(connection, invoice, expected))
      throw new UserInputError(`Invoice ${invoice.id} was not made for this order and amount.`)
    return invoice
  }

  return new PaymentMethodHandler({
    code: 'sluice',
    description: [{ languageCode: LanguageCode.en, value: 'Crypto, through Sluice' }],
    args: {},

    init(injector) {
      database = injector.get(TransactionalConnection)
      config = injector.get(ConfigService)
    },

    /** Creates the invoice. The storefront sends the payer to `metadata.public.checkoutUrl`. */
    async createPayment(
      _ctx,
      order,
      amount,
      _args,
      _metadata,
      method,
    ): Promise<CreatePaymentResult | CreatePaymentErrorResult> {
      // Those that failed before they had an invoice do not count, so that a retry finds the invoice it made.
      // Vendure takes the order for paid as far as a payment is awaited, so what a new one asks for is added back.
      let due = amount
      const earlier = order.payments.filter((each) => each.method === method.code && each.transactionId)
      try {
        for (const payment of earlier) {
          if (payment.state !== 'AwaitingPayment') continue
          // Only one invoice of an order can be paid. Its webhook cancels the payment.
          if ((await endInvoice(connection, payment.transactionId)) === 'over') {
            due += payment.amount
            continue
          }
          return {
            amount,
            state: 'Declined',
            errorMessage: 'A payment for this order was seen. Wait until it is confirmed or expires.',
            metadata: { public: payment.metadata.public },
          }
        }
        const invoice = await openInvoice(connection, {
          key: `${order.code}:${earlier.length + 1}`,
          externalId: order.code,
          price: priceIn(due, order),
        })
        return {
          amount: due,
          state: 'AwaitingPayment',
          transactionId: invoice.id,
          metadata: {
            ...ours,
            public: { checkoutUrl: invoice.checkout_url, status: invoice.status },
            dashboard: dashboardPage(connection, invoice),
          },
        }
      } catch (error) {
        if (error instanceof TypeError || error instanceof SluiceError)
          return { amount, state: 'Error', errorMessage: `Sluice: ${error.message}` }
        throw error
      }
    },

    /** Payers send the money by themselves. This checks that all of it is there, and confirmed. */
    async settlePayment(_ctx, order, payment) {
      const invoice = await invoiceOf(order, payment)
      if (standingOf(invoice) === 'paid') return { success: true }
      const errorMessage = `The invoice is ${invoice.status}: nothing can be settled.`
      return { success: false, state: stateOf(payment), errorMessage }
    },

    async cancelPayment(ctx, _order, payment) {
      if (await hasTwin(database, ctx, payment)) return { success: true }
      const standing = await endInvoice(connection, payment.transactionId)
      if (standing === 'over') return { success: true }
      const errorMessage =
        standing === 'paid'
          ? 'The invoice is paid. Refund it instead.'
          : 'A payment was seen for this invoice. Wait until it is paid or expires.'
      return { success: false, state: stateOf(payment), errorMessage }
    },

    /** Creates the refund in Sluice. It is pending until a person has approved it and its chain has confirmed it. */
    async createRefund(ctx, _input, amount, order, payment): Promise<CreateRefundResult> {
      const [current] = await lockPayments(database, ctx, [payment.id])
      const invoice = await invoiceOf(order, payment)
      const { [refundAddressField]: address } = order.customFields as { [refundAddressField]?: string | null }
      const page = dashboardPage(connection, invoice)
      try {
        const refund = await refundOnce(connection, invoice, {
          price: priceIn(amount, order),
          destination: destinationOf(address ?? ''),
          recorded: (current?.refunds ?? []).map(({ transactionId }) => transactionId),
        })
        if (refund === null)
          throw new UserInputError(
            `Where does the payer want the money? Enter it as the order's refund address, then refund again; or refund it in ` +
              `Sluice: ${page}`,
          )
        return {
          state: refund.status === 'completed' ? 'Settled' : 'Pending',
          transactionId: refund.id,
          metadata: {
            sends: `${refund.amount} ${refund.currency} to ${refund.destination}`,
            approveAt: page,
          },
        }
      } catch (error) {
        if (error instanceof TypeError || error instanceof SluiceError)
          throw new UserInputError(`Sluice: ${error.message}`)
        throw error
      }
    },
  })
}

/** A payment that can be neither settled nor cancelled now stays as it is. */
function stateOf({ state }: Payment): Exclude<Payment['state'], 'Settled' | 'Cancelled'> {
  return state === 'Settled' || state === 'Cancelled' ? 'Error' : state
}

/** Whether another payment has the same invoice, as after a double click; then the invoice must live on. */
async function hasTwin(
  database: TransactionalConnection,
  ctx: RequestContext,
  payment: Payment,
): Promise<boolean> {
  const payments = await database
    .getRepository(ctx, Payment)
    .find({ where: { transactionId: payment.transactionId } })
  return payments.some(
    ({ id, state }) => id !== payment.id && (state === 'AwaitingPayment' || state === 'Settled'),
  )
}
