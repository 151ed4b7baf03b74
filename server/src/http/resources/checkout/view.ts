import type {
  CheckoutAsset,
  CheckoutOffer,
  CheckoutPayment,
  CheckoutToken,
  Checkout as CheckoutView,
} from '@sluice/web/contract'
import { placeOf } from '../../../app/addresses/place-of.ts'
import type { App } from '../../../app/app.ts'
import type { Offer } from '../../../app/checkout/list-offers.ts'
import { timeOf } from '../../../app/checkout/open-checkout.ts'
import { addressRefused } from '../../../app/gates/gate-book.ts'
import { type AssetRegistry, networkIn } from '../../../domain/assets.ts'
import {
  type CheckoutStanding,
  canChangeAsset,
  checkoutStanding,
  isLatePayment,
} from '../../../domain/checkout.ts'
import { newCheckoutToken } from '../../../domain/checkout-token.ts'
import {
  confirmationsOf,
  dueUnits,
  type Invoice,
  type InvoiceAsset,
  overpaidUnits,
  type Payment,
  paymentStatus,
} from '../../../domain/invoices.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { explorerUrl } from '../../../domain/networks/network.ts'
import { makePaymentTicket } from '../../../domain/payment-ticket.ts'
import { rateDecimals } from '../../../domain/quote.ts'
import { safeRedirect } from '../../../domain/redirects.ts'
import type { Shop, Visit } from '../../../store/invoices/visits.ts'
import { fiat, time } from '../values.ts'
import { qrCoder } from './qr-code.ts'
import { walletChain, walletTransactionView } from './wallet-view.ts'

/** The QR code can be left out when views are only compared: it says the same as the payment link. */
export type CheckoutViewer = (visit: Visit, options?: { readonly withoutQr: boolean }) => CheckoutView

/** An invoice as its payer sees it. It leaves out what is private to the merchant. */
export function checkoutViewer(
  app: Pick<App, 'assets' | 'gates' | 'now' | 'proofs' | 'people'>,
): CheckoutViewer {
  const qrCode = qrCoder()

  return (visit, options = { withoutQr: false }) => {
    const { invoice, payments, tip, shop } = visit
    const now = timeOf(visit, app.now())
    const standing = checkoutStanding(invoice, payments, now)
    const isPaid = invoice.status === 'paid' || invoice.status === 'overpaid'
    return {
      invoice_id: invoice.id,
      phase: standing.phase,
      environment: invoice.environment,
      shop: shopView(shop),
      description: invoice.description,
      amount_fiat: fiat(invoice.amountFiat, invoice.fiatCurrency),
      fiat_currency: invoice.fiatCurrency,
      asset: invoice.asset === null ? null : assetView(visit, invoice.asset, standing, options.withoutQr),
      can_change_asset: canChangeAsset(invoice, payments.length > 0, now),
      payments: payments.flatMap((payment) => paymentView(app.assets, invoice, payment, tip ?? 0n) ?? []),
      expires_at: time(invoice.expiresAt),
      paid_at: isPaid ? time(invoice.paidAt) : null,
      redirect_url: safeRedirect(invoice.redirectUrl, invoice.environment),
      now: now.toISOString(),
    }
  }

  function assetView(
    visit: Visit,
    asset: InvoiceAsset,
    standing: CheckoutStanding,
    withoutQr: boolean,
  ): CheckoutAsset {
    const { invoice } = visit
    const amount = (units: bigint) => formatDecimal(units, asset.decimals)
    const network = networkIn(app.assets, asset.network)
    const gate = app.gates.find(asset.gateId)
    const currency = app.assets.find(({ code }) => code === asset.currency)
    const gateAsset = gate?.assets.find((each) => each.currency === asset.currency)
    const to = placeOf(app.proofs, asset)
    if (to === null) throw addressRefused(network.id)
    const { missingUnits } = standing
    const isPayable = missingUnits > 0n && gate !== null && gateAsset !== undefined
    const note = { invoiceId: invoice.id, label: visit.shop.name, message: invoice.description }
    const uri = isPayable ? gate.paymentUri(to, gateAsset, missingUnits, note) : null
    const request = isPayable && gate.paymentTransaction !== undefined ? requestUri(invoice) : null
    // No wallet knows a simulated network, and none should be asked to send on the real one.
    const transaction =
      isPayable && gate.simulated === null ? gate.walletTransaction?.(to, gateAsset, missingUnits) : undefined
    return {
      currency: asset.currency,
      currency_name: currency?.name ?? asset.currency,
      network: network.id,
      network_name: network.name,
      token_standard: currency?.kind === 'token' ? network.tokenStandard : null,
      network_online: app.gates.isOnline(asset.gateId) && !visit.takenOffline,
      simulated: gate !== null && gate.simulated !== null,
      amount: amount(asset.amountUnits),
      amount_paid: amount(invoice.paidUnits),
      amount_pending: amount(standing.pendingUnits),
      amount_due: amount(dueUnits(invoice) ?? 0n),
      amount_missing: amount(missingUnits),
      amount_overpaid: amount(overpaidUnits(invoice)),
      amount_late: amount(standing.lateUnits),
      amount_refunded: amount(invoice.refundedUnits),
      exchange_rate: asset.exchangeRate === null ? null : formatDecimal(asset.exchangeRate, rateDecimals),
      address: to.address,
      tag:
        network.tag === null || to.tag === null
          ? null
          : { name: network.tag.name, required: network.tag.required, value: to.tag },
      payment_uri: uri,
      qr: uri === null || withoutQr ? null : qrCode(uri),
      transaction_request:
        request === null || gate === null
          ? null
          : { uri: request, qr: withoutQr ? null : qrCode(request), chain: walletChain(network, gate.chain) },
      wallet_transaction:
        transaction === undefined || gateAsset === undefined
          ? null
          : walletTransactionView(transaction, gateAsset),
      required_confirmations: asset.requiredConfirmations,
    }
  }

  /** A link that has a wallet ask us for the transaction (Solana Pay); null if it cannot, because we are not at https. */
  function requestUri(invoice: Visit['invoice']): string | null {
    const origin = app.people.url()
    // Without a query it need not be encoded, and the QR code is smaller.
    return origin.startsWith('https://') ? `solana:${origin}/solana-pay/${makePaymentTicket(invoice)}` : null
  }
}

/** A new token for the page of an invoice. It lives in the real time; the page is told the end by the clock it goes by. */
export function checkoutTokenView(
  invoice: { id: string; link: string },
  realNow: Date,
  clock: Pick<Visit, 'aheadMs'>,
): CheckoutToken {
  const { token, expiresAt } = newCheckoutToken(invoice, realNow)
  return { token, expires_at: timeOf(clock, expiresAt).toISOString() }
}

export function checkoutOfferView(offer: Offer, fiatCurrency: string | null): CheckoutOffer {
  const { currency, asset, units, fee } = offer
  return {
    currency: currency.code,
    currency_name: currency.name,
    network: asset.network.id,
    network_name: asset.network.name,
    token_standard: currency.kind === 'token' ? asset.network.tokenStandard : null,
    status: offer.status,
    estimated_amount: units === null ? null : formatDecimal(units, asset.decimals),
    network_fee: fee.units === null ? null : formatDecimal(fee.units, fee.decimals),
    network_fee_currency: fee.currency,
    network_fee_fiat: fiat(fee.fiat, fiatCurrency),
  }
}

/** The URL of the logo with this SHA-256. */
export function logoPath(sha256: string): string {
  return `/checkout-assets/logo/${sha256}`
}

function shopView({ name, colour, logoSha256 }: Shop): CheckoutView['shop'] {
  return { name, colour, logo: logoSha256 === null ? null : logoPath(logoSha256) }
}

// Once a payment has enough confirmations, the count stops: idle pages need not be told of every block.
function paymentView(
  assets: AssetRegistry,
  invoice: Invoice,
  payment: Payment,
  tip: bigint,
): CheckoutPayment | null {
  const status = paymentStatus(payment)
  if (status === 'reversed') return null
  const required = payment.requiredConfirmations
  const confirmations = confirmationsOf(payment, tip)
  return {
    tx_hash: payment.txHash,
    explorer_url: explorerUrl(networkIn(assets, payment.network), invoice.environment, payment.txHash),
    amount: formatDecimal(payment.units, payment.decimals),
    confirmations: confirmations > BigInt(required) ? required : Number(confirmations),
    required_confirmations: required,
    status,
    late: isLatePayment(invoice, payment),
    detected_at: payment.seenAt.toISOString(),
  }
}
