import { describe, expect, it } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import type { ValuedPayment } from '../../../src/app/suspense/value-held.ts'
import type { Environment } from '../../../src/domain/environment.ts'
import type { Invoice, Payment } from '../../../src/domain/invoices.ts'
import type { Payout } from '../../../src/domain/payouts.ts'
import { checkoutViewer } from '../../../src/http/resources/checkout/view.ts'
import { invoiceWithPaymentsView } from '../../../src/http/resources/invoices/view.ts'
import { suspenseViewFor } from '../../../src/http/resources/operator/suspense-view.ts'
import { refundView } from '../../../src/http/resources/payouts/refund-view.ts'
import { payoutView } from '../../../src/http/resources/payouts/view.ts'
import type { Shop, Visit } from '../../../src/store/invoices/visits.ts'
import { currencies } from '../../support/shop/registry.ts'

const at = new Date('2026-07-27T09:09:50Z')

const payout = (environment: Environment, txHash: string | null): Payout => ({
  id: '0190aaaa-0000-7000-8000-000000000001',
  merchantId: '0190aaaa-0000-7000-8000-000000000002',
  environment,
  status: 'processing',
  currency: 'XRP',
  network: 'xrp',
  gateId: `xrp-${environment}`,
  decimals: 6,
  amountUnits: 1_000_000n,
  feeUnits: 0n,
  networkFeeUnits: 10n,
  reserveRaises: 0,
  baseCurrency: 'EUR',
  amountInBaseCurrency: null,
  destination: 'rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3',
  destinationTag: '7',
  allowProgramAddress: false,
  description: null,
  metadata: null,
  idempotencyKey: null,
  createdBy: 'user:one',
  refundId: null,
  waitingReason: null,
  failureReason: null,
  spendId: null,
  txHash,
  approvedAt: at,
  executableAt: at,
  completedAt: null,
  cancelledAt: null,
  createdAt: at,
  updatedAt: at,
})

const held = (environment: Environment): ValuedPayment => ({
  id: '0190aaaa-0000-7000-8000-000000000003',
  environment,
  network: 'base',
  currency: 'ETH',
  decimals: 18,
  units: 1n,
  address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  tag: null,
  txHash: '0xcd',
  reason: 'dust',
  requiredConfirmations: 1,
  blockHeight: 1n,
  isWaiting: false,
  tip: 1n,
  isBooked: true,
  merchantId: null,
  invoiceId: null,
  staticAddressId: null,
  seenAt: at,
  release: null,
  amountInBaseCurrency: null,
  baseCurrency: null,
})

const payment: Payment = {
  id: '0190aaaa-0000-7000-8000-000000000004',
  txHash: 'ef',
  outputIndex: 0,
  currency: 'BTC',
  network: 'bitcoin',
  decimals: 8,
  units: 1n,
  seenAt: at,
  waiting: true,
  blockHeight: null,
  requiredConfirmations: 2,
  booking: null,
}

const paid = (environment: Environment) => {
  // The rest of the invoice's view is left out.
  const invoice = { environment } as Invoice
  const view = () => ({}) as never
  return invoiceWithPaymentsView(currencies, view, { invoice, payments: [payment], tip: 1n }).payments[0]
}

const shownToPayer = (environment: Environment) => {
  const nothing = { asset: null, amountFiat: null, fiatCurrency: null, expiresAt: null, redirectUrl: null }
  const invoice = { environment, status: 'expired', ...nothing } as Invoice
  const shop = { name: 'A shop', colour: null, logoSha256: null } as Shop
  const view = checkoutViewer({ assets: currencies, now: () => at } as unknown as App)
  return view({ invoice, payments: [payment], tip: 1n, shop, aheadMs: 0 } as unknown as Visit).payments[0]
}

describe('a live transaction is shown with its URL in the explorer of its network', () => {
  const refund = { id: 'r', invoiceId: 'i', idempotencyKey: null, createdAt: at }
  const xrp = 'https://livenet.xrpl.org/transactions/AB'

  it.each([
    ['payout', payoutView(currencies, payout('live', 'AB')), xrp],
    ['refund', refundView(currencies, { ...refund, payout: payout('live', 'AB') }), xrp],
    ['payment', paid('live'), 'https://mempool.space/tx/ef'],
    ['payment on the payment page', shownToPayer('live'), 'https://mempool.space/tx/ef'],
    ['held payment', suspenseViewFor(currencies, 'm', held('live')), 'https://basescan.org/tx/0xcd'],
  ])('%s', (_, view, url) => expect(view?.explorer_url).toBe(url))

  it.each([
    ['payout in test', payoutView(currencies, payout('test', 'AB'))],
    ['payout without a transaction', payoutView(currencies, payout('live', null))],
    ['refund', refundView(currencies, { ...refund, payout: payout('test', 'AB') })],
    ['payment', paid('test')],
    ['payment on the payment page', shownToPayer('test')],
    ['held payment', suspenseViewFor(currencies, 'm', held('test'))],
  ])('a transaction that is not in an explorer has no URL: %s', (_, view) =>
    expect(view?.explorer_url).toBeNull(),
  )
})
