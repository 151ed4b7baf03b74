import { ConflictError, type Invoice, NotFoundError } from '@sluice/sdk'
import { compare, sum } from './decimals.ts'
import type { Price } from './prices.ts'
import type { Connection } from './settings.ts'

/**
 * What an invoice means to a shop.
 *
 * - `open`: nothing sufficient was seen.
 * - `seen`: the whole amount is on its way, and not confirmed yet.
 * - `short`: less than the amount is confirmed; the rest may still come.
 * - `paid`: the amount is confirmed, or more.
 * - `over`: the window ended or it was cancelled. What came too late is in the balance, and staff decide.
 */
export type Standing = 'open' | 'seen' | 'short' | 'paid' | 'over'

export function standingOf(
  invoice: Pick<Invoice, 'status' | 'amount' | 'amount_paid' | 'amount_pending'>,
): Standing {
  switch (invoice.status) {
    case 'paid':
    case 'overpaid':
      return 'paid'
    case 'expired':
    case 'cancelled':
      return 'over'
  }
  const coming = sum(invoice.amount_paid, invoice.amount_pending)
  if (invoice.amount !== null && compare(coming, invoice.amount) >= 0) return 'seen'
  return invoice.status === 'underpaid' ? 'short' : 'open'
}

type Order = {
  readonly key: string
  readonly externalId: string
  readonly price: Price
  /** What the engine calls the price, which may have more decimals than can be paid. */
  readonly exactly?: string
}

/** How many invoices an order can have at one price, one after the other. */
const mostInvoices = 20

/**
 * Creates the invoice for a price, once: the same key returns the invoice that exists, while it can be paid. The price goes
 * into the key, so that a changed order is never asked to pay what it used to cost. Throws if a payment was seen for the
 * invoice: this order sent no payer there, so it shares its name with another one.
 */
export async function openInvoice(connection: Connection, order: Order): Promise<Invoice> {
  for (let number = 1; number <= mostInvoices; number++) {
    const invoice = await createInvoice(connection, order, number).catch((error: unknown) => {
      // Asked for with other settings, and the answer was lost: no one has seen that invoice.
      if (error instanceof ConflictError && error.code === 'idempotency_key_mismatch') return null
      throw error
    })
    if (invoice === null) continue
    const standing = standingOf(invoice)
    if (standing === 'open') return invoice
    if (standing !== 'over')
      throw new TypeError(`Invoice ${invoice.id} has this order's name and price, and a payment already.`)
  }
  throw new TypeError(`This order has had ${mostInvoices} invoices at this price.`)
}

function createInvoice(
  { sluice, settings, shop }: Connection,
  order: Order,
  number: number,
): Promise<Invoice> {
  const { amount, currency } = order.price
  return sluice.invoices.create({
    amount_fiat: amount,
    fiat_currency: currency,
    ...(settings.currency === undefined ? { deferred: true } : { currency: settings.currency }),
    ...(settings.network !== undefined && { network: settings.network }),
    ...(settings.expiresIn !== undefined && { expires_in: settings.expiresIn }),
    ...(settings.redirectUrl !== undefined && { redirect_url: settings.redirectUrl }),
    external_id: order.externalId,
    metadata: {
      shop,
      order: order.externalId,
      ...(order.exactly !== undefined && { exactly: order.exactly }),
    },
    idempotency_key: `${shop}:${order.key}:${currency}:${amount}${number === 1 ? '' : `:${number}`}`,
  })
}

/** Whether an invoice is the one of this shop for this order, at this price. An event alone proves none of it. */
export function isInvoiceFor(
  { shop }: Connection,
  invoice: Pick<Invoice, 'amount_fiat' | 'fiat_currency' | 'external_id' | 'metadata'>,
  order: { readonly externalId: string; readonly price: Price },
): boolean {
  return (
    invoice.metadata?.shop === shop &&
    invoice.external_id === order.externalId &&
    invoice.fiat_currency === order.price.currency &&
    invoice.amount_fiat !== null &&
    compare(invoice.amount_fiat, order.price.amount) === 0
  )
}

/**
 * Cancels an invoice that nothing was paid to, and returns how it stands then. One that has ended stays as it is, as does one
 * that the key cannot see, made before the shop was connected elsewhere; one that a payment was seen for cannot be cancelled,
 * and is returned as `seen`, `short` or `paid`.
 */
export async function endInvoice({ sluice }: Connection, id: string): Promise<Standing> {
  try {
    return standingOf(await sluice.invoices.cancel(id))
  } catch (error) {
    if (error instanceof NotFoundError) return 'over'
    if (!(error instanceof ConflictError)) throw error
    const invoice = await sluice.invoices.get(id)
    const standing = standingOf(invoice)
    // Part of the amount may be on its way, which is not enough to count as seen.
    return standing === 'open' ? 'short' : standing
  }
}
