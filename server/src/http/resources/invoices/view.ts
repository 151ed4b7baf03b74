import type {
  Invoice as InvoiceView,
  InvoiceWithPayments as InvoiceWithPaymentsView,
  Payment as PaymentView,
} from '@sluice/sdk/contract'
import type { AddressProofs } from '../../../app/addresses/address-proofs.ts'
import { placeOf } from '../../../app/addresses/place-of.ts'
import type { GateBook } from '../../../app/gates/gate-book.ts'
import { type AssetRegistry, networkIn } from '../../../domain/assets.ts'
import {
  confirmationsOf,
  dueUnits,
  type Invoice,
  overpaidUnits,
  type Payment,
  paymentStatus,
} from '../../../domain/invoices.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { explorerUrl } from '../../../domain/networks/network.ts'
import { rateDecimals } from '../../../domain/quote.ts'
import type { Place } from '../../../store/addresses/deposit-addresses.ts'
import type { InvoiceWithPayments } from '../../../store/invoices/invoices.ts'
import { baseValue, fiat, time } from '../values.ts'

export type InvoiceViewer = (invoice: Invoice) => InvoiceView

/** The view of invoices, with the URL of the checkout page and the payment link. */
export function invoiceViewer(options: {
  checkoutUrl: (link: string) => string
  gates: GateBook
  proofs: AddressProofs
}): InvoiceViewer {
  return (invoice) => {
    const { asset } = invoice
    const to = asset === null ? null : placeOf(options.proofs, asset)
    const decimals = asset?.decimals ?? 0
    const amount = (units: bigint) => formatDecimal(units, decimals)
    const due = dueUnits(invoice)
    const isPaid = invoice.status === 'paid' || invoice.status === 'overpaid'
    return {
      id: invoice.id,
      merchant_id: invoice.merchantId,
      environment: invoice.environment,
      status: invoice.status,
      source: invoice.source,
      static_address_id: invoice.staticAddressId,
      currency: asset?.currency ?? null,
      network: asset?.network ?? null,
      amount: asset === null ? null : amount(asset.amountUnits),
      amount_fiat: fiat(invoice.amountFiat, invoice.fiatCurrency),
      fiat_currency: invoice.fiatCurrency,
      exchange_rate: asset?.exchangeRate == null ? null : formatDecimal(asset.exchangeRate, rateDecimals),
      rate_locked_at: time(asset?.rateLockedAt ?? null),
      ...baseValue(invoice),
      amount_paid: amount(invoice.paidUnits),
      amount_pending: amount(invoice.pendingUnits),
      amount_due: due === null ? null : amount(due),
      amount_overpaid: amount(overpaidUnits(invoice)),
      amount_refunded: amount(invoice.refundedUnits),
      fee_amount: amount(invoice.feeUnits),
      deferred: invoice.deferred,
      deposit_address: to?.address ?? null,
      deposit_address_tag: to?.tag ?? null,
      payment_uri: paymentUri(invoice, to, due),
      payment_reference: paymentReference(invoice),
      gate_id: asset?.gateId ?? null,
      required_confirmations: asset?.requiredConfirmations ?? null,
      description: invoice.description,
      external_id: invoice.externalId,
      metadata: invoice.metadata as InvoiceView['metadata'],
      redirect_url: invoice.redirectUrl,
      checkout_url: invoice.link === null ? null : options.checkoutUrl(invoice.link),
      idempotency_key: invoice.idempotencyKey,
      expires_at: time(invoice.expiresAt),
      live_at: time(asset?.liveAt ?? null),
      paid_at: isPaid ? time(invoice.paidAt) : null,
      cancelled_at: time(invoice.cancelledAt),
      created_at: invoice.createdAt.toISOString(),
      updated_at: invoice.updatedAt.toISOString(),
    }
  }

  /** A link that pays the amount due; null when nothing is due. */
  function paymentUri(invoice: Invoice, to: Place | null, due: bigint | null): string | null {
    const { asset, status } = invoice
    if (asset === null || to === null || due === null || due === 0n) return null
    if (status !== 'pending' && status !== 'underpaid') return null
    const gate = options.gates.find(asset.gateId)
    const gateAsset = gate?.assets.find(({ currency }) => currency === asset.currency)
    if (gate === null || gateAsset === undefined) return null
    // The merchant shows it under their own name.
    return gate.paymentUri(to, gateAsset, due, {
      invoiceId: invoice.id,
      label: null,
      message: invoice.description,
    })
  }

  /** No one was asked to pay the invoice of a static address: it begins with its payment. */
  function paymentReference({ id, asset, staticAddressId }: Invoice): string | null {
    if (asset === null || staticAddressId !== null) return null
    return options.gates.find(asset.gateId)?.paymentReference?.(id) ?? null
  }
}

export function invoiceWithPaymentsView(
  assets: AssetRegistry,
  view: InvoiceViewer,
  { invoice, payments, tip }: InvoiceWithPayments,
): InvoiceWithPaymentsView {
  return {
    ...view(invoice),
    payments: payments.map((payment) => paymentView(assets, invoice, payment, tip ?? 0n)),
  }
}

function paymentView(
  assets: AssetRegistry,
  { environment }: Invoice,
  payment: Payment,
  tip: bigint,
): PaymentView {
  return {
    id: payment.id,
    tx_hash: payment.txHash,
    explorer_url: explorerUrl(networkIn(assets, payment.network), environment, payment.txHash),
    output_index: payment.outputIndex,
    currency: payment.currency,
    network: payment.network,
    amount: formatDecimal(payment.units, payment.decimals),
    confirmations: Number(confirmationsOf(payment, tip)),
    required_confirmations: payment.requiredConfirmations,
    status: paymentStatus(payment),
    late: payment.booking?.late ?? false,
    block_height: payment.blockHeight === null ? null : Number(payment.blockHeight),
    detected_at: payment.seenAt.toISOString(),
    confirmed_at: time(payment.booking?.confirmedAt ?? null),
  }
}
