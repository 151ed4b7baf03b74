import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  BigNumberInput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  PaymentSessionStatus,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types'
import { AbstractPaymentProvider, MathBN } from '@medusajs/framework/utils'
import { type Invoice, SluiceWebhookError } from '@sluice/sdk'
import { endInvoice, isInvoiceFor, openInvoice, type Standing, standingOf } from '../../shared/invoices.ts'
import { readNotice } from '../../shared/notices.ts'
import { type Price, priceOf } from '../../shared/prices.ts'
import { destinationOf, refundOnce } from '../../shared/refunds.ts'
import { type Connection, connectionTo, dashboardPage, type ShopSettings } from '../../shared/settings.ts'
import { refused, shown } from './refused.ts'
import { readSession, type SessionData, writeSession } from './session-data.ts'

/** What a session is while its invoice stands like this. Only a confirmed amount is captured. */
const statuses: Readonly<Record<Standing, `${PaymentSessionStatus}`>> = {
  open: 'requires_more',
  // The order is placed, and the payment follows: Medusa's status for money that is on its way.
  seen: 'pending_authorization',
  short: 'requires_more',
  paid: 'captured',
  over: 'canceled',
}

/** The same for a webhook. */
const actions: Readonly<Record<Standing, WebhookActionResult['action']>> = {
  open: 'pending',
  seen: 'pending_authorization',
  short: 'requires_more',
  paid: 'captured',
  over: 'canceled',
}

type Log = { warn(message: string): void }

/** Sluice as a payment provider of Medusa: a payment session is an invoice, and its refund one of Sluice's. */
export class SluiceProvider extends AbstractPaymentProvider<Partial<ShopSettings>> {
  static override identifier = 'sluice'

  readonly #connection: Connection
  readonly #log: Log | undefined

  constructor(container: Record<string, unknown>, options: Partial<ShopSettings> = {}) {
    super(container, options)
    this.#connection = connectionTo('medusa', options)
    this.#log = container.logger as Log | undefined
  }

  static override validateOptions(options: Partial<ShopSettings>): void {
    connectionTo('medusa', options)
  }

  /** Creates the session's invoice. `data` is for the storefront: it sends the payer to `checkout_url`. */
  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const sessionId = input.data?.session_id ?? input.context?.idempotency_key
    if (typeof sessionId !== 'string') throw refused('The payment session has no id.')
    const session = await this.#open(sessionId, input)
    return { id: session.invoiceId, status: 'pending' as PaymentSessionStatus, data: writeSession(session) }
  }

  /** Replaces the invoice if the amount has changed. One that a payment was seen for stays. */
  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const session = readSession(input.data)
    const price = priceIn(input)
    if (session.price.amount === price.amount && session.price.currency === price.currency)
      return { data: writeSession(session) }
    await this.#end(session)
    return { data: writeSession(await this.#open(session.sessionId, input)) }
  }

  /** Tells how the session's invoice stands now. */
  async authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const session = readSession(input.data)
    const standing = standingOf(await this.#invoiceOf(session))
    return { status: statuses[standing] as PaymentSessionStatus, data: writeSession(session) }
  }

  async getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return this.authorizePayment(input)
  }

  /** Payers send the money by themselves, so there is nothing to do but to check that it is there. */
  async capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const session = readSession(input.data)
    const invoice = await this.#invoiceOf(session)
    if (standingOf(invoice) !== 'paid')
      throw refused(
        `The invoice is ${invoice.status}: nothing can be captured. ${dashboardPage(this.#connection, invoice)}`,
      )
    return { data: writeSession(session) }
  }

  async cancelPayment(input: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const session = readSession(input.data)
    await this.#end(session)
    return { data: writeSession(session) }
  }

  async deletePayment(input: DeletePaymentInput): Promise<DeletePaymentOutput> {
    // Medusa deletes a session that could not be created, without what we returned; its invoice expires.
    if (typeof input.data?.invoice_id !== 'string') return { data: input.data ?? {} }
    return this.cancelPayment(input)
  }

  async retrievePayment(input: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    const session = readSession(input.data)
    return { data: { ...(await this.#invoiceOf(session)) } }
  }

  /**
   * Refunds part of the price, in the currency that it was paid in. Medusa has no pending refunds and records what we return as
   * paid back. So this refuses, and says what to do, until the refund is confirmed on its chain; then the same request is
   * recorded. The plugin's subscriber sends it.
   */
  async refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const session = readSession(input.data)
    const invoice = await this.#invoiceOf(session)
    const exactly = decimalOf(input.amount)
    const price = priceOf(exactly, session.price.currency)
    const page = dashboardPage(this.#connection, invoice)
    const refund = await shown(
      refundOnce(this.#connection, invoice, {
        price,
        exactly,
        destination: destinationOf(session.refundTo ?? ''),
        recorded: session.refunds,
      }),
    )
    if (refund === null)
      throw refused(
        `Where does the payer want the money? POST {"address": "…"} to /admin/sluice/payments/PAYMENT_ID/refund-address, ` +
          `then refund again; or refund it in Sluice: ${page}`,
      )
    if (refund.status !== 'completed')
      throw refused(
        `The refund of ${refund.amount} ${refund.currency} to ${refund.destination} is ${refund.status}. A person ` +
          `approves it in Sluice: ${page}. It is recorded here once it is confirmed on the chain.`,
      )
    return { data: writeSession({ ...session, refunds: [...session.refunds, refund.id] }) }
  }

  /**
   * What a webhook means. The signature says that it is genuine; the state comes from the API, as it is now. The amount is the
   * session's, which never changes, as Medusa counts it: taxes make fractions of a cent. An excess is no part of the order.
   */
  async getWebhookActionAndData(payload: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const ignored: WebhookActionResult = { action: 'not_supported' }
    try {
      const headers = payload.headers as Record<string, string | string[] | undefined>
      const notice = await readNotice(this.#connection, payload.rawData, headers)
      if (notice.about !== 'invoice') return ignored
      const invoice = await this.#connection.sluice.invoices.get(notice.invoiceId)
      const { external_id: sessionId, amount_fiat: amount, metadata } = invoice
      // Made by something else with the same account.
      if (metadata?.shop !== 'medusa' || sessionId === null || amount === null) return ignored
      return {
        action: actions[standingOf(invoice)],
        data: { session_id: sessionId, amount: MathBN.convert(String(metadata.exactly ?? amount)) },
      }
    } catch (error) {
      if (!(error instanceof SluiceWebhookError)) throw error
      this.#log?.warn(`Sluice: a webhook was refused: ${error.message}`)
      return ignored
    }
  }

  async #open(sessionId: string, input: InitiatePaymentInput): Promise<SessionData> {
    const price = priceIn(input)
    const exactly = decimalOf(input.amount)
    const invoice = await shown(
      openInvoice(this.#connection, { key: sessionId, externalId: sessionId, price, exactly }),
    )
    if (invoice.checkout_url === null) throw refused('The invoice has no payment page.')
    return { sessionId, invoiceId: invoice.id, checkoutUrl: invoice.checkout_url, price, refunds: [] }
  }

  async #end(session: SessionData): Promise<void> {
    const standing = await shown(endInvoice(this.#connection, session.invoiceId))
    if (standing === 'over') return
    throw refused(
      standing === 'paid'
        ? 'The invoice is paid. Refund it instead.'
        : 'A payment was seen for this invoice. Wait until it is paid or expires.',
    )
  }

  /** The session's invoice. It must be ours, for this session, at this price: otherwise the session was changed. */
  async #invoiceOf(session: SessionData): Promise<Invoice> {
    const invoice = await shown(this.#connection.sluice.invoices.get(session.invoiceId))
    const order = { externalId: session.sessionId, price: session.price }
    if (!isInvoiceFor(this.#connection, invoice, order))
      throw refused(`Invoice ${invoice.id} was not made for this payment session and amount.`)
    return invoice
  }
}

function priceIn({ amount, currency_code: currency }: InitiatePaymentInput): Price {
  return priceOf(decimalOf(amount), currency)
}

/** Medusa's amounts are exact decimals; so are ours. */
function decimalOf(amount: BigNumberInput): string {
  return MathBN.convert(amount).toFixed()
}
