import type { Invoice, Refund } from '@sluice/sdk'
import { compare, portion } from './decimals.ts'
import type { Price } from './prices.ts'
import type { Connection } from './settings.ts'

/** Where the payer wants the money, as staff entered it. */
export type Destination = { readonly address: string; readonly tag?: string | undefined }

/** An address, and after a space its memo or tag on networks that have one. */
export function destinationOf(text: string): Destination | null {
  const [address = '', ...tag] = text.trim().split(/\s+/)
  if (address === '') return null
  return tag.length === 0 ? { address } : { address, tag: tag.join(' ') }
}

/** The refunds of an invoice that a shop can have; more are made in the dashboard. */
const mostRefunds = 100

/**
 * Refunds part of an invoice's price, once. It is converted at the rate that the payer paid, rounded down, so the whole price
 * is the whole crypto amount; what was overpaid is not part of it. A refund of the same price that the shop has not recorded
 * is returned instead of a second one: it is waiting, or the answer to an earlier request was lost. Null if it has to be
 * created and no destination is known.
 */
export async function refundOnce(
  { sluice, shop }: Connection,
  invoice: Invoice,
  want: {
    readonly price: Price
    /** What the engine calls the price, which may have more decimals than can be paid. */
    readonly exactly?: string
    readonly destination: Destination | null
    /** The ids of the refunds that the shop has. */
    readonly recorded: readonly string[]
  },
): Promise<Refund | null> {
  const { currency, network, amount, amount_fiat: whole } = invoice
  if (currency === null || network === null || amount === null || whole === null)
    throw new TypeError('Nothing was paid to this invoice, so there is nothing to refund.')
  if (want.price.currency !== invoice.fiat_currency)
    throw new TypeError(`The invoice was priced in ${invoice.fiat_currency}, not in ${want.price.currency}.`)
  const { data: existing } = await sluice.refunds.list({ invoice_id: invoice.id, limit: mostRefunds })
  const ours = existing.filter(({ metadata }) => metadata?.shop === shop)
  const found = ours.find(
    (refund) =>
      !hasFailed(refund) &&
      !want.recorded.includes(refund.id) &&
      compare(String(refund.metadata?.price), want.price.amount) === 0,
  )
  if (found !== undefined || want.destination === null) return found ?? null
  const units = portion(amount, want.price.amount, whole, await decimalsOf(sluice, currency, network))
  return sluice.refunds.create(
    {
      invoice_id: invoice.id,
      currency,
      network,
      amount: units,
      destination: want.destination.address,
      ...(want.destination.tag !== undefined && { destination_tag: want.destination.tag }),
      description: `Refund of ${want.price.amount} ${want.price.currency}`,
      metadata: {
        shop,
        price: want.price.amount,
        ...(want.exactly !== undefined && { exactly: want.exactly }),
      },
    },
    // Counted, so that two equal refunds are possible, one after the other.
    { idempotencyKey: `${shop}:${invoice.id}:refund:${ours.length + 1}` },
  )
}

/** Whether a refund has ended without money being sent. */
export function hasFailed({ status }: Pick<Refund, 'status'>): boolean {
  return status === 'failed' || status === 'cancelled'
}

async function decimalsOf(sluice: Connection['sluice'], code: string, network: string): Promise<number> {
  const { data } = await sluice.currencies.list()
  const found = data.find((each) => each.code === code)?.networks.find((each) => each.network === network)
  if (found === undefined) throw new TypeError(`Sluice no longer offers ${code} on ${network}.`)
  return found.decimals
}
