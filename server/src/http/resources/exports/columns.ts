import type {
  Event as EventView,
  Refund as RefundView,
  StaticAddress as StaticAddressView,
  SuspensePayment,
} from '@sluice/sdk/contract'
import type { AuditEntry as AuditEntryView } from '@sluice/web/contract'
import type { AddressProofs } from '../../../app/addresses/address-proofs.ts'
import { placeOf } from '../../../app/addresses/place-of.ts'
import type { AssetRegistry } from '../../../domain/assets.ts'
import type { Invoice } from '../../../domain/invoices.ts'
import { overpaidUnits } from '../../../domain/invoices.ts'
import { formatDecimal } from '../../../domain/money.ts'
import type { Payout } from '../../../domain/payouts.ts'
import type { LedgerEntry } from '../../../store/ledger/ledger.ts'
import type { ExportedDelivery } from '../../../store/webhooks/endpoint-deliveries.ts'
import type { CsvFile } from '../../dashboard/csv-stream.ts'
import type { operatorSuspenseView } from '../operator/suspense-view.ts'
import { payoutView } from '../payouts/view.ts'
import { fiat, time } from '../values.ts'
import { columnsOf } from './file.ts'

/** The columns of exported files. Software reads them too, so new columns go at the end. */
export const ledgerFileColumns: CsvFile<LedgerEntry>['columns'] = [
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['currency', ({ currency }) => currency],
  ['number', ({ number }) => number.toString()],
  ['entry_type', ({ entryType }) => entryType],
  ['amount', ({ units, decimals }) => formatDecimal(units, decimals)],
  ['balance_after', ({ balanceAfter, balanceDecimals }) => formatDecimal(balanceAfter, balanceDecimals)],
  ['network', ({ network }) => network],
  ['reference_type', ({ referenceType }) => referenceType],
  ['reference_id', ({ referenceId }) => referenceId],
  ['description', ({ description }) => description],
]

const inAsset = (invoice: Invoice, units: bigint) =>
  invoice.asset === null ? null : formatDecimal(units, invoice.asset.decimals)

export function invoiceFileColumns(proofs: AddressProofs): CsvFile<Invoice>['columns'] {
  const to = ({ asset }: Invoice) => (asset === null ? null : placeOf(proofs, asset))
  return [
    ['created_at', ({ createdAt }) => createdAt.toISOString()],
    ['id', ({ id }) => id],
    ['external_id', ({ externalId }) => externalId],
    ['status', ({ status }) => status],
    ['currency', ({ asset }) => asset?.currency ?? null],
    ['network', ({ asset }) => asset?.network ?? null],
    ['amount', (invoice) => inAsset(invoice, invoice.asset?.amountUnits ?? 0n)],
    ['amount_paid', (invoice) => inAsset(invoice, invoice.paidUnits)],
    ['amount_overpaid', (invoice) => inAsset(invoice, overpaidUnits(invoice))],
    ['amount_refunded', (invoice) => inAsset(invoice, invoice.refundedUnits)],
    ['fee_amount', (invoice) => inAsset(invoice, invoice.feeUnits)],
    ['amount_fiat', ({ amountFiat, fiatCurrency }) => fiat(amountFiat, fiatCurrency)],
    ['fiat_currency', ({ fiatCurrency }) => fiatCurrency],
    [
      'amount_in_base_currency',
      ({ amountInBaseCurrency, baseCurrency }) => fiat(amountInBaseCurrency, baseCurrency),
    ],
    ['base_currency', ({ baseCurrency }) => baseCurrency],
    ['deposit_address', (invoice) => to(invoice)?.address ?? null],
    ['deposit_address_tag', (invoice) => to(invoice)?.tag ?? null],
    ['source', ({ source }) => source],
    ['description', ({ description }) => description],
    ['expires_at', ({ expiresAt }) => time(expiresAt)],
    ['paid_at', ({ paidAt }) => time(paidAt)],
    ['cancelled_at', ({ cancelledAt }) => time(cancelledAt)],
  ]
}

export function payoutFileColumns(assets: AssetRegistry): CsvFile<Payout>['columns'] {
  const inView = (name: keyof ReturnType<typeof payoutView>) => (payout: Payout) => {
    const value = payoutView(assets, payout)[name]
    return typeof value === 'string' ? value : null
  }
  return [
    ...(
      ['created_at', 'id', 'status', 'currency', 'network', 'amount', 'amount_in_base_currency'] as const
    ).map((name) => [name, inView(name)] as const),
    ['base_currency', ({ baseCurrency }) => baseCurrency],
    ['refund_id', ({ refundId }) => refundId],
    ...(
      ['fee_amount', 'network_fee', 'destination', 'destination_tag', 'tx_hash', 'idempotency_key'] as const
    ).map((name) => [name, inView(name)] as const),
    ['created_by', ({ createdBy }) => createdBy],
    ...(['description', 'failure_reason', 'approved_at', 'completed_at', 'cancelled_at'] as const).map(
      (name) => [name, inView(name)] as const,
    ),
  ]
}

export const refundFileColumns = columnsOf<RefundView>([
  'created_at',
  'id',
  'status',
  'currency',
  'network',
  'amount',
  'amount_in_base_currency',
  'base_currency',
  'invoice_id',
  'payout_id',
  'refund_fee',
  'network_fee',
  'destination',
  'destination_tag',
  'tx_hash',
  'description',
  'failure_reason',
  'completed_at',
])

export const addressFileColumns = columnsOf<StaticAddressView>([
  'created_at',
  'id',
  'label',
  'currency',
  'network',
  'address',
  'address_tag',
  'total_received',
  'invoice_count',
])

/** The data is JSON, as in the API. */
export const eventFileColumns = columnsOf<EventView>(['created_at', 'id', 'event', 'position', 'data'])

export const auditFileColumns = columnsOf<AuditEntryView>([
  'at',
  'seq',
  'actor',
  'actor_name',
  'ip',
  'user_agent',
  'environment',
  'action',
  'subject',
  'details',
  'hash',
  'previous_hash',
])

const suspenseColumns = [
  'seen_at',
  'id',
  'status',
  'reason',
  'currency',
  'network',
  'amount',
  'address',
  'address_tag',
  'tx_hash',
  'invoice_id',
  'static_address_id',
  'released_at',
] as const

export const suspenseFileColumns = columnsOf<SuspensePayment>(suspenseColumns)

type OperatorHeld = SuspensePayment & Omit<ReturnType<typeof operatorSuspenseView>, 'payment'>
export const operatorSuspenseFileColumns = columnsOf<OperatorHeld>([
  ...suspenseColumns,
  'merchant_id',
  'released_to',
  'released_by',
  'note',
])

export const deliveryFileColumns: CsvFile<ExportedDelivery>['columns'] = [
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['id', ({ id }) => id],
  ['event_id', ({ eventId }) => `evt_${eventId}`],
  ['event', ({ event }) => event],
  ['status', ({ status }) => status],
  ['attempts', ({ attempts }) => attempts.toString()],
  ['last_attempt_at', ({ lastAttemptAt }) => time(lastAttemptAt)],
  ['next_attempt_at', ({ nextAttemptAt }) => time(nextAttemptAt)],
  ['last_status_code', ({ lastStatusCode }) => lastStatusCode?.toString() ?? null],
  ['last_duration_ms', ({ lastDurationMs }) => lastDurationMs?.toString() ?? null],
  ['last_error', ({ lastError }) => lastError],
]
