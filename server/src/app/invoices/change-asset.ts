import { canChangeAsset } from '../../domain/checkout.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { EarlierChoice } from '../../store/invoices/invoice-choices.ts'
import { placeOf } from '../addresses/place-of.ts'
import type { App } from '../app.ts'
import { assetOf } from '../choose-asset.ts'
import { addressRefused, gateOffline, onlineGate } from '../gates/gate-book.ts'
import { pricingOf } from '../rates/price.ts'
import { confirming, giveAddressBack, goLive } from './create-invoice.ts'
import { priceAsset } from './draft-invoice.ts'
import { noSuchInvoice } from './get-invoice.ts'

/** In how many assets one invoice may be priced: each price is a promise that binds the merchant until the window ends. */
export const maxChoices = 4

type Choice = { readonly currency: string; readonly network: string }

/**
 * Lets the payer of a deferred invoice pick another asset while nothing was seen and the window is open. The window stays. The amount
 * in each asset is fixed when it is first picked, and its address stays: what is paid to it decides, see `settleChoices`.
 */
export async function changeAsset(
  app: App,
  owner: Pick<Invoice, 'merchantId' | 'environment'>,
  id: string,
  { from, to }: { readonly from: Choice; readonly to: Choice },
): Promise<Invoice> {
  const { currency, asset } = assetOf(app.assets, to)
  const before = await app.store.invoices.find(owner, id)
  if (before === null) throw noSuchInvoice()
  const aheadMs = await app.store.testClocks.aheadMs(owner)
  refuseUnlessChangeable(before, from, new Date(app.now().getTime() + aheadMs))

  const wanted = { currency: currency.code, network: asset.network.id }
  if (isSame(wanted, before.asset)) return before
  const known = earlierOf(await app.store.invoiceChoices.of(id), wanted)
  const gate = onlineGate(app.gates, wanted.currency, wanted.network, owner.environment)
  if (await app.store.gatesOffline.isOffline(owner, gate.id)) throw gateOffline(wanted.network)
  // Price and address are found before taking any lock.
  const fresh = known === null ? await price() : null
  const done = await app
    .transaction(async (tx) => {
      const held = await tx.invoices.lock(owner, id)
      if (held === null) throw noSuchInvoice()
      refuseUnlessChangeable(held.invoice, from, held.now, await tx.payments.isSeen(id))
      const choices = await tx.invoiceChoices.of(id)
      // Another tab may have picked it and gone back meanwhile.
      const next = earlierOf(choices, wanted) ?? fresh
      if (next === null) throw new Error(`Invoice ${id} lost a choice.`)
      if (next === fresh && countWith(choices, held.invoice) >= maxChoices)
        throw new ServiceError(
          'conflict',
          `This invoice was already priced in ${maxChoices} assets. Pick one of those, or create another invoice.`,
        )
      // The database's word for an address is not enough.
      if (placeOf(app.proofs, next.asset) === null) throw addressRefused(wanted.network)
      await tx.invoiceChoices.keep(held.invoice)
      const invoice = await tx.invoices.saveAsset(id, next)
      await tx.events.append(confirming(app, invoice))
      return { invoice, usesFresh: next === fresh }
    })
    .catch((error: unknown) => {
      // After a refusal the address was never shown to a payer, so it can be reused.
      if (error instanceof ServiceError && fresh !== null) giveAddressBack(app, fresh.asset)
      throw error
    })
  if (fresh !== null && !done.usesFresh) giveAddressBack(app, fresh.asset)
  return done.invoice

  async function price(): Promise<EarlierChoice> {
    const { amountFiat, fiatCurrency, baseCurrency } = before as Invoice
    if (amountFiat === null || fiatCurrency === null)
      throw new Error('A deferred invoice has a price in fiat.')
    const minorDigits = fiatMinorDigits(fiatCurrency) ?? 0
    const priced = await priceAsset(
      app,
      { environment: owner.environment, baseCurrency },
      await pricingOf(app, owner, aheadMs),
      { currency, asset, ask: { amount: amountFiat, currency: fiatCurrency, minorDigits } },
    )
    const now = new Date(app.now().getTime() + aheadMs)
    return { asset: await goLive(app, priced, now), amountInBaseCurrency: priced.amountInBaseCurrency }
  }
}

/** In how many assets an invoice was priced, counting the present one. */
function countWith(choices: readonly EarlierChoice[], { asset }: Pick<Invoice, 'asset'>): number {
  return choices.filter((choice) => !isSame(choice.asset, asset)).length + (asset === null ? 0 : 1)
}

function isSame(one: Choice, other: Choice | null): boolean {
  return one.currency === other?.currency && one.network === other.network
}

function earlierOf(choices: readonly EarlierChoice[], wanted: Choice): EarlierChoice | null {
  return choices.find(({ asset }) => isSame(asset, wanted)) ?? null
}

function refuseUnlessChangeable(invoice: Invoice, from: Choice, now: Date, isSeen = false): void {
  if (!isSame(from, invoice.asset))
    throw new ServiceError('conflict', 'Another asset was picked meanwhile. Read the invoice again.')
  if (!canChangeAsset(invoice, isSeen, now))
    throw new ServiceError(
      'conflict',
      'The asset can no longer be changed: a payment was seen, or the time to pay is over.',
    )
}
