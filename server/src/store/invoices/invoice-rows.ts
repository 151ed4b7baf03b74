import type { Invoice } from '../../domain/invoices.ts'
import { traceparentOf } from '../../tracing/span.ts'
import type { Absent } from '../outer-rows.ts'
import { sql } from '../sql.ts'

type AssetColumns = NonNullable<Invoice['asset']>

/** An invoice as statements return it: the fields of its asset stand beside the others. */
export type InvoiceRow = Omit<Invoice, 'asset'> & (AssetColumns | Absent<AssetColumns>)

const columnNames = [
  'id',
  'merchant_id',
  'environment',
  'status',
  'source',
  'static_address_id',
  'deferred',
  'currency',
  'network',
  'gate_id',
  'decimals',
  'amount_units',
  'required_confirmations',
  'keychain',
  'deposit_position',
  'deposit_address',
  'deposit_address_tag',
  'deposit_address_proof',
  'amount_fiat',
  'fiat_currency',
  'exchange_rate',
  'rate_locked_at',
  'base_currency',
  'amount_in_base_currency',
  'tolerance_bps',
  'fee_bps',
  'paid_units',
  'settled_units',
  'pending_units',
  'refunded_units',
  'fee_units',
  'description',
  'external_id',
  'metadata',
  'redirect_url',
  'link',
  'idempotency_key',
  'window_seconds',
  'expires_at',
  'due_at',
  'live_at',
  'paid_at',
  'cancelled_at',
  'created_at',
  'updated_at',
]

/** The columns of an InvoiceRow. */
export const invoiceColumns = sql.raw(
  columnNames.map((name) => `invoices.${name} as "${camelCase(name)}"`).join(', '),
)

function camelCase(name: string): string {
  return name.replaceAll(/_[a-z]/g, (part) => part.slice(1).toUpperCase())
}

// An insert also sets columns that are not part of an InvoiceRow.
const insertedNames = [...columnNames, 'request_hash', 'created_by', 'traceparent']

/** The columns that an insert of invoices sets. */
export const insertedColumns = sql.raw(insertedNames.join(', '))

export type NewInvoice = Invoice & {
  readonly requestHash: Buffer | null
  /** Who created it; null when a deposit did. */
  readonly createdBy: string | null
}

/** The row of a new invoice, for `json_populate_recordset(null::invoices, …)`. */
export function invoiceRecord(invoice: NewInvoice): Record<string, unknown> {
  const { asset } = invoice
  return {
    id: invoice.id,
    merchant_id: invoice.merchantId,
    environment: invoice.environment,
    status: invoice.status,
    source: invoice.source,
    static_address_id: invoice.staticAddressId,
    deferred: invoice.deferred,
    ...(asset !== null && assetRecord(asset)),
    amount_fiat: invoice.amountFiat?.toString(),
    fiat_currency: invoice.fiatCurrency,
    base_currency: invoice.baseCurrency,
    amount_in_base_currency: invoice.amountInBaseCurrency?.toString(),
    tolerance_bps: invoice.toleranceBps,
    fee_bps: invoice.feeBps,
    paid_units: 0,
    settled_units: 0,
    pending_units: 0,
    refunded_units: 0,
    fee_units: 0,
    description: invoice.description,
    external_id: invoice.externalId,
    metadata: invoice.metadata,
    redirect_url: invoice.redirectUrl,
    link: invoice.link,
    idempotency_key: invoice.idempotencyKey,
    request_hash: invoice.requestHash === null ? null : `\\x${invoice.requestHash.toString('hex')}`,
    created_by: invoice.createdBy,
    traceparent: traceparentOf(invoice.id),
    window_seconds: invoice.windowSeconds,
    expires_at: invoice.expiresAt,
    due_at: invoice.dueAt,
    created_at: invoice.createdAt,
    updated_at: invoice.updatedAt,
  }
}

export function assetRecord(asset: NonNullable<Invoice['asset']>): Record<string, unknown> {
  return {
    currency: asset.currency,
    network: asset.network,
    gate_id: asset.gateId,
    decimals: asset.decimals,
    amount_units: asset.amountUnits.toString(),
    required_confirmations: asset.requiredConfirmations,
    keychain: asset.keychain,
    deposit_position: asset.depositPosition.toString(),
    deposit_address: asset.depositAddress,
    deposit_address_tag: asset.depositAddressTag,
    deposit_address_proof: asset.depositAddressProof,
    exchange_rate: asset.exchangeRate?.toString(),
    rate_locked_at: asset.rateLockedAt,
    live_at: asset.liveAt,
  }
}

export function invoiceFrom(row: InvoiceRow): Invoice {
  return {
    id: row.id,
    merchantId: row.merchantId,
    environment: row.environment,
    status: row.status,
    source: row.source,
    staticAddressId: row.staticAddressId,
    deferred: row.deferred,
    asset:
      row.currency === null
        ? null
        : {
            currency: row.currency,
            network: row.network,
            gateId: row.gateId,
            decimals: row.decimals,
            amountUnits: row.amountUnits,
            requiredConfirmations: row.requiredConfirmations,
            keychain: row.keychain,
            depositPosition: row.depositPosition,
            depositAddress: row.depositAddress,
            depositAddressTag: row.depositAddressTag,
            depositAddressProof: row.depositAddressProof,
            exchangeRate: row.exchangeRate,
            rateLockedAt: row.rateLockedAt,
            liveAt: row.liveAt,
          },
    amountFiat: row.amountFiat,
    fiatCurrency: row.fiatCurrency,
    baseCurrency: row.baseCurrency,
    amountInBaseCurrency: row.amountInBaseCurrency,
    toleranceBps: row.toleranceBps,
    feeBps: row.feeBps,
    paidUnits: row.paidUnits,
    settledUnits: row.settledUnits,
    pendingUnits: row.pendingUnits,
    refundedUnits: row.refundedUnits,
    feeUnits: row.feeUnits,
    description: row.description,
    externalId: row.externalId,
    metadata: row.metadata,
    redirectUrl: row.redirectUrl,
    link: row.link,
    idempotencyKey: row.idempotencyKey,
    windowSeconds: row.windowSeconds,
    expiresAt: row.expiresAt,
    dueAt: row.dueAt,
    paidAt: row.paidAt,
    cancelledAt: row.cancelledAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}
