import { ServiceError } from '../../domain/errors.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { App } from '../app.ts'
import { assetOf } from '../choose-asset.ts'
import { gateOffline } from '../gates/gate-book.ts'
import { pricingOf } from '../rates/price.ts'
import { confirming, defaultWindowSeconds, giveAddressBack, goLive } from './create-invoice.ts'
import { priceAsset } from './draft-invoice.ts'
import { noSuchInvoice } from './get-invoice.ts'

/**
 * Lets the payer of a deferred invoice pick the asset; address, rate and window are fixed from then on. Throws on a second
 * pick, or after the deadline.
 */
export async function activateInvoice(
  app: App,
  owner: Pick<Invoice, 'merchantId' | 'environment'>,
  id: string,
  pick: { readonly currency: string; readonly network: string | null },
): Promise<Invoice> {
  const { currency, asset } = assetOf(app.assets, pick)
  const before = await app.store.invoices.find(owner, id)
  if (before === null) throw noSuchInvoice()
  const aheadMs = await app.store.testClocks.aheadMs(owner)
  const now = new Date(app.now().getTime() + aheadMs)
  refuseUnlessOpen(before, now)
  // Find the price, the gate and the address before taking any lock; only the pick itself happens under the lock.
  const { amountFiat, fiatCurrency, baseCurrency } = before
  if (amountFiat === null || fiatCurrency === null) throw new Error('A deferred invoice has a price in fiat.')
  const minorDigits = fiatMinorDigits(fiatCurrency) ?? 0
  const priced = await priceAsset(
    app,
    { environment: owner.environment, baseCurrency },
    await pricingOf(app, owner, aheadMs),
    { currency, asset, ask: { amount: amountFiat, currency: fiatCurrency, minorDigits } },
  )
  if (await app.store.gatesOffline.isOffline(owner, priced.gate.id)) throw gateOffline(asset.network.id)
  const live = await goLive(app, priced, now)
  return app
    .transaction(async (tx) => {
      const held = await tx.invoices.lock(owner, id)
      if (held === null) throw noSuchInvoice()
      refuseUnlessOpen(held.invoice, held.now)
      const windowMs = (held.invoice.windowSeconds ?? defaultWindowSeconds) * 1000
      const invoice = await tx.invoices.saveActivated(
        id,
        { ...live, liveAt: held.now, rateLockedAt: held.now },
        {
          expiresAt: new Date(held.now.getTime() + windowMs),
          amountInBaseCurrency: priced.amountInBaseCurrency,
        },
      )
      await tx.events.append(confirming(app, invoice))
      return invoice
    })
    .catch((error: unknown) => {
      // After a refusal the address was never shown to a payer, so it can be reused.
      if (error instanceof ServiceError) giveAddressBack(app, live)
      throw error
    })
}

function refuseUnlessOpen(invoice: Invoice, now: Date): void {
  if (invoice.asset !== null)
    throw new ServiceError('conflict', 'The asset of this invoice is already chosen. Create another invoice.')
  if (invoice.status !== 'pending')
    throw new ServiceError('conflict', `The invoice is ${invoice.status}. Create another one.`)
  if (invoice.expiresAt !== null && now > invoice.expiresAt)
    throw new ServiceError('conflict', 'The time to pick an asset is over. Create another invoice.')
}
