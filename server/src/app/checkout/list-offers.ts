import { type Asset, type Currency, nativeCurrencyOn } from '../../domain/assets.ts'
import { canChangeAsset } from '../../domain/checkout.ts'
import { inCheckoutOrder } from '../../domain/checkout-order.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import type { Invoice } from '../../domain/invoices.ts'
import { gateId } from '../../domain/networks/network.ts'
import { askedUnits, fiatForUnits } from '../../domain/pricing.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { canReceive, carries } from '../gates/gate-book.ts'
import { maxChoices } from '../invoices/change-asset.ts'
import { pricingOf } from '../rates/price.ts'
import type { FeeHints } from './fee-hints.ts'

export type OfferStatus = 'available' | 'offline' | 'no_rate' | 'too_small'

/** An asset in which an invoice could be paid, at the current rate. */
export type Offer = {
  readonly currency: Currency
  readonly asset: Asset
  readonly status: OfferStatus
  /** Null without a rate. */
  readonly units: bigint | null
  /** The approximate network fee for the payer, in the native currency; units are null when it is unknown. */
  readonly fee: {
    readonly currency: string
    readonly decimals: number
    readonly units: bigint | null
    /** The same in minor units of the invoice's fiat currency. */
    readonly fiat: bigint | null
  }
}

export type OfferLister = (invoice: Invoice) => Promise<Offer[]>

/**
 * Makes the use case: all assets the payer of a deferred invoice may choose from, or change to while nothing was paid; the
 * available ones first and among those what the merchant put first, then the most used. Throws when there is no choice any more.
 */
export function offerLister(app: App, hints: FeeHints): OfferLister {
  return async (invoice) => {
    const { amountFiat, fiatCurrency, environment } = invoice
    const aheadMs = await app.store.testClocks.aheadMs(invoice)
    const now = new Date(app.now().getTime() + aheadMs)
    const isOpen =
      invoice.asset === null
        ? invoice.status === 'pending'
        : canChangeAsset(invoice, await app.store.payments.isSeen(invoice.id), now)
    if (!isOpen || amountFiat === null || fiatCurrency === null)
      throw new ServiceError('conflict', 'The currency of this invoice can no longer be chosen.')
    const locked = await lockedAmounts(invoice)
    const price = { amount: amountFiat, minorDigits: fiatMinorDigits(fiatCurrency) ?? 0 }
    const pricing = await pricingOf(app, invoice, aheadMs)
    const rateOf = async (currency: string) => (await pricing.rate(currency, fiatCurrency))?.rate ?? null
    const takenOffline = await app.store.gatesOffline.among(
      app.gates.list().map(({ id }) => ({ merchantId: invoice.merchantId, gateId: id })),
    )

    const order = await app.store.merchantBrands.checkoutOrder(invoice.merchantId)
    const offers = inCheckoutOrder(app.assets, order).flatMap((currency) =>
      currency.assets
        .filter(({ isTestOnly = false }) => environment === 'test' || !isTestOnly)
        .filter(({ network }) => locked.size < maxChoices || locked.has(nameOf(currency.code, network.id)))
        .map((asset) => offer(currency, asset)),
    )
    const all = await Promise.all(offers)
    return [
      ...all.filter(({ status }) => status === 'available'),
      ...all.filter(({ status }) => status !== 'available'),
    ]

    async function offer(currency: Currency, asset: Asset): Promise<Offer> {
      const online = onlineGate(currency, asset)
      const gate = online !== null && (await canReceive(online, currency.code)) === true ? online : null
      const rate = await rateOf(currency.code)
      const units =
        locked.get(nameOf(currency.code, asset.network.id)) ??
        (rate === null ? null : askedUnits(price, rate, currency, asset))
      return {
        currency,
        asset,
        units,
        status: statusOf(gate, asset, units),
        fee: await fee(gate, currency, asset),
      }
    }

    /** What was locked when an asset was first chosen, by its name. */
    async function lockedAmounts({ id, asset }: Invoice): Promise<Map<string, bigint>> {
      const earlier = asset === null ? [] : await app.store.invoiceChoices.of(id)
      return new Map(
        [...earlier.map((choice) => choice.asset), ...(asset === null ? [] : [asset])].map(
          ({ currency, network, amountUnits }) => [nameOf(currency, network), amountUnits],
        ),
      )
    }

    function onlineGate({ code }: Currency, { network }: Asset): Gate | null {
      const id = gateId(network.id, environment)
      if (!app.gates.isOnline(id) || takenOffline.has(`${invoice.merchantId} ${id}`)) return null
      const gate = app.gates.find(id)
      return gate !== null && carries(gate, code) ? gate : null
    }

    async function fee(gate: Gate | null, currency: Currency, asset: Asset): Promise<Offer['fee']> {
      const own = nativeCurrencyOn(app.assets, asset.network.id)
      const gateAsset = gate?.assets.find((each) => each.currency === currency.code)
      const units = gate === null || gateAsset === undefined ? null : hints.of(gate, gateAsset)
      const rate = units === null ? null : await rateOf(own.currency.code)
      const fiat =
        units === null || rate === null
          ? null
          : // Rounded up, so that a fee never shows as zero.
            fiatForUnits(units, own.asset.decimals, rate, price.minorDigits, 'up')
      return { currency: own.currency.code, decimals: own.asset.decimals, units, fiat }
    }
  }
}

function nameOf(currency: string, network: string): string {
  return `${currency} ${network}`
}

function statusOf(gate: Gate | null, asset: Asset, units: bigint | null): OfferStatus {
  if (gate === null) return 'offline'
  if (units === null) return 'no_rate'
  return units < asset.minUnits ? 'too_small' : 'available'
}
