import { Inject, Injectable } from '@nestjs/common'
import type { Invoice } from '@sluice/sdk'
import {
  type ID,
  Logger,
  OrderService,
  Payment,
  PaymentMethod,
  Refund,
  type RequestContext,
  RequestContextService,
  TransactionalConnection,
  type Type,
} from '@vendure/core'
import { type FindOptionsWhere, In, MoreThan } from 'typeorm'
import { standingOf } from '../../shared/invoices.ts'
import type { Notice } from '../../shared/notices.ts'
import { hasFailed } from '../../shared/refunds.ts'
import { type Connection, dashboardPage } from '../../shared/settings.ts'
import { lockPayments } from './lock-payments.ts'

export const connectionToken = Symbol('the connection to Sluice')
export const logContext = 'SluicePlugin'

/** An invoice was paid whose payment Vendure does not have yet. */
export class PaymentMissingError extends Error {}

/** How many open payments, and how many refunds, one look covers: a key has 300 requests a minute, and payers come first. */
const mostAtOnce = 100

/** Brings payments and refunds to where Sluice has them. Always by reading it from Sluice, so the order of events is nothing. */
@Injectable()
export class OrderPayments {
  @Inject(connectionToken) private readonly connection!: Connection
  @Inject(TransactionalConnection) private readonly database!: TransactionalConnection
  @Inject(RequestContextService) private readonly contexts!: RequestContextService
  @Inject(OrderService) private readonly orders!: OrderService
  private readonly lastFollowed = new Map<Type<Payment | Refund>, ID>()

  async follow(notice: Notice): Promise<void> {
    if (notice.about === 'invoice') await this.followInvoice(notice.invoiceId)
    if (notice.about === 'refund') await this.followRefund(notice.refundId)
  }

  /** Looks at everything that is open: webhooks get lost, and a rejected refund has none. */
  async followOpen(): Promise<void> {
    const method = In(await this.methods())
    await this.each(Payment, { state: In(['AwaitingPayment']), method }, (id) => this.followInvoice(id))
    await this.each(Refund, { state: 'Pending', method }, (id) => this.followRefund(id))
  }

  /**
   * Follows the next ones, after those of the look before, and begins again at the end. One that fails holds up no other: its
   * invoice may belong to an earlier connection.
   */
  private async each<Row extends Payment | Refund>(
    entity: Type<Row>,
    where: FindOptionsWhere<Row>,
    follow: (transactionId: string) => Promise<void>,
  ): Promise<void> {
    const last = this.lastFollowed.get(entity)
    const rows: (Payment | Refund)[] = await this.database.rawConnection
      .getRepository<Payment | Refund>(entity)
      .find({
        where: { ...(where as object), ...(last !== undefined && { id: MoreThan(last) }) },
        order: { id: 'ASC' },
        take: mostAtOnce,
      })
    for (const { id, transactionId } of rows) {
      this.lastFollowed.set(entity, id)
      if (!transactionId) continue
      await follow(transactionId).catch((error: unknown) => {
        Logger.warn(`${entity.name} ${id} was not followed: ${error}`, logContext)
      })
    }
    if (rows.length < mostAtOnce) this.lastFollowed.delete(entity)
  }

  private async followInvoice(id: string): Promise<void> {
    const invoice = await this.connection.sluice.invoices.get(id)
    if (invoice.metadata?.shop !== 'vendure') return
    const payments = await this.database.rawConnection
      .getRepository(Payment)
      .find({ where: { transactionId: invoice.id } })
    if (payments.length === 0) {
      // Until its transaction has ended, other requests do not see a new payment.
      if (standingOf(invoice) === 'paid')
        throw new PaymentMissingError(`No payment has invoice ${invoice.id}.`)
      return
    }
    await this.inOrderOf(payments[0], async (ctx) => {
      const locked = await lockPayments(
        this.database,
        ctx,
        payments.map((payment) => payment.id),
      )
      await this.move(ctx, invoice, locked)
      await this.remember(ctx, invoice, locked)
    })
  }

  private async move(ctx: RequestContext, invoice: Invoice, payments: readonly Payment[]): Promise<void> {
    const waiting = payments.filter(({ state }) => state === 'AwaitingPayment')
    switch (standingOf(invoice)) {
      case 'paid': {
        if (!payments.some(({ state }) => state === 'Settled')) {
          const payment = waiting[0] ?? payments.find(({ state }) => state === 'Declined')
          if (payment !== undefined) await this.settle(ctx, payment)
          else Logger.error(`Invoice ${invoice.id} is paid, but its payment was cancelled.`, logContext)
        }
        for (const twin of await this.stillWaiting(ctx, waiting))
          await this.orders.cancelPayment(ctx, twin.id)
        return
      }
      case 'over':
        for (const { id } of waiting)
          await this.orders.transitionPaymentToState(
            ctx,
            id,
            invoice.status === 'cancelled' ? 'Cancelled' : 'Declined',
          )
    }
  }

  /** The handler checks invoice and amount again. An order that the customer went back to change is brought to its payment. */
  private async settle(ctx: RequestContext, payment: Payment): Promise<void> {
    if (payment.order.state === 'AddingItems')
      await this.orders.transitionToState(ctx, payment.order.id, 'ArrangingPayment')
    const settled = await this.orders.settlePayment(ctx, payment.id)
    if (!(settled instanceof Payment))
      throw new Error(`Payment ${payment.id} was not settled: ${JSON.stringify(settled)}`)
  }

  private async stillWaiting(ctx: RequestContext, payments: readonly Payment[]): Promise<Payment[]> {
    if (payments.length < 2) return []
    return this.database.getRepository(ctx, Payment).find({
      where: { id: In(payments.map(({ id }) => id)), state: In(['AwaitingPayment']) },
    })
  }

  /** Shows the invoice's status on its payments, and says it on the order if money that was settled is gone. */
  private async remember(ctx: RequestContext, invoice: Invoice, payments: readonly Payment[]): Promise<void> {
    const repository = this.database.getRepository(ctx, Payment)
    for (const { id } of payments) {
      const payment = await repository.findOneOrFail({ where: { id }, relations: ['order'] })
      const before = payment.metadata.public?.status
      if (before === invoice.status) continue
      const known = { ...payment.metadata.public, status: invoice.status, amountDue: invoice.amount_due }
      await repository.update(id, { metadata: { ...payment.metadata, public: known } })
      if (payment.state !== 'Settled' || standingOf(invoice) === 'paid') continue
      await this.orders.addNoteToOrder(ctx, {
        id: payment.order.id,
        isPublic: false,
        note: `The payment is no longer on the chain: the invoice is ${invoice.status}. ${dashboardPage(this.connection, invoice)}`,
      })
    }
  }

  private async followRefund(refundId: string): Promise<void> {
    const refund = await this.connection.sluice.refunds.get(refundId)
    const isDone = refund.status === 'completed'
    if (!isDone && !hasFailed(refund)) return
    const found = await this.database.rawConnection
      .getRepository(Refund)
      .findOne({ where: { transactionId: refundId }, relations: ['payment'] })
    if (found === null) return
    await this.inOrderOf(found.payment, async (ctx) => {
      const [payment] = await lockPayments(this.database, ctx, [found.payment.id])
      const current = payment?.refunds.find(({ id }) => id === found.id)
      if (current?.state !== 'Pending') return
      await this.orders.transitionRefundToState(ctx, current.id, isDone ? 'Settled' : 'Failed', refundId)
    })
  }

  /** Runs in a transaction, in a channel that the payment's order is in. */
  private async inOrderOf(
    payment: Payment | undefined,
    work: (ctx: RequestContext) => Promise<void>,
  ): Promise<void> {
    const withOrder = await this.database.rawConnection
      .getRepository(Payment)
      .findOneOrFail({ where: { id: payment?.id ?? 0 }, relations: ['order', 'order.channels'] })
    const channel = withOrder.order.channels[0]
    const ctx = await this.contexts.create({
      apiType: 'admin',
      ...(channel !== undefined && { channelOrToken: channel.token }),
    })
    await this.database.withTransaction(ctx, work)
  }

  /** The codes of the payment methods that use our handler. */
  private async methods(): Promise<string[]> {
    const methods = await this.database.rawConnection.getRepository(PaymentMethod).find()
    return methods.filter(({ handler }) => handler.code === 'sluice').map(({ code }) => code)
  }
}
